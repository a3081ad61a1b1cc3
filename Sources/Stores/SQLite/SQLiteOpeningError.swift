/// Why the file cannot be opened, in a message that tells an operator what to do.
package struct SQLiteOpeningError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Cause: Equatable, Sendable {
        /// Another process uses the file, or this process opened it twice.
        case inUse
        /// The error of the operating system about the folder or a file in it.
        case system(path: String, message: String)
        /// A newer version of Switchback wrote the file.
        case newer
        /// Another program's database.
        case foreign
        /// A setting did not take effect, so logins would not be safe.
        case setting(String)
        case storage(StorageError)
    }

    package let path: String
    package let cause: Cause

    package var description: String {
        switch self.cause {
        case .inUse: "\(self.path) is in use by another process: two servers cannot share a file"
        case .system(let path, let message): "\(self.path) cannot be used: \(path): \(message)"
        case .newer: "\(self.path) was written by a newer version of Switchback: run that one, or move the file away"
        case .foreign: "\(self.path) is the database of another program"
        case .setting(let name): "\(self.path): SQLite did not accept \(name)"
        case .storage(let cause): "\(self.path): \(cause)"
        }
    }
}
