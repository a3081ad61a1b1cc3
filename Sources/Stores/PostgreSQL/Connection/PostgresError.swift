/// Why a statement has no answer.
struct PostgresError: Error, Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// It never reached the server.
        case notSent
        /// Nor is there a connection on which it could.
        case notConnected
        /// It was sent, and its answer was lost: it may have been done.
        case lost
        /// The server has answered that it was not done, with this SQLSTATE.
        case refused(String)
    }

    let kind: Kind
    let cause: StorageError

    init(_ kind: Kind, _ cause: StorageError) {
        self.kind = kind
        self.cause = cause
    }

    /// Whether time alone may end it: nobody answers, or the server starts, stops, fails over, or has no room.
    var mayPass: Bool {
        switch self.kind {
        case .notSent, .notConnected, .lost: true
        case .refused(let state):
            // Lock not available, a standby, a statement that took too long; and whole classes of states.
            ["55P03", "25006", "57014"].contains(state)
                || ["08", "40", "53", "57P0", "58"].contains { state.hasPrefix($0) }
        }
    }
}

/// What PostgreSQL's error codes mean to us (its documentation, appendix A).
extension StorageError {
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
