import Base
import Testing

@testable import Logins

/// Which authorization attempt each browser gets, and what the app's reports change.
@Suite struct AttemptTransitionTests {
    /// Returns a login with this many attempts.
    private static func opened(_ count: Int) -> Login {
        var login = Stage.pending.login()
        for number in 0..<count { _ = login.start(Example.attempt(UInt8(number + 1)), at: Example.after(1)) }
        return login
    }

    // MARK: - Which attempt a browser gets

    struct Row: Sendable, CustomTestStringConvertible {
        let attempts: Int
        /// The attempts whose cookies the browser has.
        let own: [UInt8]
        let isReported: Bool
        let attemptChoice: String

        var testDescription: String { "\(self.attempts) openings, cookies \(self.own), reported \(self.isReported)" }
    }

    static let rows = [
        Row(attempts: 0, own: [], isReported: false, attemptChoice: "new"),
        Row(attempts: 1, own: [], isReported: false, attemptChoice: "new"),
        Row(attempts: 2, own: [], isReported: true, attemptChoice: "new"),
        Row(attempts: 1, own: [1], isReported: false, attemptChoice: "own 1"),
        Row(attempts: 1, own: [1], isReported: true, attemptChoice: "own 1"),
        Row(attempts: 2, own: [7], isReported: false, attemptChoice: "new"),
        Row(attempts: 3, own: [1], isReported: false, attemptChoice: "own 1"),
        Row(attempts: 3, own: [1, 2], isReported: true, attemptChoice: "own 2"),
        Row(attempts: 3, own: [], isReported: false, attemptChoice: "refuse"),
        Row(attempts: 3, own: [7], isReported: false, attemptChoice: "refuse"),
        Row(attempts: 3, own: [], isReported: true, attemptChoice: "shared 3"),
    ]

    @Test(arguments: rows) func `cookies and reports decide which attempt a browser gets`(_ row: Row) {
        var login = Self.opened(row.attempts)
        if row.isReported { login.noteBrowserGone() }
        let name =
            switch login.attemptChoice(at: Example.after(2), isOwn: { row.own.contains($0.inFlight[0]) }) {
            case .new: "new"
            case .again(let attempt, let isOwn): "\(isOwn ? "own" : "shared") \(attempt.inFlight[0])"
            case .show: "show"
            case .refuse: "refuse"
            }
        #expect(name == row.attemptChoice)
    }

    @Test(arguments: Stage.allCases) func `only a pending login gets attempts`(_ stage: Stage) {
        let login = stage.login()
        let attemptChoice = login.attemptChoice(at: Example.after(5)) { _ in false }
        #expect(attemptChoice == (login.status == .pending ? .new : .show))
        #expect(login.attemptChoice(at: login.deadline) { _ in false } == .show)
    }

    @Test func `a fourth attempt is refused, and none is forgotten`() {
        var login = Self.opened(3)
        let before = login
        #expect(login.start(Example.attempt(4), at: Example.after(1)) == .refuse)
        #expect(login == before)
        for number in 1...3 as ClosedRange<UInt8> {
            var login = before
            let action = login.acceptCallback(
                .granted(code: [5]), to: Example.attempt(number).id, hash: Example.hash(5), at: Example.after(2))
            guard case .exchange = action else {
                Issue.record("opening \(number): \(action)")
                continue
            }
        }
    }

    @Test func `one report lets one browser share`() {
        var login = Self.opened(3)
        login.noteBrowserGone()
        let answers = (0..<2).map { _ in login.restart(Example.attempt(3).id, isOwn: false, at: Example.after(2)) }
        #expect(answers == [.send, .refuse])
        #expect(login.attempts.map(\.isShared) == [false, false, true])
        login.noteBrowserGone()
        #expect(login.restart(Example.attempt(9).id, isOwn: false, at: Example.after(2)) == .show)
        #expect(login.restart(Example.attempt(3).id, isOwn: false, at: Example.after(2)) == .send)
        #expect(login.attempts.count == 3)
    }

    /// The user who shared the URL may know what only the first browser should know.
    @Test(arguments: [false, true]) func `the cookie of a shared attempt proves nothing`(_ isShared: Bool) {
        var login = Self.opened(3)
        login.noteBrowserGone()
        _ = login.restart(Example.attempt(3).id, isOwn: !isShared, at: Example.after(2))
        for _ in 0..<2 {
            _ = login.acceptCallback(
                .granted(code: [5]), to: Example.attempt(3).id, hash: Example.hash(5), hasCookie: true,
                at: Example.after(3))
        }
        login.noteSwitchProof(Example.attempt(3).id)
        #expect(login.hasSwitchProof == !isShared)
    }

    // MARK: - Links that an e-ID's app refuses when they are old

    /// The attempts whose links are old, and the expected decision.
    static let renewals: [(attempts: Int, old: [UInt8], renewal: Login.Renewal)] = [
        (0, [], .none), (1, [], .none), (2, [1], .none), (3, [1, 2], .none),
        (1, [1], .make(after: Example.attempt(1).id)), (2, [2], .make(after: Example.attempt(2).id)),
        (3, [3], .noRoom), (3, [1, 2, 3], .noRoom),
    ]

    @Test(arguments: renewals) func `only the newest link counts`(
        _ row: (attempts: Int, old: [UInt8], renewal: Login.Renewal)
    ) {
        let login = Self.opened(row.attempts)
        #expect(login.renewal(at: Example.after(2)) { row.old.contains($0.inFlight[0]) } == row.renewal)
        #expect(login.renewal(at: login.deadline) { _ in true } == .none)
    }

    @Test(arguments: Stage.allCases) func `only a pending login gets a new link`(_ stage: Stage) {
        var login = stage.login()
        let before = login
        guard stage != .opened else { return }
        #expect(login.renewal(at: Example.after(5)) { _ in true } == .none)
        #expect(login.renew(Example.attempt(9), after: Example.attempt(1).id, at: Example.after(5)) == .show)
        #expect(login == before)
    }

    @Test func `a new link forgets no attempt`() {
        var login = Self.opened(1)
        for number in 2...3 as ClosedRange<UInt8> {
            let (before, newest) = (login, Example.attempt(number - 1).id)
            #expect(login.renew(Example.attempt(number), after: newest, at: Example.after(2)) == .send)
            #expect(login.version == before.version + 1)
            let renewed = login
            #expect(login.renew(Example.attempt(9), after: newest, at: Example.after(2)) == .show, "one was faster")
            #expect(login == renewed)
        }
        #expect(login.attempts.map(\.inFlight) == [[1], [2], [3]])
        #expect(login.renew(Example.attempt(9), after: Example.attempt(3).id, at: Example.after(2)) == .refuse)
    }

    /// The response belonged to another login, so every attempt may still succeed. Their order stays the same.
    @Test(arguments: 1...3 as ClosedRange<UInt8>) func `a withdrawn response forgets no attempt`(_ number: UInt8) {
        var login = Stage.pending.login()
        for number in 1...3 as ClosedRange<UInt8> {
            let attempt = AuthorizationAttempt(
                id: Example.attempt(number).id, openedAt: Example.after(Int(number)), inFlight: [number])
            _ = login.start(attempt, at: Example.after(Int(number)))
        }
        let before = login
        _ = login.acceptCallback(
            .granted(code: [5]), to: Example.attempt(number).id, hash: Example.hash(5), at: Example.after(4))
        #expect(login.attempts.count == 2)
        #expect(login.revertExchange(fencingToken: 1) == .ended)
        #expect(login.attempts == before.attempts)
        #expect(login.state == .pending && login.acceptedResponse == nil)
    }

    // MARK: - What a report changes

    @Test(arguments: Stage.allCases) func `a report ends nothing by itself`(_ stage: Stage) {
        var login = stage.login()
        let before = login
        for _ in 0..<3 { login.noteBrowserGone() }
        #expect(login.status == before.status)
        guard before.isOpen else { return #expect(login == before) }
        #expect(login.version == before.version + 1, "once")
        #expect(login.attempts == before.attempts)
        #expect(login.isBrowserGone)
    }

    @Test func `an action of the browser overrides the report that it is gone`() {
        var login = Self.opened(1)
        login.noteBrowserGone()
        _ = login.restart(Example.attempt(1).id, isOwn: true, at: Example.after(2))
        #expect(!login.isBrowserGone)
        login.noteBrowserGone()
        _ = login.acceptCallback(
            .granted(code: [5]), to: Example.attempt(1).id, hash: Example.hash(5), at: Example.after(3))
        #expect(!login.isBrowserGone, "it brought the answer")
        login.noteBrowserGone()
        #expect(login.isBrowserGone)
        _ = login.settle(Example.outcome, at: Example.after(4), timeout: Example.returnTimeout)
        #expect(login.isBrowserGone)
    }

    // MARK: - Attempts that fail

    /// No broker can say that the app cancelled.
    @Test(arguments: Reason.allCases.filter { $0 != .appCancelled }, [1, 2])
    func `the error of one tab ends only its own attempt`(_ reason: Reason, _ attempts: Int) {
        var login = Self.opened(attempts)
        let action = login.acceptCallback(
            .denied(reason), to: Example.attempt(1).id, hash: Example.hash(5), at: Example.after(2))
        guard reason != .userCancelled, attempts == 2 else {
            #expect(action == .ended)
            return #expect(login.status?.isFinal == true)
        }
        #expect(action == .elsewhere)
        #expect(login.attempts.map(\.inFlight) == [[2]])
        #expect(login.acceptedResponse == nil)
        let other = login.acceptCallback(
            .granted(code: [5]), to: Example.attempt(2).id, hash: Example.hash(6), at: Example.after(3))
        guard case .exchange = other else { return #expect(Bool(false), "\(other)") }
    }

    @Test(arguments: [Reason.timeout, .userCancelled])
    func `the end of one backchannel transaction ends only its own attempt`(_ reason: Reason) {
        var login = Self.opened(2)
        login.fail(reason, of: Example.attempt(1).id, at: Example.after(2))
        #expect(login.status == (reason == .timeout ? .pending : .cancelled))
        login.fail(reason, of: Example.attempt(2).id, at: Example.after(2))
        #expect(login.status?.isFinal == true)
    }
}
