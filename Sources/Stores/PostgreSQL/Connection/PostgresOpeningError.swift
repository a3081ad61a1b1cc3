/// Why the database cannot be used, in a message that tells an operator what to do.
package enum PostgresOpeningError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The address is invalid. `setting` is its setting, for example `postgresql.url`.
    case address(setting: String, PostgresAddressError)
    /// The server is unreachable or refuses us for now. This may pass with time.
    case unreachable(StorageError)
    /// The server does not do what we need, and will not until someone changes something there.
    case refused(StorageError)
    case noSchema
    case older(found: Int, wanted: Int)
    /// A newer version of Switchback made the schema, and this version cannot work with it.
    case newer(found: Int, known: Int)

    package var description: String {
        switch self {
        case .address(let setting, let failure): "\(setting) \(failure)"
        case .unreachable(let cause), .refused(let cause): "PostgreSQL cannot be used: \(cause)"
        case .noSchema: "there is no schema in the database: run `switchback migrate` as the role that should own it"
        case .older(let found, let wanted):
            "the schema has version \(found) and this server needs \(wanted): run `switchback migrate` as its owner"
        case .newer(let found, let known):
            "the schema has version \(found), but this server supports \(known): "
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
