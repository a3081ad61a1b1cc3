/// What an app's proof does to a login: it shows that the app and the browser that logged in are on one device.

extension Login {
    /// So many codes may be tried; a million are possible.
    static let mostCodeTries: UInt8 = 3

    enum ProofAction: Equatable, Sendable {
        /// It counts now, or will when the outcome is known; or the login is over, whatever is shown.
        case taken
        /// Not one of this login's, or not one that its rule accepts.
        case refused
        case wrongCode(triesLeft: Int)
    }

    /// A right proof. `seal` makes the waiting outcome the app's, under its new header.
    mutating func take(_ proof: Proof, seal: (Outcome) -> Outcome?) -> ProofAction {
        guard self.release != .immediate, self.isOpen else { return .taken }
        guard self.release.accepts(proof) else { return .refused }
        switch self.state {
        case .awaitingReturn(let outcome, _):
            guard let outcome = seal(outcome) else { return .refused }
            self.proof = proof
            self.end(in: .completed(outcome))
        case .exchanging:
            self.proof = proof
        // The browser is back, and the broker has yet to tell how it went.
        case .pending where self.taken != nil:
            self.proof = proof
        case .pending, .completed, .failed, .cancelled, .expired, .gone:
            return .refused
        }
        return .taken
    }

    /// A wrong code. The try is spent in the same write.
    mutating func missCode() -> ProofAction {
        if self.codeTries < Self.mostCodeTries { self.codeTries += 1 }
        return .wrongCode(triesLeft: Int(Self.mostCodeTries - self.codeTries))
    }

    var mayTryCode: Bool { self.codeTries < Self.mostCodeTries }

    /// The app has handed in the switch proof of this opening.
    mutating func noteSwitch(_ opening: [UInt8]) {
        guard self.isOpen, self.switched.isEmpty || self.taken?.opening == opening else { return }
        self.switched = opening
    }

    /// True when the app has the switch proof of the opening whose answer came by the browser that set out.
    var isSwitched: Bool {
        guard let taken = self.taken, taken.hasCookie else { return false }
        return taken.opening == self.switched
    }
}
