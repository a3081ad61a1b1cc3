import Attestation
import Base
import Cryptography
import Logins

/// A completed login from which a session may begin.
package struct CompletedLogin: Sendable {
    package let app: String
    package let provider: String
    package let eid: String?
    /// ISO 3166-1, two letters.
    package let country: String?
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
    /// `providers.*.session_permission`: whether an agreement with the e-ID's scheme permits sessions.
    package let hasPermission: Bool
    /// What was attested for the key of this login.
    package var attestation: SessionAttestation

    package init(
        app: String, provider: String, eid: String?, country: String? = nil, subject: Secret, acr: String?,
        amr: [String],
        authTime: Timestamp?, proof: SameDeviceProof, completedAt: Timestamp, keepUntil: Timestamp, platform: String?,
        thumbprint: String?, level: SessionLevel, hasPermission: Bool = false, attestation: SessionAttestation = .none
    ) {
        self.app = app
        self.provider = provider
        self.eid = eid
        self.country = country
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
        self.hasPermission = hasPermission
        self.attestation = attestation
    }
}

/// What a phone states for one login.
package struct PhoneStatement: Sendable {
    let statement: AttestationStatement
    /// SHA-256("switchback/attest/1" ‖ login id). The app knows it before the login starts, because the id comes from
    /// its poll secret, and Android makes the key with it. The id is the text that is sent.
    let challenge: [UInt8]

    package init(_ statement: AttestationStatement, for login: LoginID) {
        self.statement = statement
        self.challenge = Digest.sha256.hash(Array("switchback/attest/1\(login)".utf8))
    }
}
