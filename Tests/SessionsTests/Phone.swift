import Base
import Cryptography
import JOSE
import StrictJSON

@testable import Sessions

/// An app on a phone: its DPoP key, the proofs that it makes, and the secret of its PIN.
struct Phone: Sendable {
    let key: PrivateKey
    let jwk: JWK
    var pinSecret = Secret(RandomBytes.make(32))

    init() throws {
        self.key = try PrivateKey.generate(.p256)
        self.jwk = self.key.publicKey.jwk(keyID: nil, use: nil)
    }

    var thumbprint: String { self.jwk.thumbprint }

    func session(app: String = Example.app) -> SessionID { SessionID(app: app, thumbprint: self.thumbprint) }

    /// The header and the claims of a proof before it is signed.
    struct Draft {
        var header: JSON.Object
        var claims: JSON.Object
    }

    func draft(
        method: String = "POST", url: String = Example.url, nonce: String?, jti: String = Self.makeID(),
        accessToken: String? = nil, pin: Secret? = nil, app: String = Example.app
    ) -> Draft {
        var claims: JSON.Object = [
            "jti": .string(jti), "htm": .string(method), "htu": .string(url), "iat": 1_562_262_616,
        ]
        if let nonce { claims["nonce"] = .string(nonce) }
        if let accessToken {
            claims["ath"] = .string(Base64URL.encode(Digest.sha256.hash(Array(accessToken.utf8))))
        }
        if let pin, let nonce {
            let code = PINSecret.proof(pin, of: self.session(app: app), nonce: nonce, jti: jti)
            claims["pin_proof"] = .string(Base64URL.encode(code))
        }
        return Draft(header: ["typ": "dpop+jwt", "alg": "ES256", "jwk": self.jwk.json], claims: claims)
    }

    func sign(_ draft: Draft, with other: PrivateKey? = nil) throws -> String {
        let input =
            Base64URL.encode(JSON.object(draft.header).encoded()) + "."
            + Base64URL.encode(JSON.object(draft.claims).encoded())
        let signature = try (other ?? self.key).sign(Array(input.utf8), with: .es256)
        return input + "." + Base64URL.encode(signature)
    }

    /// Returns a proof as the verifier would, without the cost of a signature.
    func proof(
        at time: Timestamp, jti: String = Self.makeID(), hasToken: Bool = false, pin: Secret? = nil,
        pinID: String? = nil, app: String = Example.app
    ) -> DPoPProof {
        let nonce = DPoPNonce.make(at: time, under: Example.key)
        let code = pin.map { PINSecret.proof($0, of: self.session(app: app), nonce: nonce, jti: jti) }
        let hash = Digest.sha256.hash(Array("\(self.thumbprint)\(nonce)\(jti)".utf8) + (code ?? []))
        return DPoPProof(
            thumbprint: self.thumbprint, nonceTime: time, nonce: nonce, jti: jti, hash: hash,
            accessTokenHash: hasToken ? hash : nil, pinProof: code, pinID: pinID)
    }

    static func makeID() -> String { Base64URL.encode(RandomBytes.make(16)) }
}
