import Base
import TestSupport
import Testing

@testable import Logins

/// Table tests of how each event changes a login in each state.
@Suite struct LoginTransitionTests {
    @Test func `every stage has its status`() {
        let expected: [Stage: LoginStatus?] = [
            .pending: .pending, .opened: .pending, .exchanging: .exchanging, .awaitingReturn: .awaitingReturn,
            .completed: .completed, .failed: .failed, .cancelledByUser: .cancelled, .cancelledByApp: .cancelled,
            .expired: .expired, .gone: nil,
        ]
        for stage in Stage.allCases { #expect(stage.login().status == expected[stage], "\(stage)") }
    }

    @Test(arguments: Stage.allCases) func `only a pending login starts an attempt`(_ stage: Stage) {
        var login = stage.login()
        let before = login
        let action = login.start(Example.attempt(9), at: Example.after(5))
        #expect(action == ([.pending, .opened].contains(stage) ? .send : .show))
        if action == .show { #expect(login == before) }
        #expect(login.version == before.version, "an app cannot act on an opening")
    }

    private static let proofs: [(SameDeviceProof, ReleasePolicy)] = [
        SameDeviceProof.callbackLink, .pageLink, .pageCode,
    ].flatMap { proof in
        [ReleasePolicy.returnLink, .code].map { (proof, $0) }
    }

    @Test(arguments: Stage.allCases, proofs) func `a proof completes a login if the policy accepts it`(
        _ stage: Stage, _ shown: (proof: SameDeviceProof, release: ReleasePolicy)
    ) {
        let (proof, release) = shown
        var login = stage.login(release)
        let before = login
        let sealed = SealedOutcome(sealed: [9], proof: proof, keepUntil: Example.after(700))
        let action = login.accept(proof) { _ in sealed }
        let isAccepted = release == .returnLink || proof == .pageCode
        switch stage {
        case .awaitingReturn where isAccepted:
            #expect(action == .accepted)
            #expect(login.state == .completed(sealed))
            #expect(login.version == before.version + 1)
        case .exchanging where isAccepted:
            #expect(action == .accepted)
            #expect(login.proof == proof)
            #expect(login.version == before.version, "an app cannot act on it")
            #expect(login.settle(Example.outcome, at: Example.after(4), timeout: Example.returnTimeout) == .ended)
            #expect(login.status == .completed)
        case .pending, .opened, .exchanging, .awaitingReturn:
            #expect(action == .refused)
            #expect(login == before)
        case .completed, .failed, .cancelledByUser, .cancelledByApp, .expired, .gone:
            #expect(action == .accepted, "it is over, whatever is shown")
            #expect(login == before)
        }
    }

    @Test func `a wrong code uses up a try`() {
        var login = Stage.awaitingReturn.login()
        let left = (0..<4).map { _ in login.countWrongCode() }
        #expect(left == [2, 1, 0, 0].map { .wrongCode(triesLeft: $0) })
        #expect(!login.canTryCode)
        #expect(login.status == .awaitingReturn)
    }

    @Test(arguments: Stage.allCases) func `a refused request ends only a login without an attempt`(_ stage: Stage) {
        var login = stage.login()
        let before = login
        login.refuse(.brokerError, at: Example.after(5))
        guard stage == .pending else { return #expect(login == before) }
        #expect(login.status == .failed)
        #expect(login.reason == .brokerError)
        #expect(login.version == before.version + 1)
        #expect(login.wrappedKey.isEmpty)
    }

    @Test(arguments: Stage.allCases) func `only a login with an attempt accepts a callback`(_ stage: Stage) {
        var login = stage.login()
        let before = login
        let action = login.acceptCallback(
            .granted(code: [6]), to: Example.attempt(1).id, hash: Example.hash(6), at: Example.after(5))
        switch stage {
        case .opened:
            guard case .exchange(let exchange) = action else { return #expect(Bool(false), "\(action)") }
            #expect(exchange.code == [6])
            #expect(login.status == .exchanging)
        case .cancelledByApp, .expired:
            #expect(action == .show, "too late, and told so")
            #expect(login.version == before.version)
            #expect(login.status == before.status)
        case .pending, .exchanging, .awaitingReturn, .completed, .failed, .cancelledByUser, .gone:
            #expect(action == .ignore)
            #expect(login == before, "another response changes nothing")
        }
    }

    @Test(arguments: [Stage.exchanging, .awaitingReturn, .completed, .failed, .cancelledByUser])
    func `a repeated response gets its page again`(_ stage: Stage) {
        var login = stage.login()
        let before = login
        let again = login.acceptCallback(
            .granted(code: [6]), to: Example.attempt(1).id, hash: Example.hash(1), at: Example.after(5))
        #expect(again == .show)
        #expect(login == before)
    }

    @Test func `of two attempts, one wins`() {
        var login = Stage.opened.login()
        _ = login.start(Example.attempt(2), at: Example.after(2))
        let first = login.acceptCallback(
            .granted(code: [1]), to: Example.attempt(2).id, hash: [2], at: Example.after(3))
        let second = login.acceptCallback(
            .granted(code: [2]), to: Example.attempt(1).id, hash: [1], at: Example.after(3))
        guard case .exchange = first else { return #expect(Bool(false)) }
        #expect(second == .ignore)
    }

    @Test(arguments: Stage.allCases) func `only an exchanging login is settled`(_ stage: Stage) {
        var login = stage.login()
        let before = login
        let action = login.settle(Example.outcome, at: Example.after(5), timeout: Example.returnTimeout)
        #expect(action == (stage == .exchanging ? .ended : .drop))
        if action == .drop { #expect(login == before) }
    }

    @Test func `a failure counts only from the current holder`() {
        var login = Stage.exchanging.login()
        let late = login.fail(.invalidToken, fencingToken: 2, at: Example.after(5))
        #expect(late == .drop)
        let kept = [2, 1].map { login.keepTokenResponse([1], fencingToken: $0) }
        #expect(kept == [false, true])
        let current = login.fail(.invalidToken, fencingToken: 1, at: Example.after(5))
        #expect(current == .ended)
        #expect(login.reason == .invalidToken)
    }

    @Test func `a proof is awaited unless the release is immediate`() {
        #expect(Stage.completed.login().status == .completed)
        let login = Stage.awaitingReturn.login()
        #expect(login.due == Example.after(3 + 120))
        #expect(login.wrappedKey.isEmpty, "the key is wiped in the write that stores the outcome")
    }

    @Test(arguments: Stage.allCases) func `the app cancels what is not final`(_ stage: Stage) {
        var login = stage.login()
        let gentle = login.cancel(force: false, at: Example.after(5))
        switch stage {
        case .pending, .opened, .awaitingReturn:
            #expect(gentle == .cancelled)
            #expect(login.reason == .appCancelled)
        case .exchanging:
            #expect(gentle == .wait)
            let forced = login.cancel(force: true, at: Example.after(5))
            #expect(forced == .cancelled)
            let success = login.settle(Example.outcome, at: Example.after(6), timeout: Example.returnTimeout)
            #expect(success == .drop, "a later success is dropped")
        case .completed, .failed, .cancelledByUser, .cancelledByApp, .expired, .gone:
            #expect(gentle == .unchanged)
        }
    }

    @Test(arguments: Stage.allCases) func `only a final login is acknowledged`(_ stage: Stage) {
        var login = stage.login()
        let before = login
        let wasAnswered = login.acceptedResponse != nil
        let action = login.acknowledge(at: Example.after(650))
        switch stage {
        case .pending, .opened, .exchanging, .awaitingReturn: #expect(action == .notFinal)
        case .completed, .failed, .cancelledByUser, .cancelledByApp, .expired: #expect(action == .wiped)
        case .gone: #expect(action == .alreadyGone)
        }
        let time = wasAnswered ? Login.tombstoneLifetime : .milliseconds(login.resultTTL)
        #expect(login.acceptedResponse == before.acceptedResponse, "its page is still recognised")
        guard action == .wiped, let ending = stage.ending(isAcknowledged: true) else { return }
        #expect(login.state == .gone(ending, until: Example.after(650) + time))
    }

    @Test(arguments: Stage.allCases) func `only a login without an attempt makes room`(_ stage: Stage) {
        var login = stage.login()
        let before = login
        let isDropped = login.dropUnstarted(at: Example.after(5))
        #expect(isDropped == (stage == .pending))
        guard isDropped else { return #expect(login == before) }
        #expect(login.state == .gone(.expired, until: Example.after(5) + Login.unstartedTombstoneLifetime))
        #expect(login.version == before.version + 1)
    }

    @Test(arguments: Stage.allCases) func `time moves a login when it is due and not before`(_ stage: Stage) {
        var login = stage.login()
        let (due, wasAnswered) = (login.lapsesAt, login.acceptedResponse != nil)
        let early = login.lapse(at: due - .milliseconds(1))
        #expect(!early)
        let lapsed = login.lapse(at: due)
        #expect(lapsed == (stage != .gone), "a login that is gone is removed by the sweep")
        switch stage {
        case .pending, .opened, .exchanging, .awaitingReturn: #expect(login.status == .expired)
        case .completed, .failed, .cancelledByUser, .cancelledByApp, .expired:
            // A login that no browser returned to is not remembered for a day.
            let time = wasAnswered ? Login.tombstoneLifetime : .milliseconds(login.resultTTL)
            let ending = stage.ending(isAcknowledged: false)
            #expect(login.state == ending.map { .gone($0, until: due + time) })
        case .gone: #expect(login.status == nil)
        }
    }

    @Test(arguments: Stage.allCases) func `a final login has no in-flight values`(_ stage: Stage) {
        let login = stage.login()
        guard login.status?.isFinal ?? true else { return }
        #expect(login.attempts.isEmpty)
        #expect(login.wrappedKey.isEmpty)
    }

    /// After any sequence of events, a final status changes only to `gone`, and the version never falls.
    @Test(arguments: 0..<200) func `a final status is final`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var login = Stage.pending.login()
        var now = Example.start
        for _ in 0..<30 {
            let before = login
            now = now + .seconds(Int.random(in: 0...90, using: &random))
            Self.happen(to: &login, at: now, &random)
            #expect(login.version >= before.version)
            if before.status != login.status { #expect(login.version > before.version) }
            if let status = before.status, status.isFinal {
                #expect(login.status == status || login.status == nil)
            }
            if before.status == nil { #expect(login.status == nil) }
        }
    }

    private static func happen(to login: inout Login, at now: Timestamp, _ random: inout SplitMix64) {
        let number = UInt8.random(in: 1...3, using: &random)
        while login.lapse(at: now) {}
        switch Int.random(in: 0..<13, using: &random) {
        case 0, 1: _ = login.start(Example.attempt(number), at: now)
        case 2: _ = login.acceptCallback(.granted(code: [1]), to: Example.attempt(number).id, hash: [number], at: now)
        case 3: _ = login.acceptCallback(.denied(.userCancelled), to: Example.attempt(number).id, hash: [9], at: now)
        case 4: _ = login.settle(Example.outcome, at: now, timeout: Example.returnTimeout)
        case 5: _ = login.fail(.invalidToken, fencingToken: 1, at: now)
        case 6: login.refuse(.brokerError, at: now)
        case 8: login.noteBrowserGone()
        case 9:
            _ = login.restart(Example.attempt(number).id, isOwn: Bool.random(using: &random), at: now)
        case 10: login.fail(.timeout, of: Example.attempt(number).id, at: now)
        case 11: _ = login.renew(Example.attempt(4), after: Example.attempt(number).id, at: now)
        case 7: _ = login.cancel(force: Bool.random(using: &random), at: now)
        default: _ = number == 3 ? login.acknowledge(at: now) : .notFinal
        }
    }
}
