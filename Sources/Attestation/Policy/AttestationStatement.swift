/// What a phone states about an app or a key, in one of the formats that Web Authentication registers (§8).
package enum AttestationStatement: Equatable, Sendable {
    /// The names of the formats in the registry of Web Authentication (RFC 8809).
    package enum Format: String, CaseIterable, Sendable {
        case appAttest = "apple-appattest"
        case androidKey = "android-key"
    }

    /// The attestation object, and the key's id, which is the SHA-256 of its public key.
    case appAttest(object: [UInt8], keyID: [UInt8])
    /// The certificates in DER, the attested key's first.
    case androidKey(certificates: [[UInt8]])

    package var format: Format {
        switch self {
        case .appAttest: .appAttest
        case .androidKey: .androidKey
        }
    }
}
