// The rules for DigiD that other parts of the configuration take part in: keys, and what apps release. `DigiDRules` has
// those of its own settings.

import Brokers

extension ConfigurationValidator {
    mutating func checkDigiD(_ broker: SettingScope) {
        guard broker.brokerKind == .digid, broker.isGiven("entity_id") else { return }
        // A file that was refused needs no second error.
        guard self.files.signingKeys.count == self.settings.server.keys.signing.count else { return }
        if !self.files.signingKeys.contains(where: { $0.fits(.rs256) }) {
            self.report(broker, "entity_id", "needs a key in keys.signing that supports RS256")
        }
    }
}

// MARK: - Providers

extension ConfigurationValidator {
    func isDigiD(_ provider: SettingScope) -> Bool { self.broker(of: provider)?.brokerKind == .digid }

    mutating func checkDigiD(of provider: SettingScope) {
        guard self.isDigiD(provider) else { return }
        guard !self.checkUnprovenRelease(of: provider) else { return }
        // This flow has no page that could show a code.
        if let release = provider.release("release") {
            if release == .code { self.reportCode(provider) }
        } else if self.owners(of: provider).contains(where: { $0.appRelease == .code }) {
            self.reportCode(provider)
        }
    }

    private mutating func reportCode(_ provider: SettingScope) {
        self.report(
            provider, "broker",
            "shows no page with a code: every app with this provider needs release: return_link or immediate")
    }

    /// Checks that no release waits for a proof that cannot come. Returns whether there can be none.
    private mutating func checkUnprovenRelease(of provider: SettingScope) -> Bool {
        guard let broker = self.broker(of: provider), DigiDKind.isUnproven(broker) else { return false }
        let advice =
            "nothing proves which device the user is on, because \(broker.path).artifact_proof is none. Set release: immediate of the provider, and name it in apps.*.providers"
        if let own = provider.release("release") {
            if own != .immediate { self.report(provider, "release", "must be immediate: \(advice)") }
        } else if let app = self.owners(of: provider).first(where: { $0.appRelease != .immediate }) {
            self.report(provider, "broker", "does not work with the release of \(app.path): \(advice)")
        }
        return true
    }
}
