import Base
import Brokers
import Synchronization

/// A configuration that is still needed by what began under it.
package protocol LastingConfiguration: Sendable {
    /// How long after its beginning a login may still need this configuration.
    var longestLogin: Duration { get }
}

/// The configuration history: the current configuration, and older ones while a login that began under them is in
/// progress. `Summary` is what is needed of all of them together, such as their keys.
///
/// The creation time of a login selects its configuration. So a login ends under the configuration it began with, and
/// its row need not store that. A process that never had the right configuration uses the oldest it has.
package final class ConfigurationHistory<Configuration: LastingConfiguration, Summary: Sendable>: Sendable {
    private struct Period {
        let configuration: Configuration
        /// Logins that were created after this time belong to this entry. Nil for the first entry.
        let since: Timestamp?
    }

    private struct State {
        /// The periods before the current one. The oldest comes first.
        var former: [Period]
        var current: Period
        /// Made anew with every change, because nearly every request needs it.
        var summary: Summary

        var configurations: [Configuration] { self.former.map(\.configuration) + [self.current.configuration] }

        /// A login created in the same millisecond as a change belongs to the older entry. So the result for a given
        /// time never changes.
        func configuration(at beginning: Timestamp) -> Configuration {
            func isOf(_ period: Period) -> Bool { period.since.map { $0 < beginning } ?? true }
            if isOf(self.current) { return self.current.configuration }
            return (self.former.last(where: isOf) ?? self.former.first ?? self.current).configuration
        }
    }

    private let state: Mutex<State>
    private let summarize: @Sendable ([Configuration]) -> Summary

    /// `summarize` gets the configurations with the oldest first. There is always one.
    package init(_ first: Configuration, summarize: @escaping @Sendable ([Configuration]) -> Summary) {
        self.summarize = summarize
        self.state = Mutex(
            State(former: [], current: Period(configuration: first, since: nil), summary: summarize([first])))
    }

    package var current: Configuration { self.state.withLock { $0.current.configuration } }

    /// The former configurations, the oldest first, and then the current one.
    package var all: [Configuration] { self.state.withLock { $0.configurations } }

    package var summary: Summary { self.state.withLock { $0.summary } }

    /// Returns the configuration of a login that begins now, and its time of creation.
    package func begin(_ now: () -> Timestamp) -> (configuration: Configuration, at: Timestamp) {
        self.state.withLock { state in
            let now = now()
            return (state.configuration(at: now), now)
        }
    }

    package func configuration(at beginning: Timestamp) -> Configuration {
        self.state.withLock { $0.configuration(at: beginning) }
    }

    /// Returns what the newest configuration that has such a thing has.
    func newest<Value: Sendable>(_ find: (Configuration) -> Value?) -> Value? {
        self.state.withLock { state in
            for configuration in state.configurations.reversed() {
                if let value = find(configuration) { return value }
            }
            return nil
        }
    }

    /// Sets the configuration of logins that begin from now on. Returns since when it is that.
    @discardableResult
    package func replace(with configuration: Configuration, at now: () -> Timestamp) -> Timestamp {
        self.state.withLock { state in
            let since = now()
            state.former.append(state.current)
            state.current = Period(configuration: configuration, since: since)
            state.summary = self.summarize(state.configurations)
            return since
        }
    }

    /// Drops and returns the configurations that no login needs any more. Two histories with the same times and the
    /// same `longestLogin` drop the same ones.
    @discardableResult
    package func retire(at now: Timestamp) -> [Configuration] {
        self.state.withLock { state in
            var retiredConfigurations: [Configuration] = []
            while let oldest = state.former.first {
                let next = state.former.count > 1 ? state.former[1] : state.current
                guard let since = next.since, now - since > oldest.configuration.longestLogin else { break }
                retiredConfigurations.append(state.former.removeFirst().configuration)
            }
            if !retiredConfigurations.isEmpty { state.summary = self.summarize(state.configurations) }
            return retiredConfigurations
        }
    }
}

/// The history by which logins find their configuration.
typealias LoginConfigurationHistory = ConfigurationHistory<LoginConfiguration, ServerKeys>

extension ConfigurationHistory where Configuration == LoginConfiguration, Summary == ServerKeys {
    convenience init(_ first: LoginConfiguration) {
        self.init(first) { configurations in
            configurations.dropLast().reversed().reduce(configurations.last?.keys ?? first.keys) {
                $0.adding($1.keys)
            }
        }
    }

    /// Every key that a login in progress may need. The first key is the current one.
    var keys: ServerKeys { self.summary }

    /// Returns the broker of this name, for use before we know the login. It prefers the current configuration to older
    /// ones.
    func broker(_ id: String) -> (any Broker)? { self.newest { $0.brokers[id] } }
}
