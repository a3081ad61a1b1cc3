import Base
import Cryptography
import JOSE
import StrictJSON

/// Verifies DPoP proofs, rule by rule in the order of RFC 9449 §4.3.
package struct DPoPVerifier: Sendable {
    static let byteLimit = 4096
    private static let type = "dpop+jwt"
    private static let idByteLimit = 256

    private let keys: SessionKeys
    private let now: Timestamp

    package init(keys: SessionKeys, at now: Timestamp) {
        self.keys = keys
        self.now = now
    }

    /// `headers` are all values of the request's DPoP header. Whether the access token is bound to the proof's key
    /// (the end of rule 12) is for the caller, which knows the token.
    package func verify(
        _ headers: [String], method: String, url: String, accessToken: String?
    ) throws(DPoPError) -> DPoPProof {
        guard let text = headers.first else { throw .missing }
        guard headers.count == 1 else { throw .several }
        let token = try Self.parse(text)
        let key = try Self.key(of: token)
        let claims = try Self.claims(of: token, signedBy: key)
        guard identical(claims.method, method) else { throw .method }
        // Most phones write the URL as we do.
        if !identical(claims.url, url) {
            guard let target = TargetURI(claims.url), target == TargetURI(url) else { throw .url }
        }
        guard let nonce = claims.nonce, let nonceTime = DPoPNonce.time(of: nonce, at: self.now, keys: self.keys) else {
            throw .nonce
        }
        let accessTokenHash = accessToken.map { Digest.sha256.hash(Array($0.utf8)) }
        if let accessTokenHash {
            guard let hash = claims.accessTokenHash, identical(hash, Base64URL.encode(accessTokenHash)) else {
                throw .accessTokenHash
            }
        }
        return DPoPProof(
            thumbprint: key.thumbprint, nonceTime: nonceTime, nonce: nonce, jti: claims.id,
            hash: Digest.sha256.hash(token.signingInput), accessTokenHash: accessTokenHash,
            pinProof: claims.pinProof, pinID: claims.pinID)
    }

    /// Rules 2, 4 and 5.
    private static func parse(_ text: String) throws(DPoPError) -> CompactJWS {
        guard text.utf8.count <= self.byteLimit, let token = try? CompactJWS(parsing: text, isFromAnyone: true) else {
            throw .malformed
        }
        guard token.header.type == self.type else { throw .wrongType }
        guard token.header.algorithm == SignatureAlgorithm.es256.rawValue else { throw .algorithm }
        return token
    }

    /// Rule 7. This is the only place that reads `jwk`: a proof names its own key, and only its thumbprint matters.
    private static func key(of token: CompactJWS) throws(DPoPError) -> JWK {
        guard let json = token.header.json["jwk"], let key = try? JWK(json), key.verifies(.es256) else { throw .key }
        return key
    }

    /// Rules 6 and 3.
    private static func claims(of token: CompactJWS, signedBy key: JWK) throws(DPoPError) -> Claims {
        guard let verified = try? token.verified(with: key, allowing: .es256) else { throw .signature }
        guard let members = verified.claims(), let claims = Claims(members) else { throw .malformed }
        return claims
    }

    /// The claims of RFC 9449 §4.2, and the proof of the PIN.
    private struct Claims {
        let id: String
        let method: String
        let url: String
        let nonce: String?
        let accessTokenHash: String?
        let pinProof: [UInt8]?
        let pinID: String?

        /// May be absent, but must be strings.
        private static let optional = ["nonce", "ath", "pin_proof", "pin_id"]

        /// Returns nil if one is missing or has the wrong form.
        init?(_ members: JSON.Object) {
            guard let id = members["jti"]?.string, (1...DPoPVerifier.idByteLimit).contains(id.utf8.count),
                let method = members["htm"]?.string, let url = members["htu"]?.string,
                // Its value is not judged, because the clocks of phones are wrong. The nonce says how old a proof is.
                members["iat"]?.number != nil,
                Self.optional.allSatisfy({ members[$0].map { $0.string != nil } ?? true })
            else { return nil }
            let pinProof = members["pin_proof"]?.string
            self.id = id
            self.method = method
            self.url = url
            self.nonce = members["nonce"]?.string
            self.accessTokenHash = members["ath"]?.string
            self.pinID = members["pin_id"]?.string
            self.pinProof = pinProof.flatMap { Base64URL.decode($0) }
            guard pinProof == nil || self.pinProof?.count == Digest.sha256.byteCount else { return nil }
        }
    }
}
