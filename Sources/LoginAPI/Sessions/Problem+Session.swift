// Maps the errors of sessions and of DPoP proofs to problems, and to errors of OAuth.

import Attestation
import Sessions

extension Problem: SessionRefusal {
    init(limit problem: Problem) { self = problem }

    init(proof error: DPoPError) {
        switch error {
        case .missing: self.init(.dpopProofRequired)
        case .nonce: self.init(.dpopNonceRequired)
        case .several, .malformed, .wrongType, .algorithm, .key, .signature, .method, .url, .accessTokenHash,
            .keyMismatch:
            self.init(.dpopProofInvalid)
        }
    }

    init(session error: SessionError) {
        switch error {
        case .notAllowed: self.init(.sessionNotAllowed)
        case .keyRequired: self.init(.dpopProofInvalid)
        case .attestationRequired: self.init(.attestationRequired)
        case .attestationRefused(let refusal): self.init(attestation: refusal.rawValue)
        case .otherPerson: self.init(.sessionKeyInUse)
        case .ended: self.init(.sessionEnded)
        case .unknown: self.init(.sessionUnknown)
        case .pinRequired, .locked: self.init(.insufficientUserAuthentication)
        case .wrongPIN(let triesLeft): self.init(pinTriesLeft: triesLeft)
        case .staleNonce: self.init(.dpopNonceRequired)
        case .tooLateForPIN: self.init(.pinTooLate)
        case .malformedPIN: self.init(.pinMalformed)
        case .storeUnavailable: self.init(.storeUnavailable)
        }
    }
}

extension TokenEndpointError: SessionRefusal {
    init(proof error: DPoPError) {
        switch error {
        case .nonce: self.init(.useDPoPNonce)
        case .missing, .several, .malformed, .wrongType, .algorithm, .key, .signature, .method, .url,
            .accessTokenHash, .keyMismatch:
            self.init(.invalidDPoPProof)
        }
    }

    /// A refusal must not tell a caller without the key anything about a session, so most errors give one response.
    init(session error: SessionError) {
        switch error {
        case .notAllowed, .keyRequired, .attestationRequired, .attestationRefused, .otherPerson, .ended, .unknown,
            .tooLateForPIN, .malformedPIN:
            self.init(.invalidGrant)
        case .pinRequired(let id): self.init(.pinRequired, pinID: id)
        case .wrongPIN(let triesLeft): self.init(.wrongPIN, triesLeft: triesLeft)
        case .locked: self.init(.insufficientUserAuthentication)
        case .staleNonce: self.init(.useDPoPNonce)
        case .storeUnavailable: self.init(.temporarilyUnavailable)
        }
    }
}

/// Runs `work`, and rethrows its error in the vocabulary of the caller.
nonisolated(nonsending) func refusing<Value, Refusal: SessionRefusal>(
    as _: Refusal.Type, _ work: nonisolated(nonsending) () async throws(SessionError) -> Value
) async throws(Refusal) -> Value {
    do throws(SessionError) {
        return try await work()
    } catch {
        throw Refusal(session: error)
    }
}
