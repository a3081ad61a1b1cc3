/// Apple's link file: which links open which apps (`applinks`), and which apps may be given what belongs to this host
/// (`webcredentials`, asked for by the https callback of an ASWebAuthenticationSession, iOS 17.4).
///
/// https://developer.apple.com/documentation/xcode/supporting-associated-domains
import StrictJSON

package struct AppleAppSiteAssociation: Equatable, Sendable {
    package static let name = "apple-app-site-association"
    /// Apple reads no more; Google has no such number, and no reason for a larger file either.
    package static let limit = 128 * 1024

    /// Some apps and their links; the first pattern that fits decides.
    package struct Detail: Equatable, Sendable {
        package let appIDs: [String]
        package let patterns: [LinkPattern]
    }

    package let details: [Detail]
    package let webCredentials: [String]

    /// Nil when no app is on iOS.
    package init?(_ links: AppLinks) {
        let apps = links.apps.filter { !$0.appleIDs.isEmpty }
        guard !apps.isEmpty else { return nil }
        self.details = apps.map { app in
            Detail(
                appIDs: app.appleIDs,
                patterns: (app.prefixes.map { "\($0)*" } + links.callbacks).map { LinkPattern($0) })
        }
        self.webCredentials = apps.flatMap(\.appleIDs)
    }

    /// Both forms, in one entry for each app id: up to iOS 12 a phone knows `appID` and `paths` only, and wants an empty
    /// `apps`; later ones look at `appIDs` and `components`.
    package var json: JSON {
        let details = self.details.flatMap { detail in
            detail.appIDs.map { id -> JSON in
                [
                    "appIDs": [.string(id)],
                    "components": .array(detail.patterns.map { ["/": .string($0.text)] }),
                    "appID": .string(id),
                    "paths": .array(detail.patterns.map { .string($0.text) }),
                ]
            }
        }
        return [
            "applinks": ["apps": [], "details": .array(details)],
            "webcredentials": ["apps": .array(self.webCredentials.map { .string($0) })],
        ]
    }

    /// True when a phone with this app would open the link in it.
    package func opens(_ path: String, in appID: String) -> Bool {
        self.details.contains { detail in
            guard detail.appIDs.contains(appID), let pattern = detail.patterns.first(where: { $0.fits(path) }) else {
                return false
            }
            return !pattern.isExcluded
        }
    }
}

// MARK: - As a phone reads it

extension AppleAppSiteAssociation {
    /// A file that may be another server's; nil when it has another shape.
    package init?(reading json: JSON) {
        guard let entries = json["applinks"]?["details"]?.array else { return nil }
        self.details = entries.map { entry in
            let ids = (entry["appIDs"]?.array ?? []) + [entry["appID"]].compactMap { $0 }
            let components = entry["components"]?.array?.compactMap { LinkPattern(component: $0) }
            let paths = entry["paths"]?.array?.compactMap { $0.string.map { LinkPattern(path: $0) } }
            // Where there are both, the older form is not looked at.
            return Detail(appIDs: ids.compactMap(\.string), patterns: components ?? paths ?? [])
        }
        self.webCredentials = (json["webcredentials"]?["apps"]?.array ?? []).compactMap(\.string)
    }
}
