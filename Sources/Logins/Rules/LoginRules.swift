/// What logins live under: the apps, providers, brokers and keys of one configuration. They never change; another
/// configuration is another one of these.
import Brokers

package final class LoginRules: Sendable {
    package let settings: LoginSettings
    let keys: ServerKeys
    let providers: [String: KnownProvider]
    let brokers: [String: any Broker]

    package init(_ settings: LoginSettings, keys: ServerKeys, providers: [Provider], brokers: [any Broker]) {
        self.settings = settings
        self.keys = keys
        self.providers = Dictionary(
            providers.map { ($0.id, KnownProvider($0)) }, uniquingKeysWith: { first, _ in first })
        self.brokers = Dictionary(brokers.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// No login that began under them has more to say after this time.
    var longestLogin: Duration { self.settings.lifetime + Login.awaitsReturnFor + self.settings.resultTTL }
}

/// A provider of a configuration, to be referred to: a `Provider` has dozens of texts and tables, and each copy counts them.
final class KnownProvider: Sendable {
    let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    /// True where the create itself makes the one opening, whose link is in its answer.
    var opensAtCreate: Bool { self.provider.authorize == .direct || self.provider.opensApp }
}
