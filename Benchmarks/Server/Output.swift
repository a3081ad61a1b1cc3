/// The result, line by line as it comes.
import Foundation

enum Output {
    static func line(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

    /// How far it is, for whoever waits.
    static func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
