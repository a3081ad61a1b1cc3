// An app that may start logins.

import Base
import Brokers
import Links
import Logins
import OpenIDConnect
import Sessions

extension Configuration {
    /// What its settings say by themselves is read by their declarations in `AppSettings`: `app.session`.
    @dynamicMemberLookup
    package struct App: Sendable {
        package let id: String
        private let settings: SettingValues<AppSettings>
        package let look: Look
        package let assertion: AssertionTerms
        package let androidApps: [AndroidApp]

        init(_ scope: SettingScope, _ files: ReferencedFiles) {
            self.id = scope.name
            self.settings = scope.values()
            self.look = Look(scope, self.settings.look, files)
            self.assertion = AssertionTerms(
                audience: self.settings.audience ?? scope.name, type: self.settings.assertionType,
                claims: self.settings.assertionClaims, encrypter: files.assertionRecipients[scope.name])
            self.androidApps = scope.androidPackages.map { $0.values() }.map { item in
                AndroidApp(package: item.package, fingerprints: item.fingerprints)
            }
        }

        package subscript<Value>(dynamicMember declaration: KeyPath<AppSettings, Setting<Value>>) -> Value {
            self.settings[dynamicMember: declaration]
        }

        package var release: ReleasePolicy {
            .usual(self.ownRelease, hasLinks: self.ownPrefixes?.isEmpty == false || self.returnScheme != nil)
        }

        /// The prefixes of links that open it; those of its scheme come last.
        package var returnPrefixes: [String] {
            let prefixes = self.ownPrefixes ?? []
            guard let scheme = self.returnScheme, !prefixes.contains(where: { $0.hasPrefix("\(scheme):") }) else {
                return prefixes
            }
            return prefixes + ["\(scheme):/"]
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
        /// The icon of the browser's tab.
        package let icon: LogoFile?
        package let font: FontFile?
        /// The radius of corners, in pixels.
        package let radius: Int?
        /// Whether the app's name stands below its logo.
        package let showsName: Bool
        /// Where users get help.
        package let supportURL: String?

        fileprivate init(
            _ scope: SettingScope, _ settings: SettingValues<LookSettings>, _ files: ReferencedFiles
        ) {
            self.accent = settings.accent
            self.accentDark = settings.accentDark
            self.logo = files.logos[scope.path.appending("look.logo")]
            self.logoDark = files.logos[scope.path.appending("look.logo_dark")]
            self.icon = files.logos[scope.path.appending("look.icon")]
            self.font = files.fonts[scope.name]
            self.radius = settings.radius
            self.showsName = settings.showsName
            self.supportURL = settings.supportURL
        }
    }
}

extension SettingScope {
    /// The release policy of an app.
    var appRelease: ReleasePolicy {
        .usual(
            self.release("release"),
            hasLinks: self.list("return_prefixes")?.isEmpty == false || self.text("return_scheme") != nil)
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
    /// Returns the policy of an app, which names none if `own` is nil.
    fileprivate static func usual(_ own: ReleasePolicy?, hasLinks: Bool) -> ReleasePolicy {
        own ?? (hasLinks ? .returnLink : .code)
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
