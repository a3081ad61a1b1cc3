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
