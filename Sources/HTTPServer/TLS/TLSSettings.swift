/// What a server that speaks TLS is told.
package struct TLSSettings: Sendable {
    /// The first is for clients that name no host, or one that none of them covers.
    package var identities: [TLSIdentity]
    package var clients: TLSClients

    package init(_ identities: [TLSIdentity], clients: TLSClients = .off) {
        self.identities = identities
        self.clients = clients
    }
}

/// Whether clients are asked for a certificate, and which authorities are believed.
package enum TLSClients: Sendable {
    case off
    /// A client without a certificate is accepted; one with a wrong certificate is not.
    case optional(Authorities)
    case required(Authorities)

    package struct Authorities: Sendable {
        let certificates: [Certificate]

        /// Nil unless there is at least one certificate in PEM, and none that cannot be read.
        package init?(pem: [UInt8]) {
            guard let certificates = Certificate.all(in: pem), !certificates.isEmpty else { return nil }
            self.certificates = certificates
        }
    }
}

/// Why a server cannot begin with its settings.
package enum TLSSettingsError: Error, Equatable, Sendable, CustomStringConvertible {
    case noIdentity
    /// OpenSSL's words.
    case refused(String)

    package var description: String {
        switch self {
        case .noIdentity: "TLS needs a certificate"
        case .refused(let reason): "OpenSSL refuses the settings of TLS: \(reason)"
        }
    }
}
