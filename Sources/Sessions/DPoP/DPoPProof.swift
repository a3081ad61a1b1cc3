import Base

/// A DPoP proof that was verified (RFC 9449 §4.3). Only `DPoPVerifier` makes one.
package struct DPoPProof: Sendable {
    /// The RFC 7638 thumbprint of the key that signed.
    package let thumbprint: String
    package let nonceTime: Timestamp
    package let nonce: String
    package let jti: String
    /// SHA-256 of what was signed. Two proofs with equal hashes have equal content.
    package let hash: [UInt8]
    /// SHA-256 of the access token that the proof was presented with. Nil if there was none.
    package let accessTokenHash: [UInt8]?
    /// HMAC(PIN's secret, "switchback/unlock/1" ‖ session id ‖ nonce ‖ jti), 32 bytes; all three as the texts that
    /// were sent.
    package let pinProof: [UInt8]?
    /// The name of the PIN that the app believes to be set. Nil if it gives its PINs no names.
    package let pinID: String?

    init(
        thumbprint: String, nonceTime: Timestamp, nonce: String, jti: String, hash: [UInt8],
        accessTokenHash: [UInt8]?, pinProof: [UInt8]?, pinID: String? = nil
    ) {
        self.thumbprint = thumbprint
        self.nonceTime = nonceTime
        self.nonce = nonce
        self.jti = jti
        self.hash = hash
        self.accessTokenHash = accessTokenHash
        self.pinProof = pinProof
        self.pinID = pinID
    }
}
