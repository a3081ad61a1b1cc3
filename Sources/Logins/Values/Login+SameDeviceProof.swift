// How a same-device proof changes a login. It shows that the app and the browser that logged in are on one device.

extension Login {
    /// How many codes may be tried. There are a million possible codes.
    static let maxCodeTries: UInt8 = 3

    enum ProofAction: Equatable, Sendable {
        /// The proof counts now or when the outcome is known, or the login is over and needs no proof.
        case accepted
        /// The proof is not one of this login, or its policy does not accept it.
        case refused
        case wrongCode(triesLeft: Int)
    }

    /// Takes a valid proof. `seal` encrypts the waiting outcome again, under the header of a completed login.
    mutating func accept(_ proof: SameDeviceProof, seal: (SealedOutcome) -> SealedOutcome?) -> ProofAction {
        guard self.release != .immediate, self.isOpen else { return .accepted }
        guard self.release.accepts(proof) else { return .refused }
        switch self.state {
        case .awaitingReturn(let outcome, _):
            guard let outcome = seal(outcome) else { return .refused }
            self.proof = proof
            self.end(in: .completed(outcome))
        case .exchanging:
            self.proof = proof
        // The browser has returned, but the broker has no result yet.
        case .pending where self.acceptedResponse != nil:
            self.proof = proof
        case .pending, .completed, .failed, .cancelled, .expired, .gone:
            return .refused
        }
        return .accepted
    }

    /// Counts a wrong code. The same write uses up the try.
    mutating func countWrongCode() -> ProofAction {
        if self.codeTries < Self.maxCodeTries { self.codeTries += 1 }
        return .wrongCode(triesLeft: Int(Self.maxCodeTries - self.codeTries))
    }

    var canTryCode: Bool { self.codeTries < Self.maxCodeTries }

    /// Notes that the app has presented the switch proof of this attempt.
    mutating func noteSwitchProof(_ attempt: [UInt8]) {
        guard self.isOpen, self.switchedAttempt.isEmpty || self.acceptedResponse?.attempt == attempt else { return }
        self.switchedAttempt = attempt
    }

    /// True if the app has the switch proof of the attempt whose response came from the browser that started it.
    var hasSwitchProof: Bool {
        guard let response = self.acceptedResponse, response.hasCookie else { return false }
        return response.attempt == self.switchedAttempt
    }
}
