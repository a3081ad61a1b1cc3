// What a result changes: of the storage, the key and the network.

import Foundation

extension SessionReducer {
    mutating func handleStored(_ number: Int) -> [Effect] {
        guard let running, running.number == number, case .storing(let record, let token) = running.phase else {
            return []
        }
        self.running = nil
        self.record = record
        switch self.queue.first?.work {
        case .begin:
            self.token = token
            self.hold = nil
            return self.complete(.done)
        case .setPIN:
            self.queue[0].isStored = true
            return []
        case .makeKey, .renew, .unlock, .list, .end, .revoke, nil:
            return []
        }
    }

    mutating func handleStoreFailed(_ number: Int) -> [Effect] {
        guard self.running?.number == number else { return [] }
        return self.fail(.storageFailed)
    }

    mutating func handleKey(_ number: Int, _ key: P256PublicKey) -> [Effect] {
        guard let running, running.number == number, case .key = running.phase else { return [] }
        let isOther = self.record.key != key
        // Another key under the same name: the session's own is gone.
        if isOther, self.record.session != nil { return self.signOut(.keyGone, nil) }
        self.record.key = key
        if self.hold == .deviceLocked { self.hold = nil }
        return (isOther ? [.store(self.record)] : []) + self.complete(.thumbprint(key.thumbprint))
    }

    mutating func handleKeyError(_ number: Int, _ error: SessionKeyError) -> [Effect] {
        guard self.running?.number == number else { return [] }
        switch error {
        case .gone:
            if self.record.session != nil { return self.signOut(.keyGone, nil) }
            // No session is lost. The next login makes another key.
            let store = Effect.store(self.dropKey())
            return self.fail(.wrongLogin) + [store]
        case .unavailable:
            if self.record.session != nil { self.hold = self.hold ?? .deviceLocked }
            return self.fail(.locked(.deviceLocked))
        case .cancelled: return self.fail(.key(.cancelledByUser))
        case .failed(let code): return self.fail(.key(.failed(code: code)))
        }
    }

    private mutating func dropKey() -> SavedSession {
        self.record.keyName = nil
        self.record.key = nil
        return self.record
    }

    mutating func handleSignature(_ number: Int, _ signature: Data) -> [Effect] {
        guard let running, running.number == number, case .signing = running.phase, let call = running.call else {
            return []
        }
        if self.hold == .deviceLocked { self.hold = nil }
        let proof = running.signingInput + "." + Base64URL.encode(signature)
        self.queue[0].proof = proof
        self.running?.phase = .sent
        return [.send(number, call.request(proof: proof))]
    }

    mutating func handleResponse(_ number: Int, _ response: HTTPResponse, at now: Moment) -> [Effect] {
        guard let running, running.number == number, case .sent = running.phase, let call = running.call else {
            return []
        }
        if let nonce = response["DPoP-Nonce"], !nonce.isEmpty { (self.nonce, self.nonceSince) = (nonce, now.instant) }
        let decision = SessionTable.decision(on: response, to: call.kind)
        // Any other response than "later" tells whether the PIN was judged.
        if case .retry = decision {} else if self.queue.first?.isProven == true { self.unanswered = nil }
        switch decision {
        case .accept: return self.accept(response, after: running, at: now)
        case .newNonce:
            // The try may have been counted before its response was lost, so only the user may make another one.
            if self.queue[0].isProven, self.queue[0].mayBeJudged { return self.fail(.noResponse(.noResponse)) }
            guard response["DPoP-Nonce"] != nil else { return self.fail(.refused(code: "use_dpop_nonce")) }
            return self.againWithNewNonce("use_dpop_nonce")
        case .newToken:
            self.queue[0].tokenRefusals += 1
            guard self.queue[0].tokenRefusals == 1 else { return self.fail(.refused(code: "access_token_invalid")) }
            self.token = nil
            return self.again()
        case .retry(let error): return self.retry(error, response.retryAfter, at: now)
        case .ended:
            let failEffects = self.fail(.signedOut(.ended))
            return self.record.session == nil ? failEffects : failEffects + self.signOut(.ended, nil)
        case .wrongPIN(let triesLeft): return self.handleWrongPIN(triesLeft)
        case .pinRequired(let id):
            if case .unlock(let candidates)? = self.queue.first?.work { return self.choose(id, from: candidates) }
            // Without its PIN, only a login helps.
            self.hold = self.record.pins.isEmpty ? .stepUp : .pin(triesLeft: nil)
            self.token = nil
            return self.fail(self.record.pins.isEmpty ? .stepUpRequired : .pinRequired(triesLeft: nil))
        case .stepUp: return self.handleStepUp(call.kind)
        case .fail(let error): return self.fail(error)
        }
    }

    /// Repeats the operation with a new proof.
    private mutating func again() -> [Effect] {
        self.queue[0].proof = nil
        self.queue[0].mayBeJudged = false
        self.running = nil
        return []
    }

    /// Repeats the operation with the nonce of the response, but does not ask such a server for ever.
    private mutating func againWithNewNonce(_ code: String) -> [Effect] {
        self.queue[0].nonceRefusals += 1
        guard self.queue[0].nonceRefusals <= Self.attempts else { return self.fail(.refused(code: code)) }
        return self.again()
    }

    private mutating func accept(_ response: HTTPResponse, after running: Running, at now: Moment) -> [Effect] {
        let strange = TransientError.unexpectedResponse(status: response.status)
        switch self.queue.first?.work {
        case .begin?, .renew?, .unlock?:
            guard let tokens = SessionTokens(response.body) else { return self.retry(strange, nil, at: now) }
            // A renewal always gives one.
            if tokens.accessToken == nil, !self.isBeginning { return self.retry(strange, nil, at: now) }
            guard tokens.isBound else { return self.fail(.notBound) }
            // It only got a new nonce. The user is there to prove the PIN.
            if case .unlock? = self.queue.first?.work, self.queue.first?.isProven == false {
                return self.againWithNewNonce("use_dpop_nonce")
            }
            return self.accept(tokens, after: running, at: now)
        case .setPIN(let candidate, _)?:
            guard response.status == 204 else { return self.retry(strange, nil, at: now) }
            self.record.pins = [candidate.pin]
            self.record.session?.hasPIN = true
            return [.store(self.record)] + self.complete(.done)
        case .list?:
            guard let list = SessionSummary.list(response.body) else { return self.retry(strange, nil, at: now) }
            return self.complete(.sessions(list))
        case .end(let id)?:
            guard response.status == 204 || response.status == 404 else { return self.retry(strange, nil, at: now) }
            let effects = self.complete(.done)
            return id == self.record.session?.id ? effects + self.endHere() : effects
        case .revoke(let token)?:
            // A hotel's page has a body.
            guard response.body.isEmpty || SessionTokens.isJSON(response.body) else {
                return self.retry(strange, nil, at: now)
            }
            self.record.revocations.removeAll { $0 == token }
            return [.store(self.record)] + self.complete(.done)
        case .makeKey?, nil:
            return self.fail(.cancelled)
        }
    }

    private var isBeginning: Bool {
        if case .begin? = self.queue.first?.work { true } else { false }
    }

    /// The server has ended this session, as the user wanted.
    private mutating func endHere() -> [Effect] {
        self.record.session?.refreshToken = nil
        return self.signOut(.byUser, nil)
    }

    private mutating func accept(_ tokens: SessionTokens, after running: Running, at now: Moment) -> [Effect] {
        var record = self.record
        let formerSession = record.session
        guard let id = tokens.session ?? formerSession?.id else {
            return self.retry(.unexpectedResponse(status: 200), nil, at: now)
        }
        // A login that allows less than the session had leaves the session as it was.
        let refreshToken = tokens.refreshToken ?? (formerSession?.id == id ? formerSession?.refreshToken : nil)
        var session = SavedSession.Session(id: id, refreshToken: refreshToken)
        session.hasPIN = tokens.hasPIN ?? (tokens.refreshToken == nil ? formerSession?.hasPIN : nil)
        if refreshToken == nil {
            session.accessToken = tokens.accessToken
            session.expiresAt = now.date.addingTimeInterval(tokens.lifetime)
        }
        record.session = session
        // The server never got the PIN, or has destroyed it.
        if tokens.hasPIN == false { record.pins = [] }
        // The lifetime is counted from before the server made the token.
        let token = tokens.accessToken.map { Token(value: $0, until: running.since + tokens.lifetime) }
        switch self.queue[0].work {
        case .begin:
            record.isLocked = false
            return self.storeFirst(record, token, at: now)
        case .unlock(let candidates):
            let number = self.queue[0].candidate
            record.pins = [self.stored(candidates[number].pin)]
            record.isLocked = false
            return self.take(record, token) + self.complete(.unlocked(number))
        case .makeKey, .renew, .setPIN, .list, .end, .revoke:
            guard let token else { return self.retry(.unexpectedResponse(status: 200), nil, at: now) }
            return self.take(record, token) + self.complete(.token(token.value))
        }
    }

    /// The biometric copy may have come or gone since the user typed the PIN.
    private func stored(_ pin: WrappedPIN) -> WrappedPIN {
        self.record.pins.first { $0.masked == pin.masked } ?? pin
    }

    private mutating func take(_ record: SavedSession, _ token: Token?) -> [Effect] {
        let isNews = record != self.record
        self.record = record
        self.token = token
        self.hold = nil
        return isNews ? [.store(record)] : []
    }

    private mutating func handleWrongPIN(_ triesLeft: Int) -> [Effect] {
        self.token = nil
        if triesLeft == 0 {
            self.losePINs()
            self.hold = .stepUp
            return self.fail(.wrongPIN(triesLeft: 0)) + [.store(self.record)]
        }
        self.hold = .pin(triesLeft: triesLeft)
        return self.fail(.wrongPIN(triesLeft: triesLeft))
    }

    /// Goes on with the PIN that the server has. After a change without a response it can be the former one.
    private mutating func choose(_ id: String?, from candidates: [PINCandidate]) -> [Effect] {
        let index = candidates.firstIndex { $0.pin.id == id }
        if !self.queue[0].isProven || (index != nil && index != self.queue[0].candidate) {
            self.queue[0].candidate = index ?? self.queue[0].candidate
            return self.againWithNewNonce("pin_required")
        }
        // The user was recognized, and this PIN has no copy for biometrics.
        if self.record.pins.contains(where: { $0.id == id }) { return self.fail(.noBiometrics) }
        self.losePINs()
        self.hold = .stepUp
        self.token = nil
        return self.fail(.stepUpRequired) + [.store(self.record)]
    }

    private mutating func handleStepUp(_ kind: SessionCall.Kind) -> [Effect] {
        // The others want a fresh login or unlock for themselves. The session goes on.
        guard kind == .renew else { return self.fail(.stepUpRequired) }
        // The server has no PIN: none was set in time, or it was destroyed after too many wrong ones.
        self.losePINs()
        self.hold = .stepUp
        self.token = nil
        if self.record.session?.hasPIN == true { self.record.session?.hasPIN = false }
        return self.fail(.stepUpRequired) + [.store(self.record)]
    }

    // MARK: - The end of an operation

    mutating func retry(_ error: TransientError, _ retryAfter: Double?, at now: Moment) -> [Effect] {
        self.running = nil
        guard !self.queue.isEmpty else { return [] }
        self.queue[0].failures += 1
        // The server checks its limits first, so it has not judged the PIN.
        if error != .rateLimited { self.queue[0].mayBeJudged = true }
        let failures = self.queue[0].failures
        let delay = Backoff.delay(after: failures, retryAfter: retryAfter, jitter: now.jitter)
        self.queue[0].notBefore = now.instant + delay
        if self.queue[0].isRevocation {
            guard failures >= Self.attempts else { return [] }
            // The session is over on this device. The server is told when it can be reached.
            defer { self.queue[0].callers = [] }
            return self.queue[0].callers.map { .complete($0, .failed(.noResponse(error))) }
        }
        guard failures >= Self.attempts || delay > Self.patience else { return [] }
        if case .unlock = self.queue[0].work, let pin = self.queue[0].provenPIN, let proof = self.queue[0].proof,
            self.queue[0].isProven
        {
            self.unanswered = (pin.secret, proof)
        }
        return self.fail(.noResponse(error))
    }

    /// Ends the first operation.
    private mutating func complete(_ reply: Reply) -> [Effect] {
        self.running = nil
        guard !self.queue.isEmpty else { return [] }
        return self.queue.removeFirst().callers.map { .complete($0, reply) }
    }

    /// Ends the first operation, and the one that needs it.
    mutating func fail(_ error: SessionError) -> [Effect] {
        guard let first = self.queue.first else { return [] }
        var effects = self.complete(.failed(error))
        if case .setPIN(let candidate, _) = first.work, first.isStored, first.failures == 0, self.wasRefused(error) {
            self.record.pins.removeAll { $0 == candidate.pin }
            effects.append(.store(self.record))
        }
        guard first.isForNext, !self.queue.isEmpty else { return effects }
        return effects + self.fail(error)
    }

    /// Whether the server has not taken what was sent, if it was sent once.
    private func wasRefused(_ error: SessionError) -> Bool {
        [.refused, .wrongPIN, .stepUpRequired].contains(error.kind)
    }
}
