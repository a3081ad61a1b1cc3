/// A call of the app that waits for its result.
public typealias SessionCaller = Int

/// What a session does one after the other, and who waits for it.
struct SessionOperation: Sendable {
    enum Work: Equatable, Sendable {
        /// Finds or makes the key that the next login carries. The name is for a new key.
        case makeKey(name: String)
        case begin(PollSecret, KeyAttestation?)
        case renew
        /// Renews with a proof of the one of these PINs that the server has.
        case unlock([PINCandidate])
        /// `old` is the PIN that the server has, if the login is long ago.
        case setPIN(PINCandidate, old: PINCandidate?)
        case list
        case end(String)
        case revoke(Secret)
    }

    var work: Work
    var callers: [SessionCaller]
    /// Whether the operation behind this one needs its access token, and fails with it.
    var isForNext = false
    /// The proof that is sent until the server has responded to it.
    var proof: String?
    /// Which of the candidates of an unlock is tried.
    var candidate = 0
    /// Whether `proof` has a proof of the PIN. An unlock with an old nonce first gets another one.
    var isProven = false
    /// Whether the server may have judged that proof, though its response was lost.
    var mayBeJudged = false
    /// Whether the record with the new PIN is stored.
    var isStored = false
    var failures = 0
    var nonceRefusals = 0
    var tokenRefusals = 0
    /// Nothing is sent before this time.
    var notBefore: MonotonicInstant?

    init(_ work: Work, _ callers: [SessionCaller] = []) {
        self.work = work
        self.callers = callers
    }

    var isRevocation: Bool {
        if case .revoke = self.work { return true }
        return false
    }

    var needsToken: Bool {
        switch self.work {
        case .setPIN, .list, .end: true
        case .makeKey, .begin, .renew, .unlock, .revoke: false
        }
    }

    /// The PIN that is to be proven, if any.
    var provenPIN: PINCandidate? {
        switch self.work {
        case .unlock(let candidates):
            candidates.indices.contains(self.candidate) ? candidates[self.candidate] : nil
        case .setPIN(_, let old): old
        case .makeKey, .begin, .renew, .list, .end, .revoke: nil
        }
    }
}

/// A secret, and what the device stores of it.
public struct PINCandidate: Hashable, Sendable {
    let pin: WrappedPIN
    let secret: PINSecret
}
