import Cryptography

/// The signature algorithms that we make and accept, by their JOSE names (RFC 7518 §3.1, RFC 8037 §3.1, RFC 9864 §2.2).
///
/// `none` is not among them, nor are the HMAC algorithms (see `MACAlgorithm`).
package enum SignatureAlgorithm: String, CaseIterable, Sendable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case edDSA = "EdDSA"
    /// The same as `EdDSA`, under the name that also gives the curve (RFC 9864).
    case ed25519 = "Ed25519"
}

extension SignatureAlgorithm {
    /// The cryptographic operation behind the name.
    enum Scheme: Equatable {
        /// RSASSA-PKCS1-v1_5.
        case rsa(Digest)
        /// RSASSA-PSS with MGF1 of the same digest and a salt as long as the digest (RFC 7518 §3.5).
        case rsaPSS(Digest)
        case ecdsa(Curve, Digest)
        case ed25519
    }

    var scheme: Scheme {
        switch self {
        case .rs256: .rsa(.sha256)
        case .rs384: .rsa(.sha384)
        case .rs512: .rsa(.sha512)
        case .ps256: .rsaPSS(.sha256)
        case .ps384: .rsaPSS(.sha384)
        case .ps512: .rsaPSS(.sha512)
        case .es256: .ecdsa(.p256, .sha256)
        case .es384: .ecdsa(.p384, .sha384)
        case .es512: .ecdsa(.p521, .sha512)
        case .edDSA, .ed25519: .ed25519
        }
    }

    /// Whether a key of this kind can have made such a signature. For ECDSA, JOSE binds each digest to one curve.
    func fits(_ kind: KeyKind) -> Bool {
        switch (self.scheme, kind) {
        case (.rsa, .rsa), (.rsaPSS, .rsa), (.ed25519, .ed25519): true
        case (.ecdsa(let curve, _), _): curve.kind == kind
        case (.rsa, _), (.rsaPSS, _), (.ed25519, _): false
        }
    }
}
