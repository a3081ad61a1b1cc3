/// What one app and its browser were told. It must stay true, whatever becomes of the servers.
import HTTPWire
import StrictJSON
import Synchronization

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
    /// The browser has been told that its callback was taken.
    var calledBackAt: ContinuousClock.Instant? { self.state.withLock { $0.calledBackAt } }
    /// From that moment until the app heard of it; zero when the app heard of it first.
    var wakeUp: Duration? { self.state.withLock { $0.wakeUp } }

    func complain(_ what: String) {
        self.state.withLock { $0.complaints.append("\($0.id ?? "no login"): \(what)") }
    }

    /// 201 or 200: the login is there.
    func created(_ login: JSON) {
        self.state.withLock { $0.id = login["id"]?.string }
        self.saw(login, knowingOfCallback: false)
    }

    /// 303 to the done page: the callback is taken. The same response always leads to the same page.
    func calledBack(to page: String) {
        let before = self.state.withLock { state in
            state.calledBackAt = state.calledBackAt ?? .now
            defer { state.page = page }
            return state.page
        }
        if let before, before != page { self.complain("the same callback led to another page") }
    }

    /// 200 to what the app has handed in.
    func proven() { self.state.withLock { $0.isProven = true } }

    /// How the login stands now, asked after the callback was known to be taken or not.
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

    /// Without what depends on the time of the asking.
    private static func lasting(_ login: JSON) -> JSON.Object {
        var object = login.object ?? [:]
        for name in ["expires_in", "assertion"] { object[name] = nil }
        return object
    }
}
