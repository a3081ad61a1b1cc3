/// What a userinfo answer may be, as was agreed with the provider (Core 5.3.2).
import Base
import JOSE

package struct UserInfoRules: Sendable {
    package enum Format: String, CaseIterable, Sendable {
        case json
        /// A JWT that the provider signed.
        case signed
        /// Such a JWT, encrypted to us. Claims that are only encrypted are not taken: our key is known to all.
        case encrypted
    }

    /// Any of them.
    package var formats: Set<Format>
    /// For what is encrypted.
    package var decrypter: Decrypter?
    /// Whether a signed one may be of the type of an access token (RFC 9068), as some providers make it.
    package var toleratesAccessTokenType = false
    let jwt: JWTRules

    package init(
        issuer: String, clientID: String, formats: Set<Format> = [.json], algorithms: Set<SignatureAlgorithm>,
        decrypter: Decrypter? = nil, leeway: Int = 60, now: Timestamp
    ) {
        self.formats = formats
        self.decrypter = decrypter
        self.jwt = JWTRules(issuer: issuer, clientID: clientID, algorithms: algorithms, leeway: leeway, now: now)
    }

    /// What to ask for.
    static func mediaTypes(_ formats: Set<Format>) -> String {
        let types = [formats.contains(.json) ? "application/json" : nil, formats == [.json] ? nil : "application/jwt"]
        return types.compactMap(\.self).joined(separator: ", ")
    }

    /// For a text that is a JWT, encrypted or not.
    func form(of compact: String) throws(JWTFormError) -> JWTForm {
        let isEncrypted = Decrypter.isEncrypted(compact)
        guard self.formats.contains(isEncrypted ? .encrypted : .signed) else {
            throw isEncrypted ? .encrypted : .notEncrypted
        }
        return JWTForm(
            types: self.toleratesAccessTokenType ? ["jwt", "at+jwt"] : ["jwt"], algorithms: self.jwt.algorithms,
            decrypter: isEncrypted ? self.decrypter : nil)
    }
}
