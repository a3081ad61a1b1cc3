/// Why a statement has no answer.
struct PostgresFailure: Error, Equatable, Sendable {
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
    let trouble: StoreTrouble

    init(_ kind: Kind, _ trouble: StoreTrouble) {
        self.kind = kind
        self.trouble = trouble
    }
}
