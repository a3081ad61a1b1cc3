import Brokers
import Links
import LoginAPI
import ServerConfiguration

/// What must be registered at each broker and in each app, byte for byte, as `switchback check` prints it.
package enum RegistrationReport {
    package static func text(_ configuration: Configuration) -> String {
        let links = AppLinks(configuration)
        let apps = configuration.apps.compactMap { self.text($0, links) }
        let texts = configuration.brokers.map { self.text($0, configuration) } + apps
        let tokens = [self.assertions(configuration), self.accessTokens(configuration)].compactMap { $0 }
        return (texts + tokens).joined(separator: "\n")
    }

    /// What the apps' own APIs must know. Nil when there are no assertions.
    private static func assertions(_ configuration: Configuration) -> String? {
        guard !configuration.assertionKeys.isEmpty else { return nil }
        let lines = [
            "Assertions, for the APIs of the apps:", "  issuer: \(configuration.publicURL.text)",
            "  jwks URI: \(configuration.publicURL.text)\(PathPattern.assertionKeys.path)",
        ]
        let keys = configuration.assertionKeys.map { key in
            "  signed by: \(key.usualAlgorithm?.rawValue ?? ""), kid \(key.keyID)"
        }
        return (lines + keys).joined(separator: "\n") + "\n"
    }

    /// What the same APIs must know about access tokens. Nil when no app has sessions.
    private static func accessTokens(_ configuration: Configuration) -> String? {
        let apps = configuration.apps.filter { $0.session > .none }
        guard !apps.isEmpty else { return nil }
        let lines = [
            "Access tokens, for the APIs of the apps:", "  issuer: \(configuration.publicURL.text)",
            "  jwks URI: \(configuration.publicURL.text)\(PathPattern.accessKeys.path)",
        ]
        let keys = configuration.accessKeys.map { key in
            "  signed by: \(key.usualAlgorithm?.rawValue ?? ""), kid \(key.keyID)"
        }
        let audiences = apps.map { app in
            "  \(app.id): aud \(app.sessionAudience ?? ""), \(app.allowsBearer ? "bearer tokens" : "bound to a key (RFC 9449)")"
        }
        return (lines + keys + audiences).joined(separator: "\n") + "\n"
    }

    private static func text(_ broker: Configuration.Broker, _ configuration: Configuration) -> String {
        if let digid = broker.digid { return self.text(broker, digid, configuration) }
        var lines = [
            "Broker \(broker.id) (\(broker.issuer)), client \(broker.clientID):"
        ]
        lines += self.uris(of: broker, configuration)
        lines += [
            "  response mode: \(broker.responseMode.rawValue)",
            "  client authentication: \(broker.authentication.rawValue)",
        ]
        if broker.requestStyle != .plain { lines.append("  request style: \(broker.requestStyle.rawValue)") }
        let isEncrypted = broker.idTokenEncrypted || broker.userInfoFormat == .encrypted
        let signers = [
            ("client assertions", broker.assertionSigner), ("request objects", broker.requestObjectSigner),
        ]
        if isEncrypted || signers.contains(where: { $0.1?.jwk != nil }) {
            lines.append("  jwks URI: \(configuration.publicURL.text)\(PathPattern.clientKeys.path)")
        }
        for case (let what, let signer?) in signers {
            lines.append("  \(what): \(signer.algorithmName)\(signer.keyID.map { ", kid \($0)" } ?? "")")
        }
        if isEncrypted {
            let keys = configuration.decryptionKeys.map(\.keyID).joined(separator: ", ")
            lines.append("  encrypts for: kid \(keys)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func uris(of broker: Configuration.Broker, _ configuration: Configuration) -> [String] {
        (broker.portal.map { ["  entered at: \($0)"] } ?? [])
            + configuration.uris(of: broker).map { "  \($0.line)" }
    }

    /// What DigiD and the resolver must know.
    private static func text(
        _ broker: Configuration.Broker, _ digid: DigiDOptions, _ configuration: Configuration
    ) -> String {
        var lines = [
            "Broker \(broker.id) (\(digid.resolver)), client \(broker.clientID):"
        ]
        lines += self.uris(of: broker, configuration)
        lines += [
            "  client authentication: \(broker.authentication.rawValue)"
        ]
        if let apps = digid.thirdPartyApps {
            lines.append("  opens other apps: \(apps.links.map(\.text).joined(separator: ", "))")
            lines.append("  their artifact: \(apps.artifactParameter), proof \(apps.proof.rawValue)")
        }
        if let service = digid.service {
            let key = configuration.signingKeys.first { $0.fits(.rs256) }
            lines.append("  entity id: \(service.entityID)")
            lines.append("  requests: RS256, kid \(key?.keyID ?? "")")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns nil for an app that no link opens.
    private static func text(_ app: Configuration.App, _ links: AppLinks) -> String? {
        let paths = links.apps.first { $0.id == app.id }?.prefixes ?? []
        var lines: [String] = []
        if let host = links.origin?.host {
            for id in app.appleIDs {
                lines.append("  associated domains of \(id): applinks:\(host), webcredentials:\(host)")
            }
            let filters = paths.map { "pathPrefix \($0)" } + links.callbacks.map { "path \($0)" }
            for android in app.androidApps {
                lines.append(
                    "  intent filter of \(android.package), autoVerify: scheme https, host \(host), "
                        + filters.joined(separator: ", "))
            }
        }
        if let scheme = app.returnScheme {
            lines.append("  scheme, in the app's Info.plist and intent filter: \(scheme)")
        }
        return lines.isEmpty ? nil : "App \(app.id):\n" + lines.joined(separator: "\n") + "\n"
    }

    /// What the operator should consider before registering it.
    package static func warnings(_ configuration: Configuration) -> [Diagnostic] {
        self.missingLinks(configuration)
            + configuration.apps.filter(\.provesOverScheme).map { app in
                Diagnostic(
                    nil, "apps.\(app.id).proof_over_scheme",
                    "another app on the phone can claim the scheme too. It then gets the proof of a login that an attacker began and "
                        + "sent to the phone's owner, and the attacker is logged in as that user. Use https links where phones open them",
                    .warning)
            }
    }

    /// An e-ID's app returns to an https link only, so an app with nothing but a scheme gets no app switch.
    private static func missingLinks(_ configuration: Configuration) -> [Diagnostic] {
        configuration.apps.filter { $0.webLink == nil && !$0.returnPrefixes.isEmpty }.compactMap { app in
            let own = configuration.releases(of: app)
            let missingNames = configuration.brokers.compactMap { broker -> String? in
                let isUsed = configuration.providers.contains { $0.brokerID == broker.id && own[$0.id] != nil }
                return isUsed ? broker.returnLink.map { "\($0.name) of \(broker.id)" } : nil
            }
            guard !missingNames.isEmpty else { return nil }
            return Diagnostic(
                nil, "apps.\(app.id).return_prefixes",
                "has no https link, so no e-ID's app opens this app again (\(missingNames.joined(separator: ", "))): users switch by hand. Add one that opens the app",
                .warning)
        }
    }
}
