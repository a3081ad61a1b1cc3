/// A completed login from which a session may begin.
import Base
import Logins

package struct CompletedLogin: Sendable {
    package let app: String
    package let provider: String
    package let eid: String?
    /// The `sub` of the access tokens. It may be a national id.
    package let subject: Secret
    package let acr: String?
    package let amr: [String]
    package let authTime: Timestamp?
    package let proof: SameDeviceProof
    /// By our clock.
    package let completedAt: Timestamp
    /// Until when the login's result is kept.
    package let keepUntil: Timestamp
    package let platform: String?
    /// The `dpop_jkt` of the create request (RFC 9449 §10).
    package let thumbprint: String?
    /// The highest level that the provider and the e-ID allow.
    package let level: SessionLevel
    /// What was attested for the key of this login.
    package var attestation: SessionAttestation

    package init(
        app: String, provider: String, eid: String?, subject: Secret, acr: String?, amr: [String],
        authTime: Timestamp?, proof: SameDeviceProof, completedAt: Timestamp, keepUntil: Timestamp, platform: String?,
        thumbprint: String?, level: SessionLevel, attestation: SessionAttestation = .none
    ) {
        self.app = app
        self.provider = provider
        self.eid = eid
        self.subject = subject
        self.acr = acr
        self.amr = amr
        self.authTime = authTime
        self.proof = proof
        self.completedAt = completedAt
        self.keepUntil = keepUntil
        self.platform = platform
        self.thumbprint = thumbprint
        self.level = level
        self.attestation = attestation
    }
}
