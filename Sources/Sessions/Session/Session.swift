import Base

/// A session as a value. Transitions are pure functions that change it; a store may run one more than once.
struct Session: Equatable, Sendable {
    enum State: Equatable, Sendable {
        case active(ActiveSession)
        /// A tombstone. It keeps nothing of the session. A login that completed until `loginsUntil` cannot begin the
        /// session again.
        case ended(at: Timestamp, loginsUntil: Timestamp)
    }

    let id: SessionID
    let app: String
    var revision: Int64 = 1
    /// The column by which the session is found. It is made anew with each seal; a tombstone keeps its last one, except
    /// after `erase`.
    var person: [UInt8] = []
    var state: State

    init(id: SessionID, app: String, state: State) {
        self.id = id
        self.app = app
        self.state = state
    }

    /// Nil if the session has ended.
    var active: ActiveSession? {
        guard case .active(let active) = self.state else { return nil }
        return active
    }

    /// When the sweep must look at the session.
    var due: Timestamp {
        switch self.state {
        case .active(let active): active.endsAt
        case .ended(let time, _): time + SessionRules.tombstone
        }
    }

    /// Ends the session if its time is over. Returns why, or nil if nothing has changed.
    mutating func lapse(at now: Timestamp, _ rules: SessionRules) -> SessionEvent.End? {
        guard let active = self.active else { return nil }
        let login = active.login.completedAt
        if let validFrom = rules.validFrom, login < validFrom {
            // Not until now: a login after `validFrom` may begin the session again.
            self.state = .ended(at: min(now, active.endsAt), loginsUntil: validFrom - .milliseconds(1))
            return .invalidated
        }
        let end = active.end(rules)
        guard end <= now else { return nil }
        self.state = .ended(at: end, loginsUntil: login)
        return .expired
    }

    /// Ends the session. Returns false if it has ended before.
    mutating func end(at now: Timestamp) -> Bool {
        guard self.active != nil else { return false }
        self.state = .ended(at: now, loginsUntil: now)
        return true
    }

    /// Ends the session, and leaves nothing by which its user is found. Returns false if it has ended before.
    mutating func erase(at now: Timestamp) -> Bool {
        self.person = []
        return self.end(at: now)
    }
}
