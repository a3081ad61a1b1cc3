/// One login, from the app's first request until the app has its outcome.
///
///     pending ──▶ exchanging ──▶ awaitingReturn ──▶ completed ──▶ gone
///        └────────────┴───────────────┴──▶ failed, cancelled, expired ──▶ gone
///
/// It is a value. It knows no clock, no random source, no key, no store and no network: a transition may run more than
/// once, and the caller then does what the returned action says.
import Base
import Brokers

struct Login: Equatable, Sendable {
    enum State: Equatable, Sendable {
        /// Nobody has come back from the broker.
        case pending
        /// A code has been taken and is being redeemed. There is never a second one.
        case exchanging(Exchange)
        /// The identity is known; the same-device proof is missing.
        case awaitingReturn(Outcome, until: Timestamp)
        case completed(Outcome)
        case failed(Reason, keepUntil: Timestamp)
        case cancelled(Reason, keepUntil: Timestamp)
        case expired(keepUntil: Timestamp)
        /// Acknowledged or kept long enough. It stays for a day, so that it is told apart from an unknown id, and so that
        /// its page can still say how it ended.
        case gone(Ending, until: Timestamp)
    }

    let id: LoginID
    /// Which server key all its seals and codes are made with.
    let keyID: [UInt8]
    let app: String
    let provider: String
    let broker: String
    let platform: Visit.Platform?
    let locale: String?
    /// Where the app opens the browser.
    let surface: Visit.Surface?
    let callback: ReturnCallback?
    let release: Release
    let createdAt: Timestamp
    let deadline: Timestamp
    /// How long a result is kept, in milliseconds.
    let resultTTL: Int64
    let pollVerifier: [UInt8]
    let bodyVerifier: [UInt8]
    /// The app's authorize parameters and nonce, sealed; empty when there are none.
    let request: [UInt8]

    /// The outcome's key, wrapped; empty once the outcome is sealed or there will be none.
    var wrappedKey: [UInt8]
    /// Raised by every change that an app can act on.
    var version = 1
    /// Raised by every write.
    var revision: Int64 = 1
    var state = State.pending
    var openings: [Opening] = []
    var taken: TakenResponse?
    /// Seen before there was an outcome to release.
    var proof: Proof?
    /// Wrong codes so far.
    var codeTries: UInt8 = 0
    /// Where the browser has to go on after the e-ID's app, sealed; empty when it need not.
    var resume: [UInt8] = []
    /// What the broker last told of the e-ID's app.
    var hint: Hint?
    /// How often the app said that the person is back.
    var returns = 0
    /// The opening whose switch proof the app has handed in; empty while there is none.
    var switched: [UInt8] = []
    /// The app has come back without a link, and no browser has been seen since. It may be wrong: phones report minimised
    /// tabs and app switches as closed browsers. So this ends nothing.
    var isBrowserGone = false
}

extension Login {
    /// How long a login that is over stays known: `410` instead of `404`.
    static let goneFor = Duration.seconds(24 * 60 * 60)
    /// How long a login that had to make room before anybody opened it stays known.
    static let unopenedKeptFor = Duration.seconds(60)
    /// How long a result waits for the proof.
    static let awaitsReturnFor = Duration.seconds(120)
    /// How long one holder may take over an exchange, and is waited for who walks a trip.
    static let lease = Duration.seconds(15)
    /// After this part of it the lease of a trip is renewed.
    static let renewal = Duration.seconds(7)

    /// Nil once it is gone.
    var status: LoginStatus? {
        switch self.state {
        case .pending: .pending
        case .exchanging: .exchanging
        case .awaitingReturn: .awaitingReturn
        case .completed: .completed
        case .failed: .failed
        case .cancelled: .cancelled
        case .expired: .expired
        case .gone: nil
        }
    }

    var reason: Reason? {
        switch self.state {
        case .failed(let reason, _), .cancelled(let reason, _): reason
        case .expired: .timeout
        case .pending, .exchanging, .awaitingReturn, .completed, .gone: nil
        }
    }

    /// When somebody has to look at it next: time has ended it, or somebody has left it (`recover`).
    var due: Timestamp {
        switch self.state {
        case .pending: self.openings.compactMap(\.walkedUntil).reduce(self.lapsesAt) { min($0, $1) }
        case .exchanging(let exchange): exchange.leaseUntil
        case .awaitingReturn, .completed, .failed, .cancelled, .expired, .gone: self.lapsesAt
        }
    }

    /// When time alone changes it next (`lapse`).
    var lapsesAt: Timestamp {
        switch self.state {
        case .pending: self.deadline
        // A lease's time longer than its lease: somebody may take it over.
        case .exchanging(let exchange): max(self.deadline, exchange.leaseUntil + Login.lease)
        case .awaitingReturn(_, let until): until
        case .completed(let outcome): outcome.keepUntil
        case .failed(_, let keepUntil), .cancelled(_, let keepUntil), .expired(let keepUntil): keepUntil
        case .gone(_, let until): until
        }
    }

    /// Wiped, and kept only so that it is known to be gone.
    var isOver: Bool { self.status == nil }

    /// True while it counts as a pending login.
    var isOpen: Bool { self.status.map { !$0.isFinal } ?? false }

    /// Moves to an end: whatever was in flight is wiped in the same write.
    mutating func end(in state: State) {
        self.state = state
        self.openings = []
        self.wrappedKey = []
        self.resume = []
        self.hint = nil
        self.version += 1
    }

    func keepUntil(from now: Timestamp) -> Timestamp { now + .milliseconds(self.resultTTL) }
}
