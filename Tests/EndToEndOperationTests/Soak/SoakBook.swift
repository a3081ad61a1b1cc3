import HTTPWire
import StrictJSON
import Synchronization

/// Records what one app and its browser were told. It must stay true, whatever happens to the servers.
final class SoakBook: Sendable {
    private struct State {
        var id: String?
        var version: Int?
        var final: JSON.Object?
        var page: String?
        var calledBackAt: ContinuousClock.Instant?
        var isProven = false
        var wakeUp: Duration?
        var complaints: [String] = []
    }

    private let state = Mutex(State())

    var complaints: [String] { self.state.withLock { $0.complaints } }
    var id: String? { self.state.withLock { $0.id } }
    /// When the browser learned that its callback was accepted.
    var calledBackAt: ContinuousClock.Instant? { self.state.withLock { $0.calledBackAt } }
    /// The time from then until the app learned of it; zero when the app learned of it first.
    var wakeUp: Duration? { self.state.withLock { $0.wakeUp } }

    func complain(_ what: String) {
        self.state.withLock { $0.complaints.append("\($0.id ?? "no login"): \(what)") }
    }

    /// Records a 201 or 200: the login exists.
    func created(_ login: JSON) {
        self.state.withLock { $0.id = login["id"]?.string }
        self.saw(login, knowingOfCallback: false)
    }

    /// Records a 303 to the done page: the callback was accepted. The same callback always leads to the same page.
    func calledBack(to page: String) {
        let before = self.state.withLock { state in
            state.calledBackAt = state.calledBackAt ?? .now
            defer { state.page = page }
            return state.page
        }
        if let before, before != page { self.complain("the same callback led to another page") }
    }

    /// Records a 200 to the link that the app handed in.
    func proven() { self.state.withLock { $0.isProven = true } }

    /// Checks and records a state of the login. `knowingOfCallback` says whether the browser knew before the poll that
    /// its callback was accepted.
    func saw(_ login: JSON, knowingOfCallback: Bool) {
        let now = ContinuousClock.now
        let complaints = self.state.withLock { state in
            var complaints: [String] = []
            let (status, version) = (login["status"]?.string ?? "none", login["version"]?.integer ?? -1)
            if login["id"]?.string != state.id { complaints.append("another login") }
            if version < state.version ?? 0 { complaints.append("version \(version) after \(state.version ?? 0)") }
            if knowingOfCallback, status == "pending" { complaints.append("pending after the callback was taken") }
            if state.isProven, status == "expired" { complaints.append("expired after the proof was taken") }
            if let final = state.final, final != Self.lasting(login) {
                complaints.append("final \(final), then \(Self.lasting(login))")
            }
            if status != "pending", state.wakeUp == nil {
                state.wakeUp = state.calledBackAt.map { max(.zero, now - $0) } ?? .zero
            }
            state.version = max(version, state.version ?? 0)
            if login["final"]?.bool == true { state.final = Self.lasting(login) }
            return complaints
        }
        for complaint in complaints { self.complain(complaint) }
    }

    /// Returns the login without what depends on the time of the request.
    private static func lasting(_ login: JSON) -> JSON.Object {
        var object = login.object ?? [:]
        for name in ["expires_in", "assertion"] { object[name] = nil }
        return object
    }
}
