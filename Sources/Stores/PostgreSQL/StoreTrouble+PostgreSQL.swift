/// What PostgreSQL's error codes mean to us (its documentation, appendix A).
extension StoreTrouble {
    /// `message` is the server's primary message: never its details, in which the values of a row may stand.
    init(state: String, message: String) {
        switch state {
        case "53100": self = .full
        case "25006": self = .readOnly
        // Lock not available, deadlock, serialization.
        case "55P03", "40P01", "40001": self = .locked
        case "XX001", "XX002": self = .corrupt
        case "53300": self = .other("PostgreSQL has no connection left (max_connections)")
        case "57014": self = .other("a statement took longer than statement_timeout")
        case "57P01", "57P02", "57P03": self = .other("PostgreSQL is starting, stopping or failing over")
        case "42501": self = .other("the role has not the right that is needed (docs/postgresql.md): \(message)")
        case "3F000", "42P01", "42883", "42703":
            self = .other("the schema is missing or another one: run `switchback migrate` (\(message))")
        default: self = .other("PostgreSQL \(state): \(message)")
        }
    }

    /// Whether this connection will answer nothing else any more, or would do so to no avail: a standby stays one.
    static func endsConnection(_ state: String) -> Bool {
        ["25006", "57P01", "57P02", "57P03", "57P05"].contains(state) || state.hasPrefix("08")
    }
}
