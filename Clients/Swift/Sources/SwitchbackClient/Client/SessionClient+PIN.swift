// The PIN of a session, and its copy for biometrics.

import Foundation

extension SessionClient {
    /// The iterations of PBKDF2 for a new PIN.
    static let iterations = 600_000

    /// Sets the PIN. The server takes it within 15 minutes of the login, and throws `stepUpRequired` later. A PIN is six
    /// ASCII digits or more. With `biometrics`, a face or finger unlocks too.
    public func setPIN(_ pin: String, biometrics: Bool = false) async throws(SessionError) {
        try Self.check(pin)
        try await self.choose(pin, old: nil, biometrics: biometrics ? .new : .none)
    }

    /// Unlocks the session with its PIN, and gets a new access token. `wrongPIN` says how many tries are left.
    ///
    /// If there is no response, call it again with the same PIN: it counts once.
    public func unlock(pin: String) async throws(SessionError) { _ = try await self.unlockedCandidate(pin) }

    /// Replaces the PIN: unlocks with the old one, then sets a new secret under the new one.
    public func changePIN(from old: String, to new: String) async throws(SessionError) {
        try Self.check(new)
        let candidate = try await self.unlockedCandidate(old)
        try await self.choose(new, old: candidate, biometrics: candidate.pin.biometric == nil ? .none : .kept)
    }

    /// Unlocks the session by face or finger. The system asks the user.
    public func unlockWithBiometrics() async throws(SessionError) {
        let record = try await self.record()
        let pins = record.pins.filter { $0.biometric != nil }
        guard let name = record.keyName, !pins.isEmpty else { throw .noBiometrics }
        guard let key = try await self.wrappingKey(name, .biometrics) else { throw .noBiometrics }
        var candidates: [PINCandidate] = []
        for pin in pins {
            guard let wrapped = pin.biometric else { continue }
            guard let bytes = try await self.unwrap(wrapped, key, .biometrics) else { throw .noBiometrics }
            let zeros = [UInt8](repeating: 0, count: PINSecret.size)
            if let secret = PINSecret(masked: Array(bytes), by: zeros) {
                candidates.append(PINCandidate(pin: pin, secret: secret))
            }
        }
        _ = try await self.ask { .unlockWanted($0, candidates) }
    }

    /// Unlocks with the PIN, and adds a copy of its secret for biometrics.
    public func enableBiometrics(pin: String) async throws(SessionError) {
        let candidate = try await self.unlockedCandidate(pin)
        let record = try await self.record()
        guard let name = record.keyName else { throw .signedOut(record.signOutReason) }
        var wrapped = candidate.pin
        wrapped.biometric = try await self.wrapForBiometrics(candidate.secret, name)
        let changedPIN = wrapped
        self.report(.biometricsChanged(changedPIN))
    }

    /// Removes the copy for biometrics.
    public func disableBiometrics() { self.report(.pinsLost(.biometrics)) }

    // MARK: - The secret

    private static func check(_ pin: String) throws(SessionError) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard pin.utf8.count >= 6, pin.utf8.allSatisfy({ digits.contains($0) }) else { throw .malformedPIN }
    }

    private enum Biometrics { case none, new, kept }

    /// A new PIN always has a new secret and a new salt: two maskings of one secret would betray both PINs.
    private func choose(_ pin: String, old: PINCandidate?, biometrics: Biometrics) async throws(SessionError) {
        let record = try await self.record()
        guard record.session != nil, let name = record.keyName else { throw .signedOut(record.signOutReason) }
        let secret = PINSecret(using: self.dependencies.random)
        let salt = PINSecret.randomBytes(16, using: self.dependencies.random)
        let mask = self.derivation.derive(from: Array(pin.utf8), salt: salt, iterations: Self.iterations)
        var wrapped = WrappedPIN(
            salt: Data(salt), iterations: Self.iterations,
            masked: try await self.wrap(Data(secret.masked(by: mask)), name))
        switch biometrics {
        case .none: break
        case .new: wrapped.biometric = try await self.wrapForBiometrics(secret, name)
        // When faces or fingers have changed, the new PIN has no copy.
        case .kept: wrapped.biometric = await self.rewrapForBiometrics(secret, name)
        }
        let candidate = PINCandidate(pin: wrapped, secret: secret)
        _ = try await self.ask { .pinChosen($0, candidate, old: old) }
    }

    /// Unlocks, and returns the secret that the server accepted.
    private func unlockedCandidate(_ pin: String) async throws(SessionError) -> PINCandidate {
        try Self.check(pin)
        let record = try await self.record()
        guard record.session != nil, let name = record.keyName else { throw .signedOut(record.signOutReason) }
        guard !record.pins.isEmpty else { throw .noPIN }
        guard let key = try await self.wrappingKey(name, .pin) else { throw .noPIN }
        var candidates: [PINCandidate] = []
        for wrapped in record.pins {
            guard let masked = try await self.unwrap(wrapped.masked, key, .pin) else { throw .noPIN }
            let mask = self.derivation.derive(
                from: Array(pin.utf8), salt: Array(wrapped.salt), iterations: wrapped.iterations)
            if let secret = PINSecret(masked: Array(masked), by: mask) {
                candidates.append(PINCandidate(pin: wrapped, secret: secret))
            }
        }
        let triedCandidates = candidates
        guard case .unlocked(let index) = try await self.ask({ .unlockWanted($0, triedCandidates) }) else {
            throw .cancelled
        }
        return triedCandidates[index]
    }

    // MARK: - The wrapping keys

    private func wrap(_ bytes: Data, _ name: String) async throws(SessionError) -> Data {
        do throws(SessionKeyError) {
            // A key that wraps former PINs must stay until the server has the new one.
            if let key = try await self.keys.wrappingKey(name, .pin) { return try await key.wrap(bytes) }
            return try await self.keys.makeWrappingKey(name, .pin).wrap(bytes)
        } catch {
            throw error == .unavailable || error == .gone ? .noWrappingKey : SessionError(error)
        }
    }

    private func wrapForBiometrics(_ secret: PINSecret, _ name: String) async throws(SessionError) -> Data {
        do throws(SessionKeyError) {
            return try await self.keys.makeWrappingKey(name, .biometrics).wrap(Data(secret.bytes))
        } catch {
            throw error == .unavailable || error == .gone ? .noBiometrics : SessionError(error)
        }
    }

    /// Wraps under the present key, because the former secret may still be needed.
    private func rewrapForBiometrics(_ secret: PINSecret, _ name: String) async -> Data? {
        try? await self.keys.wrappingKey(name, .biometrics)?.wrap(Data(secret.bytes))
    }

    /// Returns nil when the key is gone, and what it wrapped with it. The session itself is not.
    private func wrappingKey(_ name: String, _ purpose: WrappingPurpose) async throws(SessionError)
        -> (any WrappingKey)?
    {
        do throws(SessionKeyError) {
            if let key = try await self.keys.wrappingKey(name, purpose) { return key }
        } catch {
            guard error == .gone else { throw SessionError(error) }
        }
        self.report(.pinsLost(purpose))
        return nil
    }

    private func unwrap(_ bytes: Data, _ key: any WrappingKey, _ purpose: WrappingPurpose)
        async throws(SessionError) -> Data?
    {
        do throws(SessionKeyError) {
            return try await key.unwrap(bytes)
        } catch {
            guard error == .gone else { throw SessionError(error) }
            self.report(.pinsLost(purpose))
            return nil
        }
    }
}
