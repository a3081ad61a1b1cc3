/// Prints the result line by line as it arrives.
import Foundation

enum Output {
    static func line(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

    /// Reports progress on standard error.
    static func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
