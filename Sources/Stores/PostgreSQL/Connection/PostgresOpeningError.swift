import Base

/// Why the database cannot be used, in a message that tells an operator what to do.
package enum PostgresOpeningError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The address is invalid. `setting` is its setting, for example `postgresql.url`.
    case address(setting: String, OperatorError)
    /// The server is unreachable or refuses us for now. This may pass with time.
    case unreachable(StorageError)
    /// The server does not do what we need, and will not until someone changes something there.
    case refused(StorageError)
    case noSchema
    case older(version: Int, needed: Int)
    /// A newer version of Switchback made the schema, and this version cannot work with it.
    case newer(version: Int, supported: Int)

    package var description: String {
        switch self {
        case .address(let setting, let failure): "\(setting) \(failure)"
        case .unreachable(let cause), .refused(let cause): "PostgreSQL cannot be used: \(cause)"
        case .noSchema: "there is no schema in the database: run `switchback migrate` as the role that should own it"
        case .older(let version, let neededVersion):
            "the schema has version \(version) and this server needs \(neededVersion): "
                + "run `switchback migrate` as its owner"
        case .newer(let version, let supportedVersion):
            "the schema has version \(version), but this server supports \(supportedVersion): "
                + "run the version that made it, or the one before"
        }
    }

    init(_ failure: PostgresError) {
        self = failure.mayPass ? .unreachable(failure.cause) : .refused(failure.cause)
    }

    /// The cause for the log, where the sentence before it says that the store failed.
    var cause: StorageError {
        switch self {
        case .unreachable(let cause), .refused(let cause): cause
        case .address, .noSchema, .older, .newer: .other("\(self)")
        }
    }
}
