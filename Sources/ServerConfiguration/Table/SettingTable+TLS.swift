// The settings of TLS.

extension SettingTable {
    static let tls: [Setting<SettingValue>] = [
        Setting(
            "tls.certificate", .file, .optional,
            "The server's certificate in PEM, followed by the intermediate certificates. With it and tls.key the server speaks only https on listen."
        ),
        Setting(
            "tls.key", .file, .optional,
            "The private key of tls.certificate, in PEM without a password."),
        Setting(
            "tls.more[].certificate", .file, .optional,
            "A certificate for other host names. Clients that ask for one of its names get it, and all others get tls.certificate."
        ),
        Setting(
            "tls.more[].key", .file, .optional,
            "The private key of this certificate, in PEM without a password."),
        Setting(
            "tls.client_certificates", .choice(Configuration.TLS.ClientCertificates.allCases.map(\.rawValue)),
            .value("off"),
            "Whether the server asks clients for a certificate: off, optional (a client may send none, but an invalid one is refused) or required."
        ),
        Setting(
            "tls.client_ca", .file, .optional,
            "The certificate authorities of client certificates, in PEM."),
    ]
}
