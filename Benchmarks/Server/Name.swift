import Base
import Cryptography

/// A login of an app: its poll secret and the ID derived from it, made before the clock runs.
struct Name {
    let id: String
    let secret: String

    init() {
        let secret = RandomBytes.make(32)
        self.secret = Base64URL.encode(secret)
        self.id = Base64URL.encode(Array(HMAC.code(Array("id".utf8), key: Secret(secret)).prefix(16)))
    }

    static func make(_ count: Int) -> [Name] { (0..<count).map { _ in Name() } }
}
