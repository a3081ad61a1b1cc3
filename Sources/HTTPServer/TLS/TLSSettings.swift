import Cryptography

/// The TLS settings of a server.
package struct TLSSettings: Sendable {
    /// The first one serves clients that name no host, or a host that no identity covers.
    package var identities: [TLSIdentity]
    package var clients: TLSClients

    package init(_ identities: [TLSIdentity], clients: TLSClients = .off) {
        self.identities = identities
        self.clients = clients
    }
}

/// Whether we ask clients for a certificate, and which authorities we trust.
package enum TLSClients: Sendable {
    case off
    /// A client without a certificate is accepted; one with a wrong certificate is not.
    case optional(Authorities)
    case required(Authorities)

    package struct Authorities: Sendable {
        let certificates: [Certificate]

        /// Returns nil unless there is at least one certificate in PEM and all of them can be read.
        package init?(pem: [UInt8]) {
            guard let certificates = Certificate.all(inPEM: pem), !certificates.isEmpty else { return nil }
            self.certificates = certificates
        }
    }
}
