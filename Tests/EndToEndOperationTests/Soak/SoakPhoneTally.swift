import Synchronization

/// What all phones of a soak did and were told.
final class SoakPhoneTally: Sendable {
    enum Event: String, CaseIterable, Sendable {
        case login = "logins"
        case failedLogin = "failed logins"
        case renewal = "renewals"
        case unlock = "unlocks"
        case typed = "wrong PINs typed"
        /// A wrong PIN that was judged and cost a try.
        case counted = "counted"
        case lockout = "lockouts"
        /// A right or wrong PIN after the lockout.
        case refusal = "refused after it"
        case pinRequired = "PINs asked for"
        /// A begin after the login was deleted.
        case endedBegin = "begins without a login"
    }

    private struct State {
        var events: [Event: Int] = [:]
        var complaints: [String] = []
        var sessions: [Int: Set<String>] = [:]
    }

    /// Counts the responses that phones lost on purpose.
    let lost = SoakCount()
    private let state = Mutex(State())

    var complaints: [String] { self.state.withLock { $0.complaints } }
    subscript(_ event: Event) -> Int { self.state.withLock { $0.events[event] ?? 0 } }

    var line: String {
        let events = self.state.withLock { $0.events }
        let counts = Event.allCases.map { "\(events[$0] ?? 0) \($0.rawValue)" }
        return (counts + ["\(self.lost.now) responses lost", "\(self.complaints.count) complaints"])
            .joined(separator: ", ")
    }

    func add(_ event: Event) { self.state.withLock { $0.events[event, default: 0] += 1 } }

    func complain(_ complaints: [String]) { self.state.withLock { $0.complaints += complaints } }

    /// Records that this user's phone may have this session.
    func allow(_ session: String, of user: Int) {
        self.state.withLock { _ = $0.sessions[user, default: []].insert(session) }
    }

    /// The sessions that this user may have.
    func sessions(of user: Int) -> Set<String> { self.state.withLock { $0.sessions[user] ?? [] } }
}
