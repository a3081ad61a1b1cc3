import Base

@testable import Logins

/// Sample logins in every state, and the parts they are made of.
enum Example {
    static let start = Timestamp(seconds: 1_000_000)
    static let key = ServerKey.make()
    static let secret = PollSecret.make()
    static let returnTimeout = Duration.seconds(120)

    static func after(_ seconds: Int) -> Timestamp { self.start + .seconds(seconds) }

    static func attempt(_ number: UInt8) -> AuthorizationAttempt {
        AuthorizationAttempt(id: Array(repeating: number, count: 16), openedAt: self.after(1), inFlight: [number])
    }

    static func hash(_ number: UInt8) -> [UInt8] { Array(repeating: number, count: 32) }

    static let outcome = SealedOutcome(sealed: [1, 2, 3], proof: .none, keepUntil: after(700))

    static func login(release: ReleasePolicy = .immediate) -> Login {
        Login(
            id: self.secret.loginID, keyID: self.key.id, app: "demo", provider: "mitid", broker: "sandbox",
            platform: .ios, locale: "da", surface: .tab, callback: nil, release: release, createdAt: self.start,
            deadline: self.after(600),
            resultTTL: 600_000, pollVerifier: self.hash(8), bodyVerifier: self.hash(9), request: [],
            wrappedKey: self.hash(7))
    }
}

/// The stages of a login: every state, by name.
enum Stage: String, CaseIterable, Sendable {
    case pending, opened, exchanging, awaitingReturn, completed, failed, cancelledByUser, cancelledByApp, expired, gone

    /// Returns a login at this stage. `release` sets its policy where that matters; a login that waits for a proof
    /// needs one.
    func login(_ release: ReleasePolicy? = nil) -> Login {
        let isDone = self == .completed || self == .gone
        let usual: ReleasePolicy = self == .awaitingReturn ? .returnLink : .immediate
        var login = Example.login(release: isDone ? .immediate : release ?? usual)
        guard self != .pending else { return login }
        if self == .expired {
            _ = login.lapse(at: Example.after(600))
            return login
        }
        if self == .cancelledByApp {
            _ = login.cancel(force: false, at: Example.after(2))
            return login
        }
        _ = login.start(Example.attempt(1), at: Example.after(1))
        guard self != .opened else { return login }
        let answer: ExampleResponse
        switch self {
        case .failed: answer = .denied(.brokerError)
        case .cancelledByUser: answer = .denied(.userCancelled)
        default: answer = .granted(code: [5])
        }
        _ = login.acceptCallback(answer, to: Example.attempt(1).id, hash: Example.hash(1), at: Example.after(2))
        if self == .completed || self == .awaitingReturn || self == .gone {
            _ = login.settle(Example.outcome, at: Example.after(3), timeout: Example.returnTimeout)
        }
        if self == .gone { _ = login.acknowledge(at: Example.after(4)) }
        return login
    }

    /// Returns what is left of the login once it is wiped. Nil before it is final.
    func ending(isAcknowledged: Bool) -> TombstoneStatus? {
        switch self {
        case .pending, .opened, .exchanging, .awaitingReturn: nil
        case .completed: isAcknowledged ? .delivered : .unclaimed
        case .failed: .failed(.brokerError)
        case .cancelledByUser: .cancelled(.userCancelled)
        case .cancelledByApp: .cancelled(.appCancelled)
        case .expired: .expired
        case .gone: .delivered
        }
    }
}
