import Base

/// What an app demands of phones, and how their statements are judged.
package struct AttestationPolicy: Sendable {
    /// Whether a phone must state something.
    package let isRequired: Bool
    private let appAttest: AppAttestVerifier
    private let keyAttestation: KeyAttestationVerifier

    package init(isRequired: Bool, appAttest: AppAttestVerifier, keyAttestation: KeyAttestationVerifier) {
        self.isRequired = isRequired
        self.appAttest = appAttest
        self.keyAttestation = keyAttestation
    }

    /// Judges a statement about the DPoP key with this thumbprint (RFC 7638).
    package func verify(
        _ statement: AttestationStatement, challenge: [UInt8], thumbprint: String, at time: Timestamp
    ) -> Verdict {
        switch statement {
        case .appAttest(let object, let keyID):
            self.appAttest.verify(object, keyID: keyID, challenge: challenge, thumbprint: thumbprint, at: time)
        case .androidKey(let certificates):
            self.keyAttestation.verify(certificates, challenge: challenge, thumbprint: thumbprint, at: time)
        }
    }
}
