import Base
import JOSE
import StrictJSON

/// What a userinfo response may look like, as agreed with the provider (Core 5.3.2).
package struct UserInfoRules: Sendable {
    package enum Format: String, CaseIterable, Sendable {
        case json
        /// A JWT that the provider signed.
        case signed
        /// A signed JWT, encrypted to us. We refuse claims that are only encrypted, because our public key is known to
        /// all.
        case encrypted
    }

    /// A response may have any of these formats.
    package var formats: Set<Format>
    /// Decrypts encrypted responses.
    package var decrypter: Decrypter?
    /// Other parties that may be in the audience of a signed JWT, if `azp` names us.
    package var trustedAudiences: [String] = []
    let jwt: JWTRules

    package init(
        issuer: String, clientID: String, formats: Set<Format> = [.json], algorithms: Set<SignatureAlgorithm>,
        decrypter: Decrypter? = nil, leeway: Int = 60, now: Timestamp
    ) {
        self.formats = formats
        self.decrypter = decrypter
        self.jwt = JWTRules(issuer: issuer, clientID: clientID, algorithms: algorithms, leeway: leeway, now: now)
    }

    /// Returns the value of `Accept`.
    static func mediaTypes(_ formats: Set<Format>) -> String {
        let types = [formats.contains(.json) ? "application/json" : nil, formats == [.json] ? nil : "application/jwt"]
        return types.compactMap(\.self).joined(separator: ", ")
    }

    /// Checks whom a signed JWT is for. Without `aud` the subject alone says that (Core 5.3.2).
    func checkParties(_ all: JSON.Object) throws(UserInfoError) {
        let parties = JWTParties(clientID: self.jwt.clientID, trusted: self.trustedAudiences)
        let claims = JWTClaims(all: all, wrongType: UserInfoError.rules(.claimType))
        let audience = try claims.texts("aud") ?? []
        guard parties.areTrusted(audience) else { throw .party(.foreignAudience) }
        let party = try claims.text("azp")
        if let problem = parties.problem(of: party, audience: audience) { throw .party(problem) }
    }

    /// Takes the text of a JWT, encrypted or not.
    func form(of compact: String) throws(JWTFormatError) -> JWTFormat {
        let isEncrypted = Decrypter.isEncrypted(compact)
        guard self.formats.contains(isEncrypted ? .encrypted : .signed) else {
            throw isEncrypted ? .encrypted : .notEncrypted
        }
        return JWTFormat(algorithms: self.jwt.algorithms, decrypter: isEncrypted ? self.decrypter : nil)
    }
}
