import Attestation
import Base

/// The settings of one app that concern its sessions.
package struct SessionTerms: Sendable {
    package let app: String
    /// The `aud` of the app's access tokens: `apps.*.session_audience`.
    package let audience: String
    /// `apps.*.session`.
    package let level: SessionLevel
    /// `apps.*.session_by_code`: whether a login with a code from the page may become more than `access`.
    package let allowsCodeProof: Bool
    /// `apps.*.bearer`: whether an access token may be bound to no key.
    package let allowsBearer: Bool
    /// `apps.*.attestation`: what phones must state; nil if nothing that they state is looked at.
    package let attestation: AttestationPolicy?

    package init(
        app: String, audience: String, level: SessionLevel, allowsCodeProof: Bool, allowsBearer: Bool,
        attestation: AttestationPolicy? = nil
    ) {
        self.app = app
        self.audience = audience
        self.level = level
        self.allowsCodeProof = allowsCodeProof
        self.allowsBearer = allowsBearer
        self.attestation = attestation
    }
}
