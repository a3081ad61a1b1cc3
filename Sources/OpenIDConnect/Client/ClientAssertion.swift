/// The signed statement of `private_key_jwt` and `client_secret_jwt` (RFC 7523 §3, Core 9): who we are, to whom we say
/// it, once.
import Base
import StrictJSON

struct ClientAssertion {
    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    static let lifetime = 60

    let clientID: String
    /// One text and not a list: the issuer as the only value, where it is the issuer.
    let audience: String
    let now: Timestamp

    var claims: JSON.Object {
        [
            "iss": .string(self.clientID), "sub": .string(self.clientID), "aud": .string(self.audience),
            "jti": .string(Base64URL.encode(RandomBytes.make(16))), "iat": .integer(self.now.seconds),
            "exp": .integer(self.now.seconds + Self.lifetime),
        ]
    }
}
