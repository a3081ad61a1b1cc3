/// An app that may start logins.
import Base
import Brokers
import Links
import Logins

extension Configuration {
    package struct App: Sendable {
        package let id: String
        /// By language, at least one.
        package let names: [String: String]
        /// Whether a request that names no app means this one.
        package let isDefault: Bool
        package let release: Release
        /// Those that it names; nil where it has the usual ones.
        package let providers: [String]?
        /// Of its own backend. Nil where it has none.
        package let apiKey: Secret?
        package let assertion: AssertionTerms
        /// How links begin that open it; those of its scheme are the last.
        package let returnPrefixes: [String]
        /// A scheme of its own, where links may not open it.
        package let returnScheme: String?
        /// Whether its scheme may carry a proof.
        package let provesOverScheme: Bool
        /// Of pages that may call the API.
        package let origins: [String]
        /// Team and bundle id.
        package let appleIDs: [String]
        package let androidApps: [AndroidApp]

        init(_ scope: SettingScope, _ files: NamedFiles) throws(SettingScope.AbsentError) {
            self.id = scope.name
            self.names = try scope.need("name", SettingScope.names)
            self.isDefault = scope.boolean("default") ?? false
            self.assertion = AssertionTerms(
                audience: scope.text("audience") ?? scope.name,
                type: try scope.need("assertion_typ", SettingScope.text),
                claims: try scope.need("assertion_claims", SettingScope.list).compactMap {
                    AssertionClaim(rawValue: $0)
                },
                encrypter: files.assertionRecipients[scope.name])
            self.providers = scope.list("providers")
            self.apiKey = scope.text("api_key").map { Secret($0) }
            let prefixes = scope.list("return_prefixes") ?? []
            self.returnScheme = scope.text("return_scheme")
            self.provesOverScheme = scope.boolean("proof_over_scheme") ?? false
            let isNamed = self.returnScheme.map { scheme in prefixes.contains { $0.hasPrefix("\(scheme):") } } ?? true
            self.returnPrefixes = prefixes + (isNamed ? [] : [self.returnScheme.map { "\($0):/" }].compactMap { $0 })
            self.origins = scope.list("origins") ?? []
            self.appleIDs = scope.list("ios.app_ids") ?? []
            self.androidApps = try scope.items("android").map { item throws(SettingScope.AbsentError) in
                AndroidApp(
                    package: try item.need("package", SettingScope.text),
                    fingerprints: try item.need("sha256_cert_fingerprints", SettingScope.list))
            }
            self.release = scope.appRelease
        }
    }
}

extension SettingScope {
    /// The rule of an app.
    var appRelease: Release {
        let hasLinks = self.list("return_prefixes")?.isEmpty == false || self.text("return_scheme") != nil
        return self.release("release") ?? (hasLinks ? .returnLink : .code)
    }

    func release(_ name: String) -> Release? {
        self.text(name).flatMap { Release(word: $0) }
    }
}

/// Which providers an app has, and what must be shown to get a result of each.
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
    /// What settings call each rule.
    static let words: KeyValuePairs<String, Release> = [
        "return_link": .returnLink, "code": .code, "immediate": .immediate,
    ]

    fileprivate init?(word: String) {
        guard let found = Self.words.first(where: { $0.key == word }) else { return nil }
        self = found.value
    }

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
