/// Why the database cannot be used, in words that tell an operator what to do.
package enum PostgresOpeningFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// `postgresql.url`, say.
    case address(setting: String, PostgresAddress.Failure)
    /// Not reached, or it does not let us in.
    case trouble(StoreTrouble)
    case noSchema
    case older(found: Int, wanted: Int)
    /// Made by a version of Switchback that came after this one, and that this one cannot work with.
    case newer(found: Int, known: Int)
    /// It may look, and not do what a server has to do.
    case rights(String)

    package var description: String {
        switch self {
        case .address(let setting, let failure): "\(setting) \(failure)"
        case .trouble(let trouble): "PostgreSQL cannot be used: \(trouble)"
        case .noSchema: "there is no schema in the database: run `switchback migrate` as the role that shall own it"
        case .older(let found, let wanted):
            "the schema has version \(found) and this server needs \(wanted): run `switchback migrate` as its owner"
        case .newer(let found, let known):
            "the schema has version \(found) and this server knows \(known): run the version that made it, or the one before"
        case .rights(let missing):
            "the role may not \(missing): run `switchback migrate --grant ROLE` as the schema's owner"
        }
    }
}
