import Base
import JOSE
import StrictJSON

/// Issues access tokens (RFC 9068) and verifies them again.
struct AccessTokenIssuer {
    /// The `acr` of a token after an unlock. A PIN never stands for the level of an e-ID.
    static let unlockClass = "urn:switchback:unlock"

    private static let type = "at+jwt"
    private static let idByteCount = 16

    private let configuration: SessionConfiguration

    init(_ configuration: SessionConfiguration) { self.configuration = configuration }

    /// Returns nil if libcrypto does not sign, which should not happen.
    func issue(_ content: AccessTokenContent, at now: Timestamp) -> String? {
        let token = try? self.configuration.signer.sign(payload: self.claims(content, at: now), type: Self.type)
        return token.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The claims of RFC 9068 §2.2. `acr`, `amr` and `auth_time` tell of one authentication: the e-ID's, or the unlock
    /// after it (§2.2.1). A new token does not change them.
    private func claims(_ content: AccessTokenContent, at now: Timestamp) -> [UInt8] {
        let login = content.login
        var claims = JSONObjectWriter()
        claims.add("iss", self.configuration.issuer)
        claims.add("aud", content.terms.audience)
        claims.add("client_id", content.terms.app)
        claims.add("sub", content.subject.exposedText)
        claims.add("iat", now.seconds)
        claims.add("exp", (now + self.configuration.rules.accessTokenLifetime).seconds)
        claims.add("jti", Base64URL.encode(RandomBytes.make(Self.idByteCount)))
        claims.add("sid", content.session.text)
        if let unlockedAt = content.unlockedAt {
            claims.add("acr", Self.unlockClass)
            claims.add("auth_time", unlockedAt.seconds)
        } else {
            if let acr = login.acr { claims.add("acr", acr) }
            if let time = login.authTime { claims.add("auth_time", time.seconds) }
        }
        let methods = Self.methods(content)
        if !methods.isEmpty { claims.add("amr", methods) }
        if let thumbprint = content.thumbprint { claims.add("cnf") { $0.add("jkt", thumbprint) } }
        claims.add("login") { members in
            members.add("provider", login.provider)
            if let acr = login.acr { members.add("acr", acr) }
            if let time = login.authTime { members.add("auth_time", time.seconds) }
            members.add("proof", login.proof.rawValue)
        }
        return claims.finish()
    }

    /// The words of RFC 8176. `hwk` needs an attestation of the key.
    private static func methods(_ content: AccessTokenContent) -> [String] {
        let methods = content.unlockedAt == nil ? content.login.amr : ["pin"]
        guard content.thumbprint != nil else { return methods }
        let key = content.attestation == .key ? "hwk" : "pop"
        return methods.contains(key) ? methods : methods + [key]
    }

    /// Returns what a token of ours says, even after its time.
    func read(_ text: String) -> AccessTokenClaims? {
        // Anyone can send us a token, and its header must not push those of brokers out of the cache.
        guard let token = try? CompactJWS(parsing: text, isFromAnyone: true),
            // RFC 9068 §4: our assertions have another type, and must not pass for access tokens.
            let type = token.header.type?.lowercased(), [Self.type, "application/\(Self.type)"].contains(type),
            let verified = try? token.verified(
                with: self.configuration.verificationKeys, allowing: Set(SignatureAlgorithm.allCases)),
            let claims = verified.claims()
        else { return nil }
        return self.claims(claims)
    }

    private func claims(_ claims: JSON.Object) -> AccessTokenClaims? {
        guard let issuer = claims["iss"]?.string, identical(issuer, self.configuration.issuer),
            let app = claims["client_id"]?.string, let terms = self.configuration.terms[app],
            let audience = claims["aud"]?.string, identical(audience, terms.audience),
            let session = claims["sid"]?.string.flatMap({ SessionID($0) }),
            let subject = claims["sub"]?.string, let expiry = claims["exp"]?.integer
        else { return nil }
        return AccessTokenClaims(
            sessionID: session, app: app, subject: Secret(subject), thumbprint: claims["cnf"]?["jkt"]?.string,
            expiresAt: Timestamp(seconds: expiry))
    }
}

/// What an access token says about a session.
struct AccessTokenContent {
    let session: SessionID
    let terms: SessionTerms
    let subject: Secret
    /// Nil for a bearer token.
    let thumbprint: String?
    let login: SessionLogin
    /// The last unlock since the e-ID login, if there was one.
    let unlockedAt: Timestamp?
    let attestation: SessionAttestation
}
