/// The certificates of this server, and whether it asks for those of clients.
package final class CertificateSettings: SettingGroup {
    package enum Clients: String, CaseIterable, Sendable {
        case off, optional, required
    }

    package let usual = CertificateFileSettings(
        "tls",
        certificate:
            "The server's certificate in PEM, followed by the intermediate certificates. With it and tls.key the server speaks only https on listen.",
        key: "The private key of tls.certificate, in PEM without a password.")
    package let more = SettingItems("tls.more") { item in
        CertificateFileSettings(
            item,
            certificate:
                "A certificate for other host names. Clients that ask for one of its names get it, and all others get tls.certificate.",
            key: "The private key of this certificate, in PEM without a password.")
    }
    package let clients = Setting<Clients>(
        "tls.client_certificates", .choice, default: .off,
        "Whether the server asks clients for a certificate: off, optional (a client may send none, but an invalid one is refused) or required."
    )
    package let clientAuthority = Setting<String?>(
        "tls.client_ca", optional: .file,
        "The certificate authorities of client certificates, in PEM.")

    package static let declared = CertificateSettings()
}

/// A certificate and its key.
package final class CertificateFileSettings: SettingDeclarations {
    package let certificate: Setting<String?>
    package let key: Setting<String?>

    fileprivate init(_ place: String, certificate: String, key: String) {
        self.certificate = Setting("\(place).certificate", optional: .file, certificate)
        self.key = Setting("\(place).key", optional: .file, key)
    }
}

extension EffectiveSettings {
    /// The settings of TLS, while the configuration is checked.
    var tls: SettingReader<CertificateSettings> { SettingReader(self) }
}
