// An app that may start logins.

import Base
import Brokers
import Links
import Logins
import OpenIDConnect
import Sessions

extension Configuration {
    package struct App: Sendable {
        package let id: String
        /// By language, at least one.
        package let names: [String: String]
        package let look: Look
        /// Whether a request that names no app means this one.
        package let isDefault: Bool
        package let release: ReleasePolicy
        /// How long a result waits for its proof.
        package let returnTimeout: Duration
        /// The providers that it names; nil if it has the default ones.
        package let providers: [String]?
        /// The key of its own backend; nil if it has none.
        package let apiKey: Secret?
        package let assertion: AssertionTerms
        /// What its logins may become.
        package let session: SessionLevel
        /// Set if its logins may become something.
        package let sessionAudience: String?
        /// Whether a login that was proved with the page's code may become a session.
        package let allowsSessionByCode: Bool
        /// Whether a login without a key gets a bearer token.
        package let allowsBearer: Bool
        package let attestation: AttestationTerms
        /// The prefixes of links that open it; those of its scheme come last.
        package let returnPrefixes: [String]
        /// Its own scheme, for phones on which links do not open it.
        package let returnScheme: String?
        /// Whether its scheme may carry a proof.
        package let provesOverScheme: Bool
        /// The origins of pages that may call the API.
        package let origins: [String]
        /// Team id and bundle id.
        package let appleIDs: [String]
        package let androidApps: [AndroidApp]

        init(_ scope: SettingScope, _ files: ReferencedFiles) throws(ConfigurationError) {
            self.id = scope.name
            self.names = try scope.need("name", SettingScope.names)
            self.look = Look(scope, files)
            self.isDefault = scope.boolean("default") ?? false
            self.assertion = AssertionTerms(
                audience: scope.text("audience") ?? scope.name,
                type: try scope.need("assertion_typ", SettingScope.text),
                claims: try scope.need("assertion_claims", SettingScope.list).compactMap {
                    AssertionClaim(rawValue: $0)
                },
                encrypter: files.assertionRecipients[scope.name])
            self.session = try scope.need("session", SettingScope.choice)
            self.sessionAudience = scope.text("session_audience")
            self.allowsSessionByCode = scope.boolean("session_by_code") ?? false
            self.allowsBearer = scope.boolean("bearer") ?? false
            self.attestation = try AttestationTerms(scope)
            self.providers = scope.list("providers")
            self.apiKey = scope.text("api_key").map { Secret($0) }
            let prefixes = scope.list("return_prefixes") ?? []
            self.returnScheme = scope.text("return_scheme")
            self.provesOverScheme = scope.boolean("proof_over_scheme") ?? false
            let isNamed = self.returnScheme.map { scheme in prefixes.contains { $0.hasPrefix("\(scheme):") } } ?? true
            self.returnPrefixes = prefixes + (isNamed ? [] : [self.returnScheme.map { "\($0):/" }].compactMap { $0 })
            self.origins = scope.list("origins") ?? []
            self.appleIDs = scope.list("ios.app_ids") ?? []
            self.androidApps = try scope.items("android").map { item throws(ConfigurationError) in
                AndroidApp(
                    package: try item.need("package", SettingScope.text),
                    fingerprints: try item.need("sha256_cert_fingerprints", SettingScope.list))
            }
            self.release = scope.appRelease
            self.returnTimeout = try scope.need("return_timeout", SettingScope.seconds)
        }
    }
}

/// The links to an app's own web pages.
extension Configuration.App {
    /// The first return prefix on one of the app's origins, where a login of its web page ends.
    package var pagePrefix: String? { Self.pagePrefix(in: self.returnPrefixes, on: self.origins) }

    static func pagePrefix(in prefixes: [String], on origins: [String]) -> String? {
        prefixes.first { prefix in EndpointURL(prefix).map { origins.contains($0.origin) } ?? false }
    }

    /// Returns whether a link can lead to the pages of this origin. None leads to those inside a hybrid app.
    package static func isLinkable(_ origin: String) -> Bool {
        EndpointURL(origin).map { !$0.isOfHybridApps } ?? false
    }
}

extension EndpointURL {
    /// Whether every hybrid app has pages on this host. With a port it is somebody's development server.
    var isOfHybridApps: Bool {
        self.scheme == .https && self.port == 443 && (self.isLoopback || self.host.hasSuffix(".localhost"))
    }
}

/// How an app looks on the pages.
extension Configuration.App {
    package struct Look: Equatable, Sendable {
        /// On light pages and on dark ones. Nil is the usual colour.
        package let accent: PageColor?
        package let accentDark: PageColor?
        package let logo: LogoFile?
        package let logoDark: LogoFile?
        /// Where users get help.
        package let supportURL: String?

        init(_ scope: SettingScope, _ files: ReferencedFiles) {
            self.accent = scope.text("look.accent").flatMap { PageColor($0) }
            self.accentDark = scope.text("look.accent_dark").flatMap { PageColor($0) }
            self.logo = files.logos[scope.path.appending("look.logo")]
            self.logoDark = files.logos[scope.path.appending("look.logo_dark")]
            self.supportURL = scope.text("look.support_url")
        }
    }
}

extension SettingScope {
    /// The release policy of an app.
    var appRelease: ReleasePolicy {
        let hasLinks = self.list("return_prefixes")?.isEmpty == false || self.text("return_scheme") != nil
        return self.release("release") ?? (hasLinks ? .returnLink : .code)
    }

    func release(_ name: String) -> ReleasePolicy? {
        self.text(name).flatMap { ReleasePolicy(word: $0) }
    }
}

/// The providers of an app, and the release policy of each.
extension Configuration {
    /// Returns the release policy of each provider that the app has.
    package func releases(of app: App) -> [String: ReleasePolicy] {
        Dictionary(
            uniqueKeysWithValues: self.providers.compactMap { provider in
                ReleasePolicy.rule(
                    of: app.release, own: self.releases[provider.id], isNamed: app.providers?.contains(provider.id)
                ).map { (provider.id, $0) }
            })
    }
}

extension ReleasePolicy {
    /// The names of the policies in settings.
    static let words: KeyValuePairs<String, ReleasePolicy> = [
        "return_link": .returnLink, "code": .code, "immediate": .immediate,
    ]

    fileprivate init?(word: String) {
        guard let match = Self.words.first(where: { $0.key == word }) else { return nil }
        self = match.value
    }

    /// Returns the policy for a provider with the policy `own` in an app with the policy `app`; nil if the app does not
    /// have the provider. `isNamed` is nil if the app names no providers.
    ///
    /// A provider whose policy is weaker than the app's belongs to the app only if the app names it. Otherwise one weak
    /// provider would open every app.
    static func rule(of app: ReleasePolicy, own: ReleasePolicy?, isNamed: Bool?) -> ReleasePolicy? {
        guard isNamed ?? own.map({ !$0.isWeaker(than: app) }) ?? true else { return nil }
        return own ?? app
    }
}
