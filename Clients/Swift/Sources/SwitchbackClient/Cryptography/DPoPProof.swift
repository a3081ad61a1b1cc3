import Foundation

/// What a DPoP proof says (RFC 9449 §4.2). It becomes a JWT that is signed with the session's key.
struct DPoPProof: Equatable, Sendable {
    let key: P256PublicKey
    let method: String
    /// The request's URL. Its query and fragment are left out of the proof.
    let url: URL
    /// A random id of the proof.
    let id: String
    /// Seconds since 1970.
    let issuedAt: Int
    var nonce: String?
    /// The access token of the same request.
    var accessToken: Secret?
    /// The proof that the user typed the PIN.
    var pinProof: String?
    /// Which PIN it was.
    var pinID: String?

    /// Header and payload as JWS wants them signed (RFC 7515 §5.1).
    var signingInput: String {
        let header = #"{"alg":"ES256","jwk":\#(self.key.json),"typ":"dpop+jwt"}"#
        return Base64URL.encode(header.utf8) + "." + Base64URL.encode(self.payload)
    }

    private struct Claims: Encodable {
        let ath: String?
        let htm: String
        let htu: String
        let iat: Int
        let jti: String
        let nonce: String?
        let pinProof: String?
        let pinID: String?

        enum CodingKeys: String, CodingKey {
            case ath, htm, htu, iat, jti, nonce
            case pinProof = "pin_proof"
            case pinID = "pin_id"
        }
    }

    private var payload: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let claims = Claims(
            ath: self.accessToken.map { Base64URL.encode(SHA256.hash(Array($0.exposed.utf8))) }, htm: self.method,
            htu: Self.target(self.url), iat: self.issuedAt, jti: self.id, nonce: self.nonce, pinProof: self.pinProof,
            pinID: self.pinID)
        // Texts and a number can always be encoded.
        return (try? encoder.encode(claims)) ?? Data()
    }

    /// RFC 9449 §4.2: the URL without query and fragment.
    static func target(_ url: URL) -> String {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        parts?.query = nil
        parts?.fragment = nil
        return parts?.string ?? url.absoluteString
    }
}
