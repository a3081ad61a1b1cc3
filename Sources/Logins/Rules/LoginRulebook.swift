/// The configuration history: the current configuration, and older ones while a login that began with them is in
/// progress.
///
/// The creation time of a login selects its configuration. So a login ends under the configuration it began with, and
/// its row need not store that. A process that never had the right configuration uses the oldest it has.
import Base
import Brokers
import Synchronization

final class LoginRulebook: Sendable {
    private struct Era {
        let rules: LoginRules
        /// Logins that were created after this time belong to this entry. Nil for the first entry.
        let since: Timestamp?
    }

    private struct State {
        /// The oldest comes first. The list is never empty.
        var eras: [Era]
        var keys: ServerKeys
    }

    private let state: Mutex<State>

    init(_ rules: LoginRules) {
        self.state = Mutex(State(eras: [Era(rules: rules, since: nil)], keys: rules.keys))
    }

    /// Returns the configuration of a login that begins now, and its time of creation.
    func begin(_ now: () -> Timestamp) -> (rules: LoginRules, at: Timestamp) {
        self.state.withLock { state in
            let now = now()
            return (Self.rules(at: now, in: state), now)
        }
    }

    func rules(of login: Login) -> LoginRules { self.rules(at: login.createdAt) }

    func rules(at beginning: Timestamp) -> LoginRules { self.state.withLock { Self.rules(at: beginning, in: $0) } }

    /// Every key that a login in progress may need. The first key is the current one.
    var keys: ServerKeys { self.state.withLock { $0.keys } }

    /// Returns the broker of this name, for use before we know the login. It prefers the current configuration to older
    /// ones.
    func broker(_ id: String) -> (any Broker)? {
        self.state.withLock { state in state.eras.reversed().lazy.compactMap { $0.rules.brokers[id] }.first }
    }

    /// Sets the configuration of logins that begin from now on.
    func replace(with rules: LoginRules, at now: () -> Timestamp) {
        self.state.withLock { state in
            state.eras.append(Era(rules: rules, since: now()))
            state.keys = Self.keys(of: state.eras)
        }
    }

    /// Drops and returns the configurations that no login needs any more.
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

    /// A login created in the same millisecond as a change belongs to the older entry. So the result for a given time
    /// never changes.
    private static func rules(at beginning: Timestamp, in state: State) -> LoginRules {
        let era = state.eras.last { era in era.since.map { $0 < beginning } ?? true }
        return (era ?? state.eras[0]).rules
    }

    private static func keys(of eras: [Era]) -> ServerKeys {
        eras.dropLast().reversed().reduce(eras[eras.count - 1].rules.keys) { $0.adding($1.rules.keys) }
    }
}
