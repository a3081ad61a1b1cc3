import Base
import Cryptography
import JOSE
import StrictJSON

/// The key of a phone: it makes DPoP proofs (RFC 9449 §4.2) as an app does, and wrong ones as tests need them.
package struct PhoneKey: Sendable {
    /// What proves the PIN in a proof.
    package struct PIN: Sendable {
        package let secret: Secret
        package let session: String

        package init(_ secret: Secret, session: String) {
            self.secret = secret
            self.session = session
        }
    }

    /// What a proof says, before it is signed.
    package struct Parts: Sendable {
        package var header: JSON.Object
        package var claims: JSON.Object
    }

    private let key: PrivateKey

    package init() throws { self.key = try PrivateKey.generate(.p256) }

    private var jwk: JWK { self.key.publicKey.jwk(keyID: nil, use: nil) }

    /// RFC 7638.
    package var thumbprint: String { self.jwk.thumbprint }

    package var pem: Secret { self.key.pem }

    /// The id of the key's session: one key of an app has one session.
    package func sessionID(app: String) -> String {
        let text = Array("session".utf8) + Array(app.utf8) + Array(self.thumbprint.utf8)
        return Base64URL.encode(Digest.sha256.hash(text).prefix(16))
    }

    /// Returns a proof for one request. `change` makes it a wrong one.
    package func proof(
        _ method: String, _ url: String, nonce: String?, accessToken: String? = nil, pin: PIN? = nil,
        issuedAt: Timestamp = WallClock.now(), change: (inout Parts) -> Void = { _ in }
    ) throws -> String {
        let id = Base64URL.encode(RandomBytes.make(16))
        var parts = Parts(
            header: ["typ": "dpop+jwt", "alg": "ES256", "jwk": self.jwk.json],
            claims: [
                "jti": .string(id), "htm": .string(method), "htu": .string(url), "iat": .integer(issuedAt.seconds),
            ])
        if let nonce { parts.claims["nonce"] = .string(nonce) }
        if let accessToken {
            parts.claims["ath"] = .string(Base64URL.encode(Digest.sha256.hash(Array(accessToken.utf8))))
        }
        if let pin, let nonce {
            let said = Array(("switchback/unlock/1" + pin.session + nonce + id).utf8)
            parts.claims["pin_proof"] = .string(Base64URL.encode(HMACKey(pin.secret).code(said)))
        }
        change(&parts)
        let input = [parts.header, parts.claims].map { Base64URL.encode(JSON.object($0).encoded()) }
            .joined(separator: ".")
        return input + "." + Base64URL.encode(try self.key.sign(Array(input.utf8), with: .es256))
    }
}
