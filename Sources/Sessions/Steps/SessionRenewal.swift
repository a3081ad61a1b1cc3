// How a session gives new access tokens for a refresh token and a DPoP proof, and how the PIN is set that an unlock
// needs.

import Base

/// What a request may do with a session, or that it may not: all such refusals are equal.
private enum Answer<Action> {
    case allowed(Action)
    case refused
}

extension SessionFlow {
    /// Gives a new access token. With a PIN in the proof it is also the unlock. Throws `unknown`, `pinRequired`,
    /// `wrongPIN`, `staleNonce` or `locked`.
    nonisolated(nonsending) package func renew(
        refreshToken: Secret, clientID: String, proof: DPoPProof
    ) async throws(SessionError) -> SessionTokens {
        guard let token = RefreshToken(refreshToken), let terms = self.repository.configuration.terms[clientID] else {
            throw .unknown
        }
        let change = try await self.repository.change(token.session, emitting: Self.step) { session, rules in
            guard var active = session.active, identical(session.app, clientID), active.refreshToken == token.random,
                identical(active.thumbprint, proof.thumbprint)
            else { return Answer<ActiveSession.RenewalAction>.refused }
            let level = min(active.level, terms.level)
            guard level.hasRow else { return .refused }
            let action = active.renew(proof, of: session.id, as: level, at: self.repository.now(), rules)
            session.state = .active(active)
            return .allowed(action)
        }
        guard let change, case .allowed(let action) = change.action else { throw .unknown }
        switch action {
        case .renewed, .unlocked: return try self.tokens(of: change.session)
        case .pinRequired, .refused(.otherPIN): throw .pinRequired(id: change.session.active?.pinID)
        case .locked: throw .locked
        case .refused(let verdict): throw self.error(verdict, change.session)
        }
    }

    private static func step(_ answer: Answer<ActiveSession.RenewalAction>) -> SessionEvent.Step? {
        guard case .allowed(let action) = answer else { return nil }
        return switch action {
        case .renewed: .renewed
        case .unlocked: .unlocked
        case .refused(let verdict): Self.step(verdict)
        case .pinRequired, .locked: nil
        }
    }

    /// Sets the PIN's secret. `pinID` is a name that the app gives this PIN, to know later which one is set. The proof
    /// must have been verified with the access token. Throws `malformedPIN`, `unknown`, `ended`, `notAllowed`,
    /// `tooLateForPIN`, and with a proof of the old PIN `wrongPIN`, `staleNonce` or `locked`.
    nonisolated(nonsending) package func setPIN(
        _ id: SessionID, secret: Secret, pinID: String? = nil, accessToken: AccessTokenClaims, proof: DPoPProof
    ) async throws(SessionError) {
        guard let pin = PINSecret(secret, id: pinID) else { throw .malformedPIN }
        // A proof is bound to the token that it was presented with, and the token to the session.
        guard proof.accessTokenHash != nil, let thumbprint = accessToken.thumbprint,
            identical(thumbprint, proof.thumbprint),
            id == accessToken.sessionID, let terms = self.repository.configuration.terms[accessToken.app]
        else { throw .unknown }
        let change = try await self.repository.change(id, emitting: Self.step) { session, rules in
            guard var active = session.active, identical(session.app, accessToken.app),
                active.subject == accessToken.subject, identical(active.thumbprint, proof.thumbprint)
            else { return Answer<ActiveSession.SetPINAction?>.refused }
            guard min(active.level, terms.level) == .unlock else { return .allowed(nil) }
            let action = active.setPIN(pin, proof, of: id, at: self.repository.now(), rules)
            session.state = .active(active)
            return .allowed(action)
        }
        guard let change else { throw .unknown }
        guard case .allowed(let action) = change.action else {
            throw change.session.active == nil ? .ended : .unknown
        }
        switch action {
        case .set, .isSet: return
        case .tooLate: throw .tooLateForPIN
        case .refused(let verdict): throw self.error(verdict, change.session)
        case nil: throw .notAllowed
        }
    }

    private static func step(_ answer: Answer<ActiveSession.SetPINAction?>) -> SessionEvent.Step? {
        guard case .allowed(let action) = answer else { return nil }
        return switch action {
        case .set: .pinSet
        case .refused(let verdict): Self.step(verdict)
        case .isSet, .tooLate, nil: nil
        }
    }

    /// Only an attempt that was counted is a step.
    private static func step(_ verdict: ActiveSession.PINVerdict) -> SessionEvent.Step? {
        switch verdict {
        case .wrong(let triesLeft): .wrongPIN(triesLeft: triesLeft)
        case .lockedOut: .lockedOut
        case .right, .rightBefore, .wrongBefore, .isLockedOut, .staleNonce, .notSet, .otherPIN: nil
        }
    }

    private func error(_ verdict: ActiveSession.PINVerdict, _ session: Session) -> SessionError {
        if verdict == .staleNonce, let last = session.active?.lastAttempt {
            self.nonces.pass(last.nonceTime)
        }
        return Self.error(verdict)
    }

    private static func error(_ verdict: ActiveSession.PINVerdict) -> SessionError {
        switch verdict {
        case .wrong(let triesLeft), .wrongBefore(let triesLeft): .wrongPIN(triesLeft: triesLeft)
        case .lockedOut, .isLockedOut, .notSet: .locked
        case .staleNonce, .right, .rightBefore: .staleNonce
        case .otherPIN: .pinRequired(id: nil)
        }
    }
}
