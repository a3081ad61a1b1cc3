import Foundation

/// The state machine behind `SessionClient`: takes an event, and returns the effects to perform.
///
///     signed out ─▶ begin ─▶ active ⇄ renew ─▶ PIN required ─▶ unlock ─▶ active
///                              │         └──▶ step-up required ─▶ begin
///                              └──▶ signed out: ended by the server, key gone, or the user
///
/// It has no clock, no randomness, no storage, no key, no network and no screen. It does one operation at a time, so
/// callers that need a new access token share one renewal.
///
/// `SessionClient` runs it. If you run it yourself, perform all effects in order, and report each result as an event.
public struct SessionReducer: Sendable {
    /// What the storage keeps of the session.
    public internal(set) var record: SavedSession

    /// Why an existing session gives no access tokens.
    enum Hold: Equatable, Sendable {
        case deviceLocked
        case pin(triesLeft: Int?)
        case stepUp
    }

    struct Token: Equatable, Sendable {
        let value: Secret
        let until: MonotonicInstant
    }

    /// The operation in front of the queue, while something is done for it.
    struct Running: Sendable {
        enum Phase: Sendable {
            case key, signing, sent
            /// The record is stored. With a begin, it and its token count from then on.
            case storing(SavedSession, Token?)
        }

        let number: Int
        var phase: Phase
        var call: SessionCall?
        var signingInput = ""
        let since: MonotonicInstant
    }

    let server: URL
    let app: String
    var hold: Hold?
    var token: Token?
    var nonce: String?
    /// When the server gave the nonce.
    var nonceSince: MonotonicInstant?
    var queue: [SessionOperation] = []
    var running: Running?
    var count = 0
    /// A proof of a PIN to which there was no response. The same PIN is tried with the same proof, which the server
    /// counts once.
    var unanswered: (secret: PINSecret, proof: String)?
    private var isStarted = false

    /// How often an operation is sent before its callers are told, and how long they wait for `Retry-After`.
    static let attempts = 3
    static let patience: Double = 15
    /// A token is not used in its last seconds, because it must still be valid when it arrives.
    static let margin: Double = 20
    /// A PIN is not proven with an older nonce, in seconds. While the request is repeated, the server must not take the
    /// nonce for too old: only a repetition of the same proof is certain to count once.
    static let nonceAge: Double = 120

    /// Creates a reducer for the session in the storage. `app` is the app's name in the server's configuration.
    public init(_ record: SavedSession, server: URL, app: String) {
        self.record = record
        self.server = server
        self.app = app
    }

    /// How the session stands.
    public var state: SessionState {
        guard let session = self.record.session else { return .signedOut(self.record.signOutReason) }
        if self.record.isLocked { return .locked(.byApp) }
        switch self.hold {
        case .deviceLocked: return .locked(.deviceLocked)
        case .pin(let triesLeft): return .pinRequired(triesLeft: triesLeft)
        case .stepUp: return .stepUpRequired
        case nil:
            return .active(needsPIN: session.hasPIN != nil && (session.hasPIN == false || self.record.pins.isEmpty))
        }
    }

    /// Takes an event and returns its effects.
    public mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
        let (state, wasStarted) = (self.state, self.isStarted)
        var effects = self.take(event, at: now) + self.proceed(at: now)
        if self.state != state || !wasStarted {
            // A caller that learns its result must find the new state, so the state is first.
            let index = effects.firstIndex { if case .complete = $0 { true } else { false } }
            effects.insert(.present(self.state), at: index ?? effects.endIndex)
        }
        return effects
    }

    private mutating func take(_ event: Event, at now: Moment) -> [Effect] {
        switch event {
        case .started: return self.start(at: now)
        case .recordWanted(let caller): return [.complete(caller, .record(self.record))]
        case .keyWanted(let caller, let name):
            self.queue.append(SessionOperation(.makeKey(name: name), [caller]))
            return []
        case .beginWanted(let caller, let secret, let thumbprint, let nonce, let attestation):
            return self.begin(caller, secret, thumbprint, nonce, attestation)
        case .tokenWanted(let caller, let isNew): return self.giveToken(to: caller, isNew: isNew, at: now)
        case .unlockWanted(let caller, let candidates): return self.unlock(caller, candidates)
        case .pinChosen(let caller, let pin, let old):
            return self.enqueue(SessionOperation(.setPIN(pin, old: old), [caller]))
        case .pinsLost(let purpose): return self.losePINs(purpose)
        case .biometricsChanged(let pin): return self.replaceBiometrics(of: pin)
        case .listWanted(let caller): return self.enqueue(SessionOperation(.list, [caller]))
        case .endWanted(let caller, let id): return self.enqueue(SessionOperation(.end(id), [caller]))
        case .lockWanted: return self.lock()
        case .signOutWanted(let caller): return self.signOut(.byUser, caller)
        case .keyGone: return self.record.session == nil ? [] : self.signOut(.keyGone, nil)
        case .stored(let number): return self.handleStored(number)
        case .storeFailed(let number): return self.handleStoreFailed(number)
        case .keyFound(let number, let key): return self.handleKey(number, key)
        case .keyFailed(let number, let error): return self.handleKeyError(number, error)
        case .signed(let number, let signature): return self.handleSignature(number, signature)
        case .responded(let number, let response): return self.handleResponse(number, response, at: now)
        case .requestFailed(let number):
            guard self.running?.number == number else { return [] }
            return self.retry(.noResponse, nil, at: now)
        case .timerFired: return []
        }
    }

    private mutating func start(at now: Moment) -> [Effect] {
        guard !self.isStarted else { return [] }
        self.isStarted = true
        if let session = self.record.session, let token = session.accessToken, let end = session.expiresAt {
            // The wall clock may have been changed; a token that is no longer valid is refused by its API.
            let remainingSeconds = min(max(end.timeIntervalSince(now.date), 0), 3600)
            self.token = Token(value: token, until: now.instant + remainingSeconds)
        }
        self.queue += self.record.revocations.map { SessionOperation(.revoke($0)) }
        return []
    }
}

// MARK: - Events and effects

extension SessionReducer {
    /// When an event happens, and the chance that it needs.
    public struct Moment: Sendable {
        /// The time on the clock that never goes back.
        public var instant: MonotonicInstant
        /// The wall clock.
        public var date: Date
        /// The id of the next proof: at least 96 random bits as base64url.
        public var proofID: String
        /// From 0 to 1: spreads the retries of clients that failed together.
        public var jitter: Double

        /// Creates a moment.
        public init(instant: MonotonicInstant, date: Date, proofID: String, jitter: Double = 0) {
            self.instant = instant
            self.date = date
            self.proofID = proofID
            self.jitter = jitter
        }
    }

    /// Something that happened. The ones with a caller are completed once.
    public enum Event: Sendable {
        /// The app was started.
        case started
        /// The app needs the record.
        case recordWanted(SessionCaller)
        /// A login is about to start. The name is for a new key, if there is none.
        case keyWanted(SessionCaller, name: String)
        /// A login has completed. The thumbprint is the one that it carried, the nonce is from its responses.
        case beginWanted(
            SessionCaller, PollSecret, thumbprint: String?, nonce: String?, attestation: KeyAttestation? = nil)
        /// The app needs an access token. With `isNew`, its API has refused the present one.
        case tokenWanted(SessionCaller, isNew: Bool)
        /// The user typed a PIN, or was recognized.
        case unlockWanted(SessionCaller, [PINCandidate])
        /// The user chose a PIN. `old` is the former one, if the user typed that too.
        case pinChosen(SessionCaller, PINCandidate, old: PINCandidate?)
        /// The wrapping key is gone, and what it wrapped with it.
        case pinsLost(WrappingPurpose)
        /// A PIN got a copy for biometrics, or lost it.
        case biometricsChanged(WrappedPIN)
        /// The app shows the user's sessions.
        case listWanted(SessionCaller)
        /// The user ends a session.
        case endWanted(SessionCaller, String)
        /// The app locks the session.
        case lockWanted
        /// The user signs out.
        case signOutWanted(SessionCaller)
        /// The key was found to be gone while it signed for an API.
        case keyGone
        /// The record of `storeFirst` with this number is stored.
        case stored(Int)
        /// It is not.
        case storeFailed(Int)
        /// The key of `findKey`.
        case keyFound(Int, P256PublicKey)
        /// There is no key, or it cannot sign.
        case keyFailed(Int, SessionKeyError)
        /// The signature of `sign`.
        case signed(Int, Data)
        /// The response to the request with this number.
        case responded(Int, HTTPResponse)
        /// The request with this number got no response, and will get none.
        case requestFailed(Int)
        /// The time of the last `wake` has come.
        case timerFired
    }

    /// Something to do. Perform the effects in order.
    public enum Effect: Equatable, Sendable {
        /// Store the record, and report `stored` or `storeFailed`.
        case storeFirst(Int, SavedSession)
        /// Store the record. If that fails, continue.
        case store(SavedSession)
        /// Find the key, or make it if `mayMake`; report `keyFound`, or `keyFailed`.
        case findKey(Int, name: String, mayMake: Bool)
        /// Remove the keys with this name.
        case removeKeys(String)
        /// Sign the ASCII text with this key, and report `signed` or `keyFailed`.
        case sign(Int, key: String, text: String)
        /// Send this request, and report `responded` or `requestFailed`.
        case send(Int, HTTPRequest)
        /// Cancel what is done under this number.
        case abandon(Int)
        /// Report `timerFired` at this time. Only the last `wake` counts.
        case wake(at: MonotonicInstant)
        /// Tell the caller.
        case complete(SessionCaller, Reply)
        /// Tell the app.
        case present(SessionState)
    }

    /// What a caller gets.
    public enum Reply: Equatable, Sendable {
        /// It is done.
        case done
        /// An access token.
        case token(Secret)
        /// The key's thumbprint.
        case thumbprint(String)
        /// The PIN was right; the number is that of its candidate.
        case unlocked(Int)
        /// The user's sessions.
        case sessions([SessionSummary])
        /// The record.
        case record(SavedSession)
        /// It failed.
        case failed(SessionError)
    }
}
