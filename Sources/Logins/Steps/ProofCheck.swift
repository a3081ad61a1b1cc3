/// Checks the same-device proof, which shows that the user logged in on the device of the app that gets the result.
///
/// A value is a proof only if the app could not know it before the user has logged in.
import Base

struct ProofCheck: Sendable {
    let repository: LoginRepository

    /// What an app presents to prove that the user logged in on its own device.
    enum Claim: Equatable {
        /// The authorization response came through the app.
        case callback
        case link(String)
        /// The e-ID's app returned through a link of this attempt, or through a link with this proof.
        case switched(opening: [UInt8])
        case switchLink(String)
        case code(String)
    }

    /// Releases the result if the claim is right: now, or when the identity is known. The caller must have checked the
    /// secret.
    func check(
        _ claim: Claim, for known: LoginSnapshot, _ secret: PollSecret
    ) async throws(LoginFlowError) -> LoginSnapshot {
        let changed = try await self.repository.change(known) { login, key in
            self.judge(claim, of: &login, key, secret)
        }
        guard let changed else { throw .unknownLogin }
        switch changed.action {
        case .taken: break
        case .wrongCode(let triesLeft):
            self.repository.tell(.proofRefused(.code(triesLeft: triesLeft)), of: changed.snapshot)
            throw .wrongCode(triesLeft: triesLeft)
        // A response that proves nothing, because the policy wants a code, has still been taken.
        case .refused where claim == .callback: break
        case .refused:
            self.repository.tell(.proofRefused(.link), of: changed.snapshot)
            throw .notOurs
        }
        return changed.snapshot
    }

    private func judge(
        _ claim: Claim, of login: inout Login, _ key: ServerKey, _ secret: PollSecret
    ) -> Login.ProofAction {
        guard login.isOpen else { return .taken }
        switch claim {
        case .switched(let opening):
            return self.judge(switched: opening, of: &login, key, secret)
        case .switchLink(let text):
            let known = login.openings.map(\.id) + [login.taken?.opening].compactMap(\.self)
            guard let opening = SwitchProof.opening(of: text, among: known, login.id, under: key) else {
                return .refused
            }
            return self.judge(switched: opening, of: &login, key, secret)
        case .callback, .link, .code:
            break
        }
        guard let taken = login.taken else { return .refused }
        let right = PageProof(login.id, taken, under: key)
        let before = login
        func sealed(for proof: Proof) -> (Outcome) -> Outcome? {
            { self.released($0, for: proof, of: before, key, secret) }
        }
        switch claim {
        case .callback:
            return taken.isByApp ? login.take(.callbackLink, seal: sealed(for: .callbackLink)) : .refused
        case .link(let text):
            return right.isLink(text) ? login.take(.pageLink, seal: sealed(for: .pageLink)) : .refused
        case .code(let text):
            guard login.mayTryCode, right.isCode(text) else { return login.missCode() }
            return login.take(.pageCode, seal: sealed(for: .pageCode))
        case .switched, .switchLink:
            return .refused
        }
    }

    /// Stores the switch proof. It counts once the authorization response arrives with the cookie of the same attempt.
    private func judge(
        switched opening: [UInt8], of login: inout Login, _ key: ServerKey, _ secret: PollSecret
    ) -> Login.ProofAction {
        login.noteSwitch(opening)
        let before = login
        if login.isSwitched, case .awaitingReturn = login.state {
            return login.take(.switchLink) { self.released($0, for: .switchLink, of: before, key, secret) }
        }
        return .taken
    }

    /// Encrypts the result again, under the header of a completed login. The outcome's key is available because each
    /// request with a proof also carries the secret.
    private func released(
        _ outcome: Outcome, for proof: Proof, of login: Login, _ key: ServerKey, _ secret: PollSecret
    ) -> Outcome? {
        let outcomeKey = secret.outcomeKey(of: login.id)
        let waiting = OutcomeSeal.Header(
            login: login, status: .awaitingReturn, proof: outcome.proof, keepUntil: outcome.keepUntil)
        guard let bytes = OutcomeSeal(outcomeKey, waiting, under: key).open(outcome.sealed) else { return nil }
        let keepUntil = login.keepUntil(from: self.repository.now())
        let final = OutcomeSeal.Header(login: login, status: .completed, proof: proof, keepUntil: keepUntil)
        return Outcome(
            sealed: OutcomeSeal(outcomeKey, final, under: key).seal(bytes), proof: proof, keepUntil: keepUntil)
    }
}
