import Base
import Cryptography

/// The pseudonyms of users in the audit: an HMAC of `sub` under a use of the server key of its own.
///
/// Nobody without the server key can tell whose records they are, even by trying every `sub`. A person keeps the name
/// until the server key is replaced.
package struct AuditNames: Sendable {
    private static let byteCount = 16

    private let key: HMACKey

    package init(_ serverKey: Secret) {
        self.key = HMACKey(HKDF.derive(32, from: serverKey, info: Array("switchback/1/audit".utf8)))
    }

    /// Returns the name of the user with this `sub`.
    package func name(of subject: String) -> String {
        Base64URL.encode(self.key.code { $0.append(subject) }.array(Self.byteCount))
    }
}
