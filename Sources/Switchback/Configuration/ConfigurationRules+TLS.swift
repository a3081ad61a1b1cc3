/// What must be true of the settings of TLS together.
extension ConfigurationRules {
    mutating func checkTLS() {
        let tls = self.settings.tls
        self.checkPair(tls, "tls.")
        let more = self.settings.scopes("tls.more")
        for item in more { self.checkPair(item, "") }
        let isOn = self.settings.isGiven(tls.path.appending("certificate"))
        if !isOn, more.contains(where: { $0.text("certificate") != nil }) {
            self.report(tls, "more", "needs tls.certificate, which is shown to who asks for no name of these")
        }
        guard let clients: Configuration.TLS.ClientCertificates = tls.choice("client_certificates") else { return }
        let hasAuthority = self.settings.isGiven(tls.path.appending("client_ca"))
        switch clients {
        case .off:
            if hasAuthority {
                self.report(tls, "client_ca", "means nothing while tls.client_certificates is off")
            }
        case .optional, .required:
            if !isOn { self.report(tls, "client_certificates", "needs tls.certificate") }
            if !hasAuthority { self.report(tls, "client_ca", "is required for tls.client_certificates") }
        }
    }

    private mutating func checkPair(_ scope: SettingScope, _ prefix: String) {
        let hasCertificate = self.settings.isGiven(scope.path.appending("certificate"))
        let hasKey = self.settings.isGiven(scope.path.appending("key"))
        if hasCertificate, !hasKey { self.report(scope, "key", "is required for \(prefix)certificate") }
        if hasKey, !hasCertificate { self.report(scope, "certificate", "is required for \(prefix)key") }
    }
}

extension EffectiveSettings {
    var tls: SettingScope { SettingScope(self, SettingPath("tls")) }
}
