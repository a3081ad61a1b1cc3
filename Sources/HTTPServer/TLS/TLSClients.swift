/// Whether clients are asked for a certificate, and which authorities are believed.
package enum TLSClients: Sendable {
    case off
    /// Who shows none is welcome; who shows a wrong one is not.
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
