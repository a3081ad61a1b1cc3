/// Why the file cannot be opened, in words that tell an operator what to do.
package struct SQLiteOpeningError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Cause: Equatable, Sendable {
        /// Another process has it, or this one has it twice.
        case inUse
        /// What the system says about the folder, or a file in it.
        case system(path: String, message: String)
        /// Written by a version of Switchback that came after this one.
        case newer
        /// Somebody else's database.
        case foreign
        /// A setting did not take effect, and logins would not be safe.
        case setting(String)
        case storage(StorageError)
    }

    package let path: String
    package let cause: Cause

    package var description: String {
        switch self.cause {
        case .inUse: "\(self.path) is in use by another process: two servers cannot share a file"
        case .system(let path, let message): "\(self.path) cannot be used: \(path): \(message)"
        case .newer: "\(self.path) was written by a later version of Switchback: run that one, or move the file away"
        case .foreign: "\(self.path) is the database of another program"
        case .setting(let name): "\(self.path): SQLite did not accept \(name)"
        case .storage(let cause): "\(self.path): \(cause)"
        }
    }
}
