import Brokers

/// The configuration snapshot of logins: the apps, providers, brokers and keys of one configuration. It is immutable; a
/// changed configuration gives a new snapshot.
package final class LoginConfiguration: LastingConfiguration {
    package let settings: LoginSettings
    let keys: ServerKeys
    let apps: [String: KnownApp]
    let providers: [String: KnownProvider]
    let brokers: [String: any Broker]

    package init(_ settings: LoginSettings, keys: ServerKeys, providers: [Provider], brokers: [any Broker]) {
        self.settings = settings
        self.keys = keys
        self.apps = settings.apps.mapValues { KnownApp($0) }
        self.providers = Dictionary(
            providers.map { ($0.id, KnownProvider($0)) }, uniquingKeysWith: { first, _ in first })
        self.brokers = Dictionary(brokers.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// How long after the callback this login's code may be sent.
    func codeLifetime(of login: Login) -> Duration { self.providers[login.provider]?.provider.codeLifetime ?? .zero }

    /// How long after the callback a code may wait for its turn in our own queue: as long as it lives, less the time of
    /// one request. Providers that set a short lifetime wait as long as other requests.
    func longestWait(of login: Login) -> Duration {
        max(self.codeLifetime(of: login) - self.settings.exchangeDeadline, LoginSettings.shortestWait)
    }

    package var longestLogin: Duration {
        let timeouts = self.settings.apps.values.map(\.returnTimeout)
        // The page may have doubled it.
        let longestReturn = (timeouts.max() ?? Login.returnTimeout) * 2
        return self.settings.lifetime + longestReturn + self.settings.resultTTL
    }
}

/// A configured app. It is a class for the same reason as a `KnownProvider`.
final class KnownApp: Sendable {
    let settings: LoginSettings.App

    init(_ settings: LoginSettings.App) { self.settings = settings }
}

/// A configured provider. It is a class because a `Provider` has dozens of strings and tables, and each copy of it
/// would retain them all. `snapshot.provider?.provider.opensApp` is such a copy, and `snapshot.provider?.opensApp` none.
final class KnownProvider: Sendable {
    let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    /// True if the create request itself makes the only authorization attempt, whose link is in the response.
    var startsAtCreate: Bool { self.provider.authorize == .direct || self.opensApp }

    var opensApp: Bool { self.provider.opensApp }

    var isEnabled: Bool { self.provider.isEnabled }

    /// The browsers on Android from which the e-ID's app finds its way back.
    var androidBrowsers: [String] { self.provider.eidApp.androidBrowsers }
}
