/// Prints the result line by line as it arrives.
import Foundation

package enum Output {
    package static func line(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

    /// Reports progress on standard error.
    package static func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
