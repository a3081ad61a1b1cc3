import Base
import Brokers

/// One login, from the app's first request until the app has its result.
///
///     pending ──▶ exchanging ──▶ awaitingReturn ──▶ completed ──▶ gone
///        └────────────┴───────────────┴──▶ failed, cancelled, expired ──▶ gone
///
/// It is a pure value without a clock, random source, key, store or network. A transition may run more than once; the
/// caller then performs the returned action.
struct Login: Equatable, Sendable {
    enum State: Equatable, Sendable {
        /// No browser has returned from the broker.
        case pending
        /// A code was taken and is being redeemed. There is never a second one.
        case exchanging(Exchange)
        /// The identity is known, but the same-device proof is missing.
        case awaitingReturn(SealedOutcome, until: Timestamp)
        case completed(SealedOutcome)
        case failed(Reason, keepUntil: Timestamp)
        case cancelled(Reason, keepUntil: Timestamp)
        case expired(keepUntil: Timestamp)
        /// The tombstone of a login that was acknowledged or kept long enough. It stays for a day, so that we can tell
        /// the login from an unknown id and its page can still show how it ended.
        case gone(TombstoneStatus, until: Timestamp)
    }

    let id: LoginID
    /// The server key of all its encrypted fields and codes.
    let keyID: [UInt8]
    let app: String
    let provider: String
    let broker: String
    let platform: AuthorizationContext.Platform?
    let locale: String?
    /// Where the app opens the browser.
    let surface: AuthorizationContext.Surface?
    let callback: ReturnCallback?
    let release: ReleasePolicy
    let createdAt: Timestamp
    let deadline: Timestamp
    /// How long a result is kept, in milliseconds.
    let resultTTL: Int64
    let pollVerifier: [UInt8]
    let bodyVerifier: [UInt8]
    /// The app's authorize parameters and nonce, encrypted. Empty if there are none.
    let request: [UInt8]

    /// The outcome's key, wrapped. Empty once the outcome is stored or cannot come any more.
    var wrappedKey: [UInt8]
    /// Rises with every change that an app can act on.
    var version = 1
    /// Rises with every write.
    var revision: Int64 = 1
    var state = State.pending
    var attempts: [AuthorizationAttempt] = []
    var acceptedResponse: AcceptedResponse?
    /// All that a stored tombstone keeps of the response: the beginning of its code in page tokens. Otherwise empty.
    var pageCode: [UInt8] = []
    /// A proof that arrived before there was an outcome to release.
    var proof: SameDeviceProof?
    /// The number of wrong codes so far.
    var codeTries: UInt8 = 0
    /// The URL at which the browser continues after the e-ID's app, encrypted. Empty if there is none.
    var resume: [UInt8] = []
    /// The broker's latest report about the e-ID's app.
    var hint: Hint?
    /// How often the app has reported that the user returned.
    var returns = 0
    /// The attempt whose switch proof the app has presented. Empty if there is none.
    var switchedAttempt: [UInt8] = []
    /// The app has returned without a link, and we have seen no browser since. The report may be wrong, because phones
    /// report minimised tabs and app switches as closed browsers. So it ends nothing.
    var isBrowserGone = false
    /// Whether a response was taken that the login has given back since, because it was another login's. Counts need it.
    var wasAnswered = false
    /// Whether that response was redeemed.
    var wasRedeemed = false
}

extension Login {
    /// How long the tombstone of a login stays: `410` instead of `404`.
    static let tombstoneLifetime = Duration.seconds(24 * 60 * 60)
    /// How much a tombstone keeps of the verifier of the poll secret, and of the code of the page token.
    static let tombstoneCodeByteCount = 8
    /// How long the tombstone of a login stays that was dropped before any browser opened it.
    static let unstartedTombstoneLifetime = Duration.seconds(60)
    /// How long a result waits for the same-device proof, if its app says nothing else. The page can double it once.
    static let returnTimeout = Duration.seconds(300)
    /// The lease of an exchange, and of the polling for a backchannel transaction.
    static let leaseDuration = Duration.seconds(15)
    /// The lease of a backchannel transaction is renewed after this time.
    static let renewal = Duration.seconds(7)

    /// Nil for a tombstone.
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

    /// The next time at which a process must look at the login: to apply `lapse`, or to `recover` it.
    var due: Timestamp {
        switch self.state {
        case .pending: self.attempts.compactMap(\.pollLeaseUntil).reduce(self.lapsesAt) { min($0, $1) }
        case .exchanging(let exchange): exchange.leaseUntil
        case .awaitingReturn, .completed, .failed, .cancelled, .expired, .gone: self.lapsesAt
        }
    }

    /// The next time at which the login changes without a request (`lapse`).
    var lapsesAt: Timestamp {
        switch self.state {
        case .pending: self.deadline
        // One more lease after the current one, so that another process can take over first.
        case .exchanging(let exchange): max(self.deadline, exchange.leaseUntil + Login.leaseDuration)
        case .awaitingReturn(_, let until): until
        case .completed(let outcome): outcome.keepUntil
        case .failed(_, let keepUntil), .cancelled(_, let keepUntil), .expired(let keepUntil): keepUntil
        case .gone(_, let until): until
        }
    }

    /// True for a tombstone.
    var isOver: Bool { self.status == nil }

    /// Whether a browser has returned.
    var hasReturned: Bool { self.acceptedResponse != nil || !self.pageCode.isEmpty }

    /// Whether this is the verifier of the login's secret. A stored tombstone keeps only its beginning.
    func isMade(with verifier: [UInt8]) -> Bool {
        guard self.isOver else { return equalInConstantTime(self.pollVerifier, verifier) }
        let prefix = { (verifier: [UInt8]) in Array(verifier.prefix(Login.tombstoneCodeByteCount)) }
        return equalInConstantTime(prefix(self.pollVerifier), prefix(verifier))
    }

    /// True while the login counts towards the limit of pending logins.
    var isOpen: Bool { self.status.map { !$0.isFinal } ?? false }

    /// Moves to a new state and wipes all in-flight values in the same write.
    mutating func end(in state: State) {
        self.state = state
        self.attempts = []
        self.wrappedKey = []
        self.resume = []
        self.hint = nil
        self.version += 1
    }

    func keepUntil(from now: Timestamp) -> Timestamp { now + .milliseconds(self.resultTTL) }
}

/// The status of a login, with the names of the API.
package enum LoginStatus: String, CaseIterable, Sendable {
    case pending
    case exchanging
    case awaitingReturn = "awaiting_return"
    case completed
    case failed
    case cancelled
    case expired

    package var isFinal: Bool {
        switch self {
        case .pending, .exchanging, .awaitingReturn: false
        case .completed, .failed, .cancelled, .expired: true
        }
    }
}
