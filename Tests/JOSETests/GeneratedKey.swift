import JOSE
import Synchronization

/// Keys for the tests, generated once of each kind, because an RSA key takes time.
enum GeneratedKey {
    private static let made = Mutex<[String: PrivateKey]>([:])

    /// Returns the same key for the same kind and name.
    static func of(_ kind: KeyKind, named name: String = "one") throws -> PrivateKey {
        try self.made.withLock { made in
            if let key = made["\(kind) \(name)"] { return key }
            let key = try PrivateKey.generate(kind)
            made["\(kind) \(name)"] = key
            return key
        }
    }
}

extension KeyKind {
    /// One of each.
    static let examples: [KeyKind] = [.rsa(bits: 2048), .p256, .p384, .p521, .ed25519]
}
