import Base

/// Why a store cannot be opened, in a message that tells an operator what to do.
package struct StoreOpeningError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Cause: Equatable, Sendable {
        /// The database is unreachable, or refuses us for now. This may pass with time.
        case unreachable(StorageError)
        /// The database does not do what we need, and will not until someone changes something there.
        case refused(StorageError)
        /// There is no schema in the database.
        case noSchema
        case older(version: Int, needed: Int)
        /// A newer version of Switchback made the schema, and this version cannot work with it.
        case newer(version: Int, supported: Int)
        /// The address is invalid.
        case address(OperatorError)
        /// A newer version of Switchback wrote the file.
        case newerFile
        /// The file is another program's database.
        case foreign
        /// Another process uses the file, or this process opened it twice.
        case inUse
        /// The error of the operating system about the folder or a file in it.
        case system(path: String, message: String)
        /// SQLite's setting did not take effect, so logins would not be safe.
        case setting(String)
    }

    /// What cannot be used: the path of the file, `PostgreSQL`, or the setting whose address is invalid.
    package let place: String
    package let cause: Cause

    init(_ cause: Cause, at place: String = "PostgreSQL") {
        self.place = place
        self.cause = cause
    }

    package var description: String {
        switch self.cause {
        case .unreachable(let cause), .refused(let cause): "\(self.place) cannot be used: \(cause)"
        case .noSchema: "there is no schema in the database: run `switchback migrate` as the role that should own it"
        case .older(let version, let neededVersion):
            "the schema has version \(version) and this server needs \(neededVersion): "
                + "run `switchback migrate` as its owner"
        case .newer(let version, let supportedVersion):
            "the schema has version \(version), but this server supports \(supportedVersion): "
                + "run the version that made it, or the one before"
        case .address(let failure): "\(self.place) \(failure)"
        case .newerFile:
            "\(self.place) was written by a newer version of Switchback: run that one, or move the file away"
        case .foreign: "\(self.place) is the database of another program"
        case .inUse: "\(self.place) is in use by another process: two servers cannot share a file"
        case .system(let path, let message): "\(self.place) cannot be used: \(path): \(message)"
        case .setting(let name): "\(self.place): SQLite did not accept \(name)"
        }
    }

    /// Whether a server that makes the schema itself can make or upgrade it.
    var isDue: Bool {
        switch self.cause {
        case .noSchema, .older: true
        case .unreachable, .refused, .newer, .address, .newerFile, .foreign, .inUse, .system, .setting: false
        }
    }

    /// The cause for the log, where the sentence before it says that the store failed.
    var storageError: StorageError {
        switch self.cause {
        case .unreachable(let cause), .refused(let cause): cause
        case .noSchema, .older, .newer, .address, .newerFile, .foreign, .inUse, .system, .setting: .other("\(self)")
        }
    }
}
