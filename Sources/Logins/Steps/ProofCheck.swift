import Base

/// Checks the same-device proof, which shows that the user logged in on the device of the app that gets the result.
///
/// A value is a proof only if the app could not know it before the user has logged in.
struct ProofCheck: Sendable {
    let repository: LoginRepository

    /// What an app presents to prove that the user logged in on its own device.
    enum Claim: Equatable {
        /// The authorization response came through the app.
        case callback
        case link(String)
        /// The e-ID's app returned through a link of this attempt, or through a link with this proof.
        case switched(attempt: [UInt8])
        case switchLink(String)
        case code(String)

        var isCode: Bool {
            guard case .code = self else { return false }
            return true
        }
    }

    /// Releases the result if the claim is right: now, or when the identity is known. The caller must have checked the
    /// secret.
    func check(
        _ claim: Claim, for snapshot: LoginSnapshot, _ secret: PollSecret
    ) async throws(LoginFlowError) -> LoginSnapshot {
        let change = try await self.repository.change(snapshot) { login, key in
            self.validate(claim, of: &login, key, secret)
        }
        guard let change else { throw .unknownLogin }
        switch change.action {
        case .accepted: break
        case .wrongCode(let triesLeft):
            self.repository.emit(.proofRefused(.code(triesLeft: triesLeft)), of: change.snapshot)
            throw .wrongCode(triesLeft: triesLeft)
        // A response that proves nothing, because the policy wants a code, has still been taken.
        case .refused where claim == .callback: break
        case .refused where claim.isCode: throw .codeTooEarly
        case .refused:
            self.repository.emit(.proofRefused(.link), of: change.snapshot)
            throw .notOurs
        }
        return change.snapshot
    }

    private func validate(
        _ claim: Claim, of login: inout Login, _ key: ServerKey, _ secret: PollSecret
    ) -> Login.ProofAction {
        guard login.isOpen else { return .accepted }
        switch claim {
        case .switched(let attempt):
            return self.validate(switched: attempt, of: &login, key, secret)
        case .switchLink(let text):
            let attemptIDs = login.attempts.map(\.id) + [login.acceptedResponse?.attempt].compactMap(\.self)
            guard let attempt = SwitchProof.attempt(of: text, among: attemptIDs, login.id, under: key) else {
                return .refused
            }
            return self.validate(switched: attempt, of: &login, key, secret)
        case .callback, .link, .code:
            break
        }
        guard let response = login.acceptedResponse else { return .refused }
        let right = PageProof(login.id, response, under: key)
        let before = login
        func sealed(for proof: SameDeviceProof) -> (SealedOutcome) -> SealedOutcome? {
            { self.release($0, for: proof, of: before, key, secret) }
        }
        switch claim {
        case .callback:
            return response.isByApp ? login.accept(.callbackLink, seal: sealed(for: .callbackLink)) : .refused
        case .link(let text):
            return right.isLink(text) ? login.accept(.pageLink, seal: sealed(for: .pageLink)) : .refused
        case .code(let text):
            guard login.canTryCode, right.isCode(text) else { return login.countWrongCode() }
            return login.accept(.pageCode, seal: sealed(for: .pageCode))
        case .switched, .switchLink:
            return .refused
        }
    }

    /// Stores the switch proof. It counts once the authorization response arrives with the cookie of the same attempt.
    private func validate(
        switched attempt: [UInt8], of login: inout Login, _ key: ServerKey, _ secret: PollSecret
    ) -> Login.ProofAction {
        login.noteSwitchProof(attempt)
        let before = login
        if login.hasSwitchProof, case .awaitingReturn = login.state {
            return login.accept(.switchLink) { self.release($0, for: .switchLink, of: before, key, secret) }
        }
        return .accepted
    }

    /// Encrypts the result again, under the header of a completed login. The outcome's key is available because each
    /// request with a proof also carries the secret.
    private func release(
        _ outcome: SealedOutcome, for proof: SameDeviceProof, of login: Login, _ key: ServerKey, _ secret: PollSecret
    ) -> SealedOutcome? {
        let outcomeKey = secret.outcomeKey(of: login.id)
        let waitingHeader = OutcomeSeal.Header(
            login: login, status: .awaitingReturn, proof: outcome.proof, keepUntil: outcome.keepUntil)
        guard let bytes = OutcomeSeal(outcomeKey, waitingHeader, under: key).open(outcome.sealed) else { return nil }
        let keepUntil = login.keepUntil(from: self.repository.now())
        let finalHeader = OutcomeSeal.Header(login: login, status: .completed, proof: proof, keepUntil: keepUntil)
        return SealedOutcome(
            sealed: OutcomeSeal(outcomeKey, finalHeader, under: key).seal(bytes), proof: proof, keepUntil: keepUntil)
    }
}
