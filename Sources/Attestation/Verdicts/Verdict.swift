/// What the verification of an attestation ends in.
package enum Verdict: Equatable, Sendable {
    case accepted(Evidence)
    case refused(Refusal)

    package var refusal: Refusal? {
        guard case .refused(let refusal) = self else { return nil }
        return refusal
    }

    package var evidence: Evidence? {
        guard case .accepted(let evidence) = self else { return nil }
        return evidence
    }
}

/// What an accepted attestation proves.
package enum Evidence: Equatable, Sendable {
    /// A genuine copy of the app vouches for the DPoP key. This says nothing about where the DPoP key is kept.
    case app(AppAttestEnvironment)
    /// The DPoP key itself was made in secure hardware, for this app, on a phone that runs what its maker signed.
    case key(SecurityLevel, warning: StatusWarning?)

    /// Whether tokens may say `hwk` in `amr` (RFC 8176 §2).
    package var provesHardwareKey: Bool {
        switch self {
        case .app: false
        case .key: true
        }
    }
}

/// What the operator should know about Google's status list although the attestation was accepted.
package enum StatusWarning: String, CaseIterable, Sendable {
    /// The file is older than a day.
    case old = "status_list_old"
    /// The file is older than a week, and the app does not require attestation.
    case tooOld = "status_list_too_old"
    /// No file is configured, and the app does not require attestation.
    case missing = "status_list_missing"
}

/// The environments of App Attest. Apple names them in the `aaguid` of the authenticator data.
package enum AppAttestEnvironment: String, CaseIterable, Sendable {
    case production
    case development

    /// The 16 bytes that stand for the environment.
    package var aaguid: [UInt8] {
        switch self {
        case .production: Array("appattest".utf8) + [UInt8](repeating: 0, count: 7)
        case .development: Array("appattestdevelop".utf8)
        }
    }
}

/// Whether an app's sessions need an attestation: the words of `apps.*.attestation`.
package enum AttestationRequirement: String, CaseIterable, Sendable {
    /// Attestations are not looked at.
    case none
    /// A session without an attestation begins too, but is treated as unattested.
    case optional
    /// No session begins without an attestation.
    case required
}

/// Where an Android key is kept, or who made a statement about it, by the numbers of the SecurityLevel type.
package enum SecurityLevel: Int, CaseIterable, Comparable, Sendable {
    case software = 0
    case trustedEnvironment = 1
    case strongBox = 2

    /// The word in logs.
    package var word: String {
        switch self {
        case .software: "software"
        case .trustedEnvironment: "tee"
        case .strongBox: "strongbox"
        }
    }

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
