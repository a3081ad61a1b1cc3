/// The rules that logins began with: those of today, and former ones for as long as a login lives that began with them.
///
/// Which are a login's follows from when it began. So a login ends under the rules it began with, nothing of them has to
/// be stored, and a process that never had them takes the oldest it has.
import Base
import Brokers
import Synchronization

final class LoginRulebook: Sendable {
    private struct Era {
        let rules: LoginRules
        /// Logins that began later are of this era. Nil for the first.
        let since: Timestamp?
    }

    private struct State {
        /// The oldest first, never empty.
        var eras: [Era]
        var keys: ServerKeys
    }

    private let state: Mutex<State>

    init(_ rules: LoginRules) {
        self.state = Mutex(State(eras: [Era(rules: rules, since: nil)], keys: rules.keys))
    }

    /// For a login that begins now: its rules, and when it began.
    func begin(_ now: () -> Timestamp) -> (rules: LoginRules, at: Timestamp) {
        self.state.withLock { state in
            let now = now()
            return (Self.rules(at: now, in: state), now)
        }
    }

    func rules(of login: Login) -> LoginRules { self.rules(at: login.createdAt) }

    func rules(at beginning: Timestamp) -> LoginRules { self.state.withLock { Self.rules(at: beginning, in: $0) } }

    /// Every key that a login under way may need; the first is of today's.
    var keys: ServerKeys { self.state.withLock { $0.keys } }

    /// The broker of this name before it is known whose login it is: today's, or else the last that had the name.
    func broker(_ id: String) -> (any Broker)? {
        self.state.withLock { state in state.eras.reversed().lazy.compactMap { $0.rules.brokers[id] }.first }
    }

    /// Logins that begin from now on have these rules.
    func replace(with rules: LoginRules, at now: () -> Timestamp) {
        self.state.withLock { state in
            state.eras.append(Era(rules: rules, since: now()))
            state.keys = Self.keys(of: state.eras)
        }
    }

    /// Forgets the rules that no login under way began with, and says which these are.
    func retire(at now: Timestamp) -> [LoginRules] {
        self.state.withLock { state in
            var retired: [LoginRules] = []
            while state.eras.count > 1, let since = state.eras[1].since,
                now - since > state.eras[0].rules.longestLogin
            {
                retired.append(state.eras.removeFirst().rules)
            }
            if !retired.isEmpty { state.keys = Self.keys(of: state.eras) }
            return retired
        }
    }

    /// A login of the very millisecond of a change is of the era before: whoever asks gets the same answer before and after.
    private static func rules(at beginning: Timestamp, in state: State) -> LoginRules {
        let era = state.eras.last { era in era.since.map { $0 < beginning } ?? true }
        return (era ?? state.eras[0]).rules
    }

    private static func keys(of eras: [Era]) -> ServerKeys {
        eras.dropLast().reversed().reduce(eras[eras.count - 1].rules.keys) { $0.adding($1.rules.keys) }
    }
}
