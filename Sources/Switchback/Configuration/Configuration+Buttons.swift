/// Which providers an app has, and what must be shown to get a result of each.
import Brokers
import Logins

extension Configuration {
    /// The rule of each provider that the app has.
    package func releases(of app: App) -> [String: Release] {
        Dictionary(
            uniqueKeysWithValues: self.providers.compactMap { provider in
                Release.rule(
                    of: app.release, own: self.releases[provider.id], isNamed: app.providers?.contains(provider.id)
                ).map { (provider.id, $0) }
            })
    }
}

extension Release {
    /// What a login by a provider with an `own` rule demands in an app with the rule `app`; nil where the app has no such
    /// button. `isNamed` is nil where the app names none.
    ///
    /// A provider whose rule is weaker than the app's belongs to the app only if the app names it: or else one weak button
    /// would open every app.
    static func rule(of app: Release, own: Release?, isNamed: Bool?) -> Release? {
        guard isNamed ?? own.map({ !$0.isWeaker(than: app) }) ?? true else { return nil }
        return own ?? app
    }
}
