/// The settings of TLS.
extension Setting {
    static let tls: [Setting] = [
        Setting(
            "tls.certificate", .file, .optional,
            "The certificate of this server in PEM, and after it those that lead to its authority; with it and tls.key listen speaks https, and nothing else."
        ),
        Setting(
            "tls.key", .file, .optional,
            "The private key of tls.certificate, in PEM without a password."),
        Setting(
            "tls.more[].certificate", .file, .optional,
            "A certificate for further host names; it is shown to who asks for one of its names, and the first to all others."
        ),
        Setting(
            "tls.more[].key", .file, .optional,
            "The private key of that certificate."),
        Setting(
            "tls.client_certificates", .choice(Configuration.TLS.ClientCertificates.allCases.map(\.rawValue)),
            .value("off"),
            "Whether clients are asked for a certificate: off, optional (a wrong one is refused, none is not) or required."
        ),
        Setting(
            "tls.client_ca", .file, .optional,
            "The authorities of client certificates, in PEM."),
    ]
}
