// What the app asks for, and the next request.

import Foundation

extension SessionReducer {
    /// Why the session can do nothing now; nil when it can.
    private var obstacle: SessionError? {
        guard self.record.session != nil else { return .signedOut(self.record.signOutReason) }
        if self.record.isLocked { return .locked(.byApp) }
        switch self.hold {
        case .pin(let triesLeft): return .pinRequired(triesLeft: triesLeft)
        case .stepUp: return .stepUpRequired
        // The device may be unlocked by now.
        case .deviceLocked, nil: return nil
        }
    }

    func isUsable(at now: Moment) -> Bool {
        guard let token else { return false }
        return now.instant + Self.margin < token.until
    }

    mutating func begin(
        _ caller: SessionCaller, _ secret: PollSecret, _ thumbprint: String?, _ nonce: String?,
        _ attestation: KeyAttestation?
    ) -> [Effect] {
        guard let key = self.record.key, key.thumbprint == thumbprint else {
            return [.complete(caller, .failed(.wrongLogin))]
        }
        // It is not known how old it is.
        if let nonce { (self.nonce, self.nonceSince) = (nonce, nil) }
        self.queue.append(SessionOperation(.begin(secret, attestation), [caller]))
        return []
    }

    mutating func giveToken(to caller: SessionCaller, isNew: Bool, at now: Moment) -> [Effect] {
        if let obstacle { return [.complete(caller, .failed(obstacle))] }
        if isNew, !self.queue.contains(where: { $0.work == .renew }) { self.token = nil }
        if let token, self.isUsable(at: now) { return [.complete(caller, .token(token.value))] }
        if let index = self.queue.firstIndex(where: { $0.work == .renew }) {
            self.queue[index].callers.append(caller)
            return []
        }
        self.queue.append(SessionOperation(.renew, [caller]))
        return []
    }

    mutating func unlock(_ caller: SessionCaller, _ candidates: [PINCandidate]) -> [Effect] {
        guard self.record.session != nil else {
            return [.complete(caller, .failed(.signedOut(self.record.signOutReason)))]
        }
        guard !candidates.isEmpty, self.record.session?.refreshToken != nil else {
            return [.complete(caller, .failed(.noPIN))]
        }
        var operation = SessionOperation(.unlock(candidates), [caller])
        if let unanswered, let index = candidates.firstIndex(where: { $0.secret == unanswered.secret }) {
            operation.candidate = index
            operation.proof = unanswered.proof
            operation.isProven = true
        }
        self.queue.append(operation)
        return []
    }

    /// Adds an operation that needs an access token.
    mutating func enqueue(_ operation: SessionOperation) -> [Effect] {
        if let obstacle { return operation.callers.map { .complete($0, .failed(obstacle)) } }
        if case .setPIN = operation.work, self.record.session?.hasPIN == nil {
            return operation.callers.map { .complete($0, .failed(.notAllowed)) }
        }
        if case .end(let id) = operation.work, !Login.isID(id) {
            return operation.callers.map { .complete($0, .failed(.refused(code: "session_unknown"))) }
        }
        self.queue.append(operation)
        return []
    }

    /// Without a PIN nobody could unlock it again, so then it does nothing.
    mutating func lock() -> [Effect] {
        guard self.record.session != nil, !self.record.isLocked, !self.record.pins.isEmpty else { return [] }
        self.record.isLocked = true
        self.token = nil
        return [.store(self.record)]
            + self.failQueue(.locked(.byApp)) { operation in
                switch operation.work {
                case .renew, .setPIN, .list, .end: true
                case .makeKey, .begin, .unlock, .revoke: false
                }
            }
    }

    mutating func losePINs(_ purpose: WrappingPurpose) -> [Effect] {
        guard !self.record.pins.isEmpty else { return [] }
        switch purpose {
        case .pin: self.losePINs()
        case .biometrics: for index in self.record.pins.indices { self.record.pins[index].biometric = nil }
        }
        return [.store(self.record)]
    }

    /// Without its PIN a locked session can only go on with a login.
    mutating func losePINs() {
        self.record.pins = []
        if self.record.isLocked || self.hold != nil { self.hold = .stepUp }
        self.record.isLocked = false
    }

    mutating func replaceBiometrics(of pin: WrappedPIN) -> [Effect] {
        guard let index = self.record.pins.firstIndex(where: { $0.masked == pin.masked }) else { return [] }
        self.record.pins[index] = pin
        return [.store(self.record)]
    }

    /// Ends the session on this device, and tells every caller that waits.
    mutating func signOut(_ reason: SignOutReason, _ caller: SessionCaller?) -> [Effect] {
        var effects = self.failQueue(.signedOut(reason)) { operation in
            switch operation.work {
            case .revoke: false
            // The key stays when the server has ended the session. A login that completes now begins another one.
            case .begin: reason != .ended
            case .makeKey: reason == .byUser
            case .renew, .unlock, .setPIN, .list, .end: true
            }
        }
        let token = reason == .ended ? nil : self.record.session?.refreshToken
        if reason != .ended {
            if let name = self.record.keyName { effects.insert(.removeKeys(name), at: 0) }
            effects += self.restartMakingKey()
            self.record.keyName = nil
            self.record.key = nil
        }
        if self.record.session != nil || reason == .byUser { self.record.signOutReason = reason }
        self.record.session = nil
        self.record.pins = []
        self.record.isLocked = false
        (self.token, self.hold, self.unanswered) = (nil, nil, nil)
        if let token {
            self.record.revocations.append(token)
            self.queue.append(SessionOperation(.revoke(token), caller.map { [$0] } ?? []))
        } else if let caller {
            effects.append(.complete(caller, .done))
        }
        return [.store(self.record)] + effects
    }

    /// The key that is looked for is the one that is gone, so another one is made.
    private mutating func restartMakingKey() -> [Effect] {
        guard let running, case .makeKey? = self.queue.first?.work else { return [] }
        self.running = nil
        return [.abandon(running.number)]
    }

    /// Removes the operations that fit, and tells their callers.
    mutating func failQueue(_ error: SessionError, _ fits: (SessionOperation) -> Bool) -> [Effect] {
        var effects: [Effect] = []
        if let running, let first = self.queue.first, fits(first) {
            effects.append(.abandon(running.number))
            self.running = nil
        }
        let failedOperations = self.queue.filter(fits)
        self.queue.removeAll(where: fits)
        return effects + failedOperations.flatMap(\.callers).map { .complete($0, .failed(error)) }
    }
}

// MARK: - The next request

extension SessionReducer {
    /// Starts what is next. Revocations wait for everything else, because nobody waits for them for long.
    mutating func proceed(at now: Moment) -> [Effect] {
        var effects: [Effect] = []
        while self.running == nil {
            guard let index = self.queue.firstIndex(where: { !$0.isRevocation }) ?? self.queue.indices.first else {
                return effects
            }
            if index != 0 { self.queue.insert(self.queue.remove(at: index), at: 0) }
            if let time = self.queue[0].notBefore {
                guard time <= now.instant else { return effects + [.wake(at: time)] }
                self.queue[0].notBefore = nil
            }
            effects += self.startFirst(at: now)
        }
        return effects
    }

    /// Starts the first operation, puts another one before it, or fails it.
    private mutating func startFirst(at now: Moment) -> [Effect] {
        let operation = self.queue[0]
        if case .makeKey(let name) = operation.work {
            if let keyName = self.record.keyName { return self.findKey(keyName, at: now) }
            var record = self.record
            record.keyName = name
            return self.storeFirst(record, nil, at: now)
        }
        if operation.needsToken, !self.isUsable(at: now) {
            self.queue[0].proof = nil
            self.queue[0].isStored = false
            var renewal = SessionOperation(.renew)
            renewal.isForNext = true
            self.queue.insert(renewal, at: 0)
            return []
        }
        if case .setPIN(let candidate, _) = operation.work, !operation.isStored {
            var record = self.record
            // The server has one of the last PINs, or the one that it confirmed, which is the last in the list.
            record.pins = [candidate.pin] + (record.pins.count > 2 ? [record.pins[0], record.pins[2]] : record.pins)
            return self.storeFirst(record, nil, at: now)
        }
        guard let call = self.makeCall(for: operation) else {
            if self.record.session != nil { self.hold = .stepUp }
            return self.fail(.stepUpRequired)
        }
        if operation.isRevocation { return self.send(call, proof: nil, at: now) }
        if let proof = operation.proof { return self.send(call, proof: proof, at: now) }
        guard let name = self.record.keyName, let key = self.record.key else { return self.fail(.wrongLogin) }
        self.count += 1
        var proof = DPoPProof(
            key: key, method: call.method, url: call.url, id: now.proofID,
            issuedAt: Int(now.date.timeIntervalSince1970.rounded(.down)), nonce: self.nonce,
            accessToken: operation.needsToken ? self.token?.value : nil)
        self.queue[0].isProven = false
        if let pin = operation.provenPIN, let session = self.record.session, self.hasNewNonce(at: now) {
            proof.pinID = pin.pin.id
            proof.pinProof = pin.secret.proof(session: session.id, nonce: self.nonce ?? "", id: proof.id)
            self.queue[0].isProven = true
        }
        let text = proof.signingInput
        self.running = Running(
            number: self.count, phase: .signing, call: call, signingInput: text, since: now.instant)
        return [.sign(self.count, key: name, text: text)]
    }

    private func hasNewNonce(at now: Moment) -> Bool {
        guard let nonceSince else { return false }
        return now.instant <= nonceSince + Self.nonceAge
    }

    private func makeCall(for operation: SessionOperation) -> SessionCall? {
        switch operation.work {
        case .makeKey: return nil
        case .begin(let secret, let attestation): return .begin(secret, attestation, at: self.server)
        case .renew, .unlock:
            return self.record.session?.refreshToken.map { .renew($0, app: self.app, at: self.server) }
        case .setPIN(let candidate, _):
            guard let session = self.record.session, let token else { return nil }
            return .setPIN(candidate, of: session.id, token.value, at: self.server)
        case .list: return self.token.map { .list($0.value, at: self.server) }
        case .end(let id):
            return self.token.map { .end(id, $0.value, at: self.server) }
        case .revoke(let token): return .revoke(token, at: self.server)
        }
    }

    private mutating func send(_ call: SessionCall, proof: String?, at now: Moment) -> [Effect] {
        self.count += 1
        self.running = Running(number: self.count, phase: .sent, call: call, since: now.instant)
        return [.send(self.count, call.request(proof: proof))]
    }

    private mutating func findKey(_ name: String, at now: Moment) -> [Effect] {
        self.count += 1
        self.running = Running(number: self.count, phase: .key, since: now.instant)
        // The key of a session cannot be made again.
        return [.findKey(self.count, name: name, mayMake: self.record.session == nil)]
    }

    mutating func storeFirst(_ record: SavedSession, _ token: Token?, at now: Moment) -> [Effect] {
        self.count += 1
        self.running = Running(number: self.count, phase: .storing(record, token), since: now.instant)
        return [.storeFirst(self.count, record)]
    }
}
