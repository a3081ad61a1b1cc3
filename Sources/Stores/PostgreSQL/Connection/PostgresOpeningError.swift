/// Why the database cannot be used, in words that tell an operator what to do.
package enum PostgresOpeningError: Error, Equatable, Sendable, CustomStringConvertible {
    /// `postgresql.url`, say.
    case address(setting: String, PostgresAddressError)
    /// Not reached, or it does not let us in; with time it may.
    case unreachable(StorageError)
    /// It does not do what is needed, and will not until somebody changes something there.
    case refused(StorageError)
    case noSchema
    case older(found: Int, wanted: Int)
    /// Made by a version of Switchback that came after this one, and that this one cannot work with.
    case newer(found: Int, known: Int)

    package var description: String {
        switch self {
        case .address(let setting, let failure): "\(setting) \(failure)"
        case .unreachable(let cause), .refused(let cause): "PostgreSQL cannot be used: \(cause)"
        case .noSchema: "there is no schema in the database: run `switchback migrate` as the role that shall own it"
        case .older(let found, let wanted):
            "the schema has version \(found) and this server needs \(wanted): run `switchback migrate` as its owner"
        case .newer(let found, let known):
            "the schema has version \(found) and this server knows \(known): run the version that made it, or the one before"
        }
    }

    init(_ failure: PostgresError) {
        self = failure.mayPass ? .unreachable(failure.cause) : .refused(failure.cause)
    }

    /// For the log, where the sentence before it says that the store failed.
    var cause: StorageError {
        switch self {
        case .unreachable(let cause), .refused(let cause): cause
        case .address, .noSchema, .older, .newer: .other("\(self)")
        }
    }
}
