import Base
import Brokers
import Synchronization

/// The configuration history: the current configuration, and older ones while a login that began with them is in
/// progress.
///
/// The creation time of a login selects its configuration. So a login ends under the configuration it began with, and
/// its row need not store that. A process that never had the right configuration uses the oldest it has.
final class LoginConfigurationHistory: Sendable {
    private struct Period {
        let configuration: LoginConfiguration
        /// Logins that were created after this time belong to this entry. Nil for the first entry.
        let since: Timestamp?
    }

    private struct State {
        /// The oldest comes first. The list is never empty.
        var periods: [Period]
        var keys: ServerKeys
    }

    private let state: Mutex<State>

    init(_ configuration: LoginConfiguration) {
        self.state = Mutex(State(periods: [Period(configuration: configuration, since: nil)], keys: configuration.keys))
    }

    /// Returns the configuration of a login that begins now, and its time of creation.
    func beginLogin(_ now: () -> Timestamp) -> (configuration: LoginConfiguration, at: Timestamp) {
        self.state.withLock { state in
            let now = now()
            return (Self.configuration(at: now, in: state), now)
        }
    }

    func configuration(of login: Login) -> LoginConfiguration { self.configuration(at: login.createdAt) }

    func configuration(at beginning: Timestamp) -> LoginConfiguration {
        self.state.withLock { Self.configuration(at: beginning, in: $0) }
    }

    /// Every key that a login in progress may need. The first key is the current one.
    var keys: ServerKeys { self.state.withLock { $0.keys } }

    /// Returns the broker of this name, for use before we know the login. It prefers the current configuration to older
    /// ones.
    func broker(_ id: String) -> (any Broker)? {
        self.state.withLock { state in state.periods.reversed().lazy.compactMap { $0.configuration.brokers[id] }.first }
    }

    /// Sets the configuration of logins that begin from now on.
    func replace(with configuration: LoginConfiguration, at now: () -> Timestamp) {
        self.state.withLock { state in
            state.periods.append(Period(configuration: configuration, since: now()))
            state.keys = Self.keys(of: state.periods)
        }
    }

    /// Drops and returns the configurations that no login needs any more.
    func retire(at now: Timestamp) -> [LoginConfiguration] {
        self.state.withLock { state in
            var retiredConfigurations: [LoginConfiguration] = []
            while state.periods.count > 1, let since = state.periods[1].since,
                now - since > state.periods[0].configuration.longestLogin
            {
                retiredConfigurations.append(state.periods.removeFirst().configuration)
            }
            if !retiredConfigurations.isEmpty { state.keys = Self.keys(of: state.periods) }
            return retiredConfigurations
        }
    }

    /// A login created in the same millisecond as a change belongs to the older entry. So the result for a given time
    /// never changes.
    private static func configuration(at beginning: Timestamp, in state: State) -> LoginConfiguration {
        let period = state.periods.last { period in period.since.map { $0 < beginning } ?? true }
        return (period ?? state.periods[0]).configuration
    }

    private static func keys(of periods: [Period]) -> ServerKeys {
        periods.dropLast().reversed().reduce(periods[periods.count - 1].configuration.keys) {
            $0.adding($1.configuration.keys)
        }
    }
}
