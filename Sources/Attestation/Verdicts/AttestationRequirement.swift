/// Whether an app's sessions need an attestation: the words of `apps.*.attestation`.
package enum AttestationRequirement: String, CaseIterable, Sendable {
    /// Attestations are not looked at.
    case none
    /// A session without an attestation begins too, but is treated as unattested.
    case optional
    /// No session begins without an attestation.
    case required
}
