/// The signature algorithms of a shared secret, by their JOSE names (RFC 7518 §3.2).
import Base
import Cryptography

/// They are apart from `SignatureAlgorithm`, and a secret is apart from every key set, so that a published key can
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

    /// RFC 7518 §3.2: a key at least as long as the digest.
    package func fits(_ secret: Secret) -> Bool { secret.count >= self.digest.byteCount }

    func code(_ message: [UInt8], _ secret: Secret) -> [UInt8] { HMAC.code(message, key: secret, self.digest) }
}
