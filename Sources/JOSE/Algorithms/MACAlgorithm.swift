import Base
import Cryptography

/// The signature algorithms with a shared secret, by their JOSE names (RFC 7518 §3.2).
///
/// They are separate from `SignatureAlgorithm`, and a secret is separate from every key set. So a published key can
/// never be taken for a secret (RFC 8725 §2.1).
package enum MACAlgorithm: String, CaseIterable, Sendable {
    case hs256 = "HS256"
    case hs384 = "HS384"
    case hs512 = "HS512"

    var digest: Digest {
        switch self {
        case .hs256: .sha256
        case .hs384: .sha384
        case .hs512: .sha512
        }
    }

    /// Whether the secret is at least as long as the digest (RFC 7518 §3.2).
    package func fits(_ secret: Secret) -> Bool { secret.count >= self.digest.byteCount }

    func code(_ message: [UInt8], _ secret: Secret) -> [UInt8] { HMAC.code(message, key: secret, self.digest) }
}
