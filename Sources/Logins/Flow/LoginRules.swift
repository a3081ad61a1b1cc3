/// What logins live under: the apps, providers, brokers and keys of one configuration. They never change; another
/// configuration is another one of these.
import Brokers

package final class LoginRules: Sendable {
    package let settings: LoginFlow.Settings
    let keys: ServerKeys
    let providers: [String: KnownProvider]
    let brokers: [String: any Broker]

    package init(_ settings: LoginFlow.Settings, keys: ServerKeys, providers: [Provider], brokers: [any Broker]) {
        self.settings = settings
        self.keys = keys
        self.providers = Dictionary(
            providers.map { ($0.id, KnownProvider($0)) }, uniquingKeysWith: { first, _ in first })
        self.brokers = Dictionary(brokers.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// No login that began under them has more to say after this time.
    var longestLogin: Duration { self.settings.lifetime + Login.awaitsReturnFor + self.settings.resultTTL }
}
