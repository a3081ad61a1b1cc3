import Base
import Cryptography

/// Names people by an HMAC of the number that a state gave them.
///
/// There are few such numbers: a bare hash of a CPR number, a personnummer or a BSN is undone within seconds by trying
/// all of them. Somebody who has the names but not this key learns no number. The key never rotates, because accounts
/// have these names.
package final class PersonKey: Equatable, Sendable {
    package static let byteCount = 32

    private let key: HMACKey

    /// Returns nil unless there are exactly 32 bytes.
    package init?(_ secret: Secret) {
        guard secret.count == Self.byteCount else { return nil }
        self.key = HMACKey(HKDF.derive(32, from: secret, info: Array("switchback/person/1".utf8)))
    }

    /// Returns base64url(HMAC-SHA-256(key, namespace ‖ 0 ‖ number)). No namespace contains a zero byte.
    func name(_ number: String, in namespace: String) -> String {
        let code = self.key.code { message in
            message.append(namespace)
            message.append([0])
            message.append(number)
        }
        return Base64URL.encode(code.array())
    }

    package static func == (one: PersonKey, other: PersonKey) -> Bool {
        one === other || one.name("", in: "") == other.name("", in: "")
    }
}
