/// How the content key of an encrypted token is transported, by its JOSE name (RFC 7518 §4.1).
///
/// RSA1_5 is not supported, because telling its errors apart breaks it (RFC 8725 §3.2). PBES2 is not supported either,
/// because its `p2c` lets a stranger decide how long we compute.
package enum KeyManagementAlgorithm: String, CaseIterable, Sendable {
    case rsaOAEP = "RSA-OAEP"
    case rsaOAEP256 = "RSA-OAEP-256"
    case ecdhES = "ECDH-ES"
    case ecdhESA128KW = "ECDH-ES+A128KW"
    case ecdhESA256KW = "ECDH-ES+A256KW"
    case direct = "dir"
}

extension KeyManagementAlgorithm {
    /// The cryptographic operation behind the name.
    enum Scheme {
        /// RSAES-OAEP with MGF1 of the same digest and no label (RFC 7518 §4.3).
        case rsaOAEP(OAEPDigest)
        /// The agreed key is the content key (RFC 7518 §4.6).
        case agreement
        /// The agreed key, with this many bytes, wraps the content key (RFC 3394).
        case agreementAndWrapping(byteCount: Int)
        /// A shared secret is the content key (RFC 7518 §4.5).
        case direct
    }

    /// SHA-1 is used only here: OAEP does not depend on collision resistance.
    enum OAEPDigest {
        case sha1
        case sha256
    }

    var scheme: Scheme {
        switch self {
        case .rsaOAEP: .rsaOAEP(.sha1)
        case .rsaOAEP256: .rsaOAEP(.sha256)
        case .ecdhES: .agreement
        case .ecdhESA128KW: .agreementAndWrapping(byteCount: 16)
        case .ecdhESA256KW: .agreementAndWrapping(byteCount: 32)
        case .direct: .direct
        }
    }

    /// Whether this algorithm can encrypt to a key of this kind.
    package func fits(_ kind: KeyKind) -> Bool {
        switch (self.scheme, kind) {
        case (.rsaOAEP, .rsa): true
        case (.agreement, .p256), (.agreement, .p384), (.agreement, .p521): true
        case (.agreementAndWrapping, .p256), (.agreementAndWrapping, .p384), (.agreementAndWrapping, .p521): true
        case (.rsaOAEP, _), (.agreement, _), (.agreementAndWrapping, _), (.direct, _): false
        }
    }
}
