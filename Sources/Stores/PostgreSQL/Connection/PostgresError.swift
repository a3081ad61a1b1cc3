/// Why a statement has no result.
struct PostgresError: Error, Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// The statement did not reach the server.
        case notSent
        /// It did not reach the server, because there is no connection.
        case notConnected
        /// It was sent, but its response was lost. It may have been executed.
        case lost
        /// The server responded that it was not executed, with this SQLSTATE.
        case refused(String)
    }

    let kind: Kind
    let cause: StorageError

    init(_ kind: Kind, _ cause: StorageError) {
        self.kind = kind
        self.cause = cause
    }

    /// Whether the error may pass with time: the server is unreachable, starting, stopping, failing over or out of
    /// resources.
    var mayPass: Bool {
        switch self.kind {
        case .notSent, .notConnected, .lost: true
        case .refused(let state):
            // Lock not available, a standby, a statement timeout, and some complete classes.
            ["55P03", "25006", "57014"].contains(state)
                || ["08", "40", "53", "57P0", "58"].contains { state.hasPrefix($0) }
        }
    }
}

extension StoreOpeningError {
    init(_ failure: PostgresError) {
        self.init(failure.mayPass ? .unreachable(failure.cause) : .refused(failure.cause))
    }
}

/// Maps PostgreSQL's error codes to our errors (PostgreSQL documentation, appendix A).
extension StorageError {
    /// `message` must be the server's primary message. The detail message may contain values of a row.
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
        case "42501": self = .other("the role lacks a privilege (docs/how-to/postgresql.md): \(message)")
        case "3F000", "42P01", "42883", "42703":
            self = .other("the schema is missing or does not match: run `switchback migrate` (\(message))")
        default: self = .other("PostgreSQL \(state): \(message)")
        }
    }

    /// Whether the connection cannot be used any more. That includes a standby, which stays one.
    static func endsConnection(_ state: String) -> Bool {
        ["25006", "57P01", "57P02", "57P03", "57P05"].contains(state) || state.hasPrefix("08")
    }
}
