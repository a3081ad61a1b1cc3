import Base
import Cryptography

/// The secret that the app made with a PIN, and how often somebody proved a wrong one.
///
/// The phone hides the secret behind the PIN without any sign of success, so whoever guesses a PIN on the phone gets
/// some secret, and only we can say whether it is the right one.
struct PINSecret: Equatable, Sendable {
    static let byteCount = 32

    /// The name that the app gave this PIN. It is not secret, and tells an app that lost a response which PIN is set.
    let id: String?
    let secret: Secret
    var wrongInARow = 0
    /// Right PINs do not change this count.
    var wrongInAll = 0

    /// Returns nil unless there are exactly 32 bytes.
    init?(_ secret: Secret, id: String? = nil) {
        guard secret.count == Self.byteCount else { return nil }
        self.secret = secret
        self.id = id
    }

    /// Returns whether the proof was made with this secret for this session, nonce and `jti`.
    func verify(_ proof: DPoPProof, of session: SessionID) -> Bool {
        guard let code = proof.pinProof else { return false }
        return equalInConstantTime(Self.proof(self.secret, of: session, nonce: proof.nonce, jti: proof.jti), code)
    }

    /// HMAC(secret, "switchback/unlock/1" ‖ session id ‖ nonce ‖ jti), all three as the texts that are sent. The first
    /// two always have the same length, so different values give different messages.
    static func proof(_ secret: Secret, of session: SessionID, nonce: String, jti: String) -> [UInt8] {
        HMACKey(secret).code { message in
            message.append("switchback/unlock/1")
            message.append(session.text)
            message.append(nonce)
            message.append(jti)
        }.array()
    }
}

/// The last PIN attempt that was judged, or the change of the PIN after it. By it we recognise a repeated request,
/// which gets the same verdict and counts once.
struct PINAttempt: Equatable, Sendable {
    /// Later attempts and changes need a newer nonce, so parallel guesses on one nonce count once, and a copy of an old
    /// request changes nothing.
    let nonceTime: Timestamp
    /// The hash of the DPoP proof.
    let hash: [UInt8]
    let isRight: Bool
}
