// How the session of a completed login begins, or is found if it has begun with its key.

import Attestation
import Base
import Logins

extension SessionFlow {
    /// Begins the session of a completed login, or finds it if it has begun. `proof` is needed if the login names a
    /// key, and `statement` if the app demands an attestation. Later than 15 minutes after the login there is no access
    /// token, and at the level `access` the login has ended. Throws `notAllowed`, `keyRequired`, `attestationRequired`,
    /// `attestationRefused`, `otherPerson`, `ended` or `locked`.
    nonisolated(nonsending) package func begin(
        _ login: CompletedLogin, proof: DPoPProof?, statement: PhoneStatement? = nil
    ) async throws(SessionError) -> SessionTokens {
        let configuration = self.repository.configuration
        guard let terms = configuration.terms[login.app] else { throw .notAllowed }
        let level = terms.level(of: login)
        guard level > .none else { throw .notAllowed }
        if let validFrom = configuration.rules.validFrom, login.completedAt < validFrom { throw .ended }
        // Its result is kept for longer, and must not be a source of access tokens for as long.
        let isFresh = self.repository.now() - login.completedAt <= SessionRules.freshLogin
        if let thumbprint = login.thumbprint {
            guard let proof, identical(proof.thumbprint, thumbprint) else { throw .keyRequired }
        } else {
            guard terms.allowsBearer else { throw .keyRequired }
        }
        try await self.checkEnds(since: login)
        guard let thumbprint = login.thumbprint, level.hasRow else {
            guard isFresh else { throw .ended }
            return try self.accessOnly(login, terms)
        }
        let session: Session
        if let policy = terms.attestation {
            session = try await self.attested(login, statement, policy, thumbprint: thumbprint, level: level)
        } else {
            session = try await self.stored(login, thumbprint: thumbprint, level: level)
        }
        // Again, now that the session is stored: who ends all sessions writes the marker, and then looks for sessions.
        try await self.checkEnds(since: login)
        // A response may have been lost, so the app gets the refresh token in any case: it is worth nothing without the
        // key, and whether a PIN is needed is for the renewal to say.
        return try self.tokens(of: session, withAccess: isFresh)
    }

    /// Throws if all sessions of the user were ended since the login, and removes what the login has begun since.
    nonisolated(nonsending) private func checkEnds(since login: CompletedLogin) async throws(SessionError) {
        guard try await self.repository.hasEnd(since: login) else { return }
        if let thumbprint = login.thumbprint {
            let id = SessionID(app: login.app, thumbprint: thumbprint)
            _ = try await self.repository.change(id, emitting: { $0 ? .ended(.deleted) : nil }) { session, _ in
                guard let active = session.active, active.subject == login.subject,
                    active.login.completedAt <= login.completedAt
                else { return false }
                return session.erase(at: self.repository.now())
            }
        }
        throw .ended
    }

    /// Begins the session with what the phone's maker has attested. A statement that does not hold is an error even
    /// where none is required: a genuine phone does not make one.
    nonisolated(nonsending) private func attested(
        _ login: CompletedLogin, _ statement: PhoneStatement?, _ policy: AttestationPolicy, thumbprint: String,
        level: SessionLevel
    ) async throws(SessionError) -> Session {
        let report = { (step: SessionEvent.Step) in
            self.repository.emit(
                SessionEvent(
                    step, session: SessionID(app: login.app, thumbprint: thumbprint), app: login.app,
                    provider: login.provider, platform: login.platform, level: level))
        }
        var login = login
        if let statement {
            let format = statement.statement.format
            switch policy.verify(
                statement.statement, challenge: statement.challenge, thumbprint: thumbprint,
                at: self.repository.now())
            {
            case .refused(let refusal):
                report(.attestationRefused(format, refusal))
                throw .attestationRefused(refusal)
            case .accepted(let evidence):
                report(.attested(format, evidence))
                login.attestation = evidence.provesHardwareKey ? .key : .app
            }
        }
        do throws(SessionError) {
            let session = try await self.stored(
                login, thumbprint: thumbprint, level: level, demandsAttestation: policy.isRequired)
            if session.active?.attestation == SessionAttestation.none { report(.attestationMissing(isRequired: false)) }
            return session
        } catch {
            if error == .attestationRequired { report(.attestationMissing(isRequired: true)) }
            throw error
        }
    }

    nonisolated(nonsending) private func stored(
        _ login: CompletedLogin, thumbprint: String, level: SessionLevel, demandsAttestation: Bool = false
    ) async throws(SessionError) -> Session {
        let id = SessionID(app: login.app, thumbprint: thumbprint)
        let random = RefreshToken.makeRandom()
        // The row may be taken, and then be gone.
        return try await CompareAndSwap.run(orThrow: .storeUnavailable) { () async throws(SessionError) in
            let change = try await self.repository.change(id, emitting: Self.step) { session, rules in
                session.begin(
                    with: login, thumbprint: thumbprint, level: level, demandsAttestation: demandsAttestation,
                    random: random, at: self.repository.now(), rules)
            }
            if let change { return .done(try Self.session(after: change)) }
            guard !demandsAttestation || login.attestation > .none else { throw .attestationRequired }
            guard
                let new = Session(
                    login, thumbprint: thumbprint, level: level, random: random, at: self.repository.now(),
                    self.repository.configuration.rules)
            else { throw .ended }
            guard try await self.insert(new) else { return .conflict }
            self.repository.emit(.begun(isNew: true), of: new)
            return .done(new)
        }
    }

    nonisolated(nonsending) private func insert(_ new: Session) async throws(SessionError) -> Bool {
        if try await self.repository.insert(new) { return true }
        // No key of ours verifies the row: the old session can never continue, and this one is proven by a login.
        guard case .refused(let row)? = try await self.repository.load(new.id) else { return false }
        return try await self.repository.insert(new, inPlaceOf: row)
    }

    private static func step(_ action: Session.BeginAction) -> SessionEvent.Step? {
        switch action {
        case .begun: .begun(isNew: true)
        case .renewed: .begun(isNew: false)
        case .found, .unattested, .otherPerson, .ended, .locked: nil
        }
    }

    private static func session(
        after change: SessionRepository.ChangeResult<Session.BeginAction>
    ) throws(SessionError) -> Session {
        switch change.action {
        case .begun, .renewed, .found: return change.session
        case .unattested: throw .attestationRequired
        case .otherPerson: throw .otherPerson
        case .ended: throw .ended
        case .locked: throw .locked
        }
    }
}
