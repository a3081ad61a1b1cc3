import StrictJSON

/// Google's link file, a list of statements: this app may open all links of this host (`handle_all_urls`), and may act
/// as this host towards its own Custom Tab (`use_as_origin`, for `postMessage`).
///
/// https://developers.google.com/digital-asset-links/v1/statements
package struct AssetLinks: Equatable, Sendable {
    package static let name = "assetlinks.json"
    package static let opensLinks = "delegate_permission/common.handle_all_urls"
    package static let actsAsOrigin = "delegate_permission/common.use_as_origin"

    package struct Statement: Equatable, Sendable {
        package let relations: [String]
        package let package: String
        package let fingerprints: [String]
    }

    package let statements: [Statement]

    /// Returns nil if no app is on Android.
    package init?(_ links: AppLinks) {
        let apps = links.apps.flatMap(\.androidApps)
        guard !apps.isEmpty else { return nil }
        self.statements = apps.map {
            Statement(
                relations: [Self.opensLinks, Self.actsAsOrigin], package: $0.package, fingerprints: $0.fingerprints)
        }
    }

    package var json: JSON {
        .array(
            self.statements.map { statement in
                [
                    "relation": .array(statement.relations.map { .string($0) }),
                    "target": [
                        "namespace": "android_app", "package_name": .string(statement.package),
                        "sha256_cert_fingerprints": .array(statement.fingerprints.map { .string($0) }),
                    ],
                ]
            })
    }

    /// Reads a file, perhaps of another server. Returns nil if it is not a list. Ignores statements not about apps.
    package init?(reading json: JSON) {
        guard let entries = json.array else { return nil }
        self.statements = entries.compactMap { entry in
            guard let target = entry["target"], target["namespace"]?.string == "android_app",
                let package = target["package_name"]?.string
            else { return nil }
            return Statement(
                relations: (entry["relation"]?.array ?? []).compactMap(\.string), package: package,
                fingerprints: (target["sha256_cert_fingerprints"]?.array ?? []).compactMap(\.string))
        }
    }

    /// Returns those fingerprints of the app that no statement with this relation lists.
    package func missing(_ app: AndroidApp, for relation: String) -> [String] {
        let listedFingerprints = self.statements.filter { $0.package == app.package && $0.relations.contains(relation) }
            .flatMap(\.fingerprints)
        return app.fingerprints.filter { !listedFingerprints.contains($0) }
    }
}
