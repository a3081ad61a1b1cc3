import Attestation
import Logins

/// A step of a session, for the log, the metrics and other observers.
///
/// Only the process that took a step reports it, once. An event contains no secret and no personal data.
package struct SessionEvent: Equatable, Sendable {
    package enum Step: Equatable, Sendable {
        /// A login became a session, or renewed the session of its key. At the level `access` there is no row, and a
        /// repeated request reports it again.
        case begun(isNew: Bool)
        /// A phone's statement about its app or key was accepted. A repeated request reports it again.
        case attested(AttestationStatement.Format, Evidence)
        case attestationRefused(AttestationStatement.Format, Refusal)
        /// The app asks for attestations, and neither this request nor an earlier one of the session had any.
        case attestationMissing(isRequired: Bool)
        /// A new access token without a PIN. Each response counts.
        case renewed
        /// The PIN was right.
        case unlocked
        case pinSet
        case wrongPIN(triesLeft: Int)
        /// The wrong PIN attempt that destroyed the PIN's secret.
        case lockedOut
        case ended(End)
        /// The sweep sealed the row again, under the newest key.
        case resealed
        /// A row of the store did not verify.
        case rowRefused(RowError)
        case storeFailed(StoreWork)
    }

    package enum End: String, CaseIterable, Sendable {
        /// A session of the same user ended it.
        case app
        /// The refresh token was revoked (RFC 7009).
        case revoked
        /// The app's backend deleted all sessions of a user.
        case deleted
        /// Its time was over.
        case expired
        /// It began before `sessions.valid_from`.
        case invalidated
    }

    package let step: Step
    package let session: SessionID?
    package let app: String?
    package let provider: String?
    package let platform: String?
    package let level: SessionLevel?

    init(
        _ step: Step, session: SessionID? = nil, app: String? = nil, provider: String? = nil, platform: String? = nil,
        level: SessionLevel? = nil
    ) {
        self.step = step
        self.session = session
        self.app = app
        self.provider = provider
        self.platform = platform
        self.level = level
    }
}

extension SessionEvent.Step {
    /// The name in logs and metrics.
    package var name: String {
        switch self {
        case .begun: "begun"
        case .attested: "attested"
        case .attestationRefused: "attestation_refused"
        case .attestationMissing: "attestation_missing"
        case .renewed: "renewed"
        case .unlocked: "unlocked"
        case .pinSet: "pin_set"
        case .wrongPIN: "wrong_pin"
        case .lockedOut: "locked_out"
        case .ended: "ended"
        case .resealed: "resealed"
        case .rowRefused: "row_refused"
        case .storeFailed: "store_failed"
        }
    }
}
