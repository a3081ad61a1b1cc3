import StrictJSON

/// Apple's link file: which links open which apps (`applinks`), and which apps may use what belongs to this host
/// (`webcredentials`; an ASWebAuthenticationSession with an https callback needs it, iOS 17.4).
///
/// https://developer.apple.com/documentation/xcode/supporting-associated-domains
package struct AppleAppSiteAssociation: Equatable, Sendable {
    package static let name = "apple-app-site-association"
    /// Apple reads no larger file. Google states no limit, and does not need a larger file either.
    package static let limit = 128 * 1024

    /// Some apps and their links; the first matching pattern decides.
    package struct Detail: Equatable, Sendable {
        package let appIDs: [String]
        package let patterns: [LinkPattern]
    }

    package let details: [Detail]
    package let webCredentials: [String]

    /// Returns nil if no app is on iOS.
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

    /// The file in both forms, one entry for each app ID. Phones up to iOS 12 know only `appID` and `paths`, and
    /// require an empty `apps`; later ones read `appIDs` and `components`.
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

    /// Returns true if a phone with this app would open the link in it.
    package func opens(_ path: String, in appID: String) -> Bool {
        self.details.contains { detail in
            guard detail.appIDs.contains(appID), let pattern = detail.patterns.first(where: { $0.fits(path) }) else {
                return false
            }
            return !pattern.isExcluded
        }
    }
}

// MARK: - Reading as a phone does

extension AppleAppSiteAssociation {
    /// Reads a file, perhaps of another server. Returns nil if it has another shape.
    package init?(reading json: JSON) {
        guard let entries = json["applinks"]?["details"]?.array else { return nil }
        self.details = entries.map { entry in
            let ids = (entry["appIDs"]?.array ?? []) + [entry["appID"]].compactMap { $0 }
            let components = entry["components"]?.array?.compactMap { LinkPattern(component: $0) }
            let paths = entry["paths"]?.array?.compactMap { $0.string.map { LinkPattern(path: $0) } }
            // If both are present, the older form is ignored.
            return Detail(appIDs: ids.compactMap(\.string), patterns: components ?? paths ?? [])
        }
        self.webCredentials = (json["webcredentials"]?["apps"]?.array ?? []).compactMap(\.string)
    }
}
