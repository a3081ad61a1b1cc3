/// Which authorization attempt each browser gets, and what the app's reports change.
import Base
import Testing

@testable import Logins

@Suite struct OpeningTransitions {
    /// Returns a login with this many attempts.
    private static func opened(_ count: Int) -> Login {
        var login = Stage.pending.login()
        for number in 0..<count { _ = login.open(Example.opening(UInt8(number + 1)), at: Example.after(1)) }
        return login
    }

    // MARK: - Which attempt a browser gets

    struct Row: Sendable, CustomTestStringConvertible {
        let openings: Int
        /// The attempts whose cookies the browser has.
        let own: [UInt8]
        let isReported: Bool
        let setout: String

        var testDescription: String { "\(self.openings) openings, cookies \(self.own), reported \(self.isReported)" }
    }

    static let rows = [
        Row(openings: 0, own: [], isReported: false, setout: "new"),
        Row(openings: 1, own: [], isReported: false, setout: "new"),
        Row(openings: 2, own: [], isReported: true, setout: "new"),
        Row(openings: 1, own: [1], isReported: false, setout: "own 1"),
        Row(openings: 1, own: [1], isReported: true, setout: "own 1"),
        Row(openings: 2, own: [7], isReported: false, setout: "new"),
        Row(openings: 3, own: [1], isReported: false, setout: "own 1"),
        Row(openings: 3, own: [1, 2], isReported: true, setout: "own 2"),
        Row(openings: 3, own: [], isReported: false, setout: "refuse"),
        Row(openings: 3, own: [7], isReported: false, setout: "refuse"),
        Row(openings: 3, own: [], isReported: true, setout: "shared 3"),
    ]

    @Test(arguments: rows) func whichOpeningABrowserGets(_ row: Row) {
        var login = Self.opened(row.openings)
        if row.isReported { login.loseBrowser() }
        let name =
            switch login.setout(at: Example.after(2), isOwn: { row.own.contains($0.flight[0]) }) {
            case .new: "new"
            case .again(let opening, let isOwn): "\(isOwn ? "own" : "shared") \(opening.flight[0])"
            case .show: "show"
            case .refuse: "refuse"
            }
        #expect(name == row.setout)
    }

    @Test(arguments: Stage.allCases) func onlyAPendingLoginHasOpenings(_ stage: Stage) {
        let login = stage.login()
        let setout = login.setout(at: Example.after(5)) { _ in false }
        #expect(setout == (login.status == .pending ? .new : .show))
        #expect(login.setout(at: login.deadline) { _ in false } == .show)
    }

    @Test func aFourthOpeningIsRefusedAndNoneIsForgotten() {
        var login = Self.opened(3)
        let before = login
        #expect(login.open(Example.opening(4), at: Example.after(1)) == .refuse)
        #expect(login == before)
        for number in 1...3 as ClosedRange<UInt8> {
            var login = before
            let action = login.takeCallback(
                .granted(code: [5]), to: Example.opening(number).id, hash: Example.hash(5), at: Example.after(2))
            guard case .exchange = action else {
                Issue.record("opening \(number): \(action)")
                continue
            }
        }
    }

    @Test func oneReportLetsOneBrowserShare() {
        var login = Self.opened(3)
        login.loseBrowser()
        let answers = (0..<2).map { _ in login.openAgain(Example.opening(3).id, isOwn: false, at: Example.after(2)) }
        #expect(answers == [.send, .refuse])
        #expect(login.openings.map(\.isShared) == [false, false, true])
        login.loseBrowser()
        #expect(login.openAgain(Example.opening(9).id, isOwn: false, at: Example.after(2)) == .show)
        #expect(login.openAgain(Example.opening(3).id, isOwn: false, at: Example.after(2)) == .send)
        #expect(login.openings.count == 3)
    }

    /// The user who shared the URL may know what only the first browser should know.
    @Test(arguments: [false, true]) func theCookieOfASharedOpeningProvesNothing(_ isShared: Bool) {
        var login = Self.opened(3)
        login.loseBrowser()
        _ = login.openAgain(Example.opening(3).id, isOwn: !isShared, at: Example.after(2))
        for _ in 0..<2 {
            _ = login.takeCallback(
                .granted(code: [5]), to: Example.opening(3).id, hash: Example.hash(5), hasCookie: true,
                at: Example.after(3))
        }
        login.noteSwitch(Example.opening(3).id)
        #expect(login.isSwitched == !isShared)
    }

    // MARK: - Links that an e-ID's app refuses when they are old

    /// The attempts whose links are old, and the expected decision.
    static let renewals: [(openings: Int, old: [UInt8], renewal: Login.Renewal)] = [
        (0, [], .none), (1, [], .none), (2, [1], .none), (3, [1, 2], .none),
        (1, [1], .make(after: Example.opening(1).id)), (2, [2], .make(after: Example.opening(2).id)),
        (3, [3], .noRoom), (3, [1, 2, 3], .noRoom),
    ]

    @Test(arguments: renewals) func onlyTheNewestLinkCounts(
        _ row: (openings: Int, old: [UInt8], renewal: Login.Renewal)
    ) {
        let login = Self.opened(row.openings)
        #expect(login.renewal(at: Example.after(2)) { row.old.contains($0.flight[0]) } == row.renewal)
        #expect(login.renewal(at: login.deadline) { _ in true } == .none)
    }

    @Test(arguments: Stage.allCases) func onlyAPendingLoginGetsANewLink(_ stage: Stage) {
        var login = stage.login()
        let before = login
        guard stage != .opened else { return }
        #expect(login.renewal(at: Example.after(5)) { _ in true } == .none)
        #expect(login.renew(Example.opening(9), after: Example.opening(1).id, at: Example.after(5)) == .show)
        #expect(login == before)
    }

    @Test func aNewLinkForgetsNoOpening() {
        var login = Self.opened(1)
        for number in 2...3 as ClosedRange<UInt8> {
            let (before, newest) = (login, Example.opening(number - 1).id)
            #expect(login.renew(Example.opening(number), after: newest, at: Example.after(2)) == .send)
            #expect(login.version == before.version + 1)
            let renewed = login
            #expect(login.renew(Example.opening(9), after: newest, at: Example.after(2)) == .show, "one was faster")
            #expect(login == renewed)
        }
        #expect(login.openings.map(\.flight) == [[1], [2], [3]])
        #expect(login.renew(Example.opening(9), after: Example.opening(3).id, at: Example.after(2)) == .refuse)
    }

    /// The response belonged to another login, so every attempt may still succeed. Their order stays the same.
    @Test(arguments: 1...3 as ClosedRange<UInt8>) func anAnswerThatIsTakenBackForgetsNoOpening(_ number: UInt8) {
        var login = Stage.pending.login()
        for number in 1...3 as ClosedRange<UInt8> {
            let opening = Opening(
                id: Example.opening(number).id, openedAt: Example.after(Int(number)), flight: [number])
            _ = login.open(opening, at: Example.after(Int(number)))
        }
        let before = login
        _ = login.takeCallback(
            .granted(code: [5]), to: Example.opening(number).id, hash: Example.hash(5), at: Example.after(4))
        #expect(login.openings.count == 2)
        #expect(login.takeBack(fence: 1) == .ended)
        #expect(login.openings == before.openings)
        #expect(login.state == .pending && login.taken == nil)
    }

    // MARK: - What a report changes

    @Test(arguments: Stage.allCases) func aReportEndsNothing(_ stage: Stage) {
        var login = stage.login()
        let before = login
        for _ in 0..<3 { login.loseBrowser() }
        #expect(login.status == before.status)
        guard before.isOpen else { return #expect(login == before) }
        #expect(login.version == before.version + 1, "once")
        #expect(login.openings == before.openings)
        #expect(login.isBrowserGone)
    }

    @Test func whatIsSeenOfABrowserCountsMore() {
        var login = Self.opened(1)
        login.loseBrowser()
        _ = login.openAgain(Example.opening(1).id, isOwn: true, at: Example.after(2))
        #expect(!login.isBrowserGone)
        login.loseBrowser()
        _ = login.takeCallback(
            .granted(code: [5]), to: Example.opening(1).id, hash: Example.hash(5), at: Example.after(3))
        #expect(!login.isBrowserGone, "it brought the answer")
        login.loseBrowser()
        #expect(login.isBrowserGone)
        _ = login.settle(Example.outcome, at: Example.after(4))
        #expect(login.isBrowserGone)
    }

    // MARK: - Attempts that fail

    @Test(arguments: Reason.allCases, [1, 2]) func theErrorOfOneTab(_ reason: Reason, _ openings: Int) {
        var login = Self.opened(openings)
        let action = login.takeCallback(
            .denied(reason), to: Example.opening(1).id, hash: Example.hash(5), at: Example.after(2))
        guard reason != .userCancelled, openings == 2 else {
            #expect(action == .ended)
            return #expect(login.status?.isFinal == true)
        }
        #expect(action == .elsewhere)
        #expect(login.openings.map(\.flight) == [[2]])
        #expect(login.taken == nil)
        let other = login.takeCallback(
            .granted(code: [5]), to: Example.opening(2).id, hash: Example.hash(6), at: Example.after(3))
        guard case .exchange = other else { return #expect(Bool(false), "\(other)") }
    }

    @Test(arguments: [Reason.timeout, .userCancelled]) func theEndOfOneTrip(_ reason: Reason) {
        var login = Self.opened(2)
        login.fail(reason, of: Example.opening(1).id, at: Example.after(2))
        #expect(login.status == (reason == .timeout ? .pending : .cancelled))
        login.fail(reason, of: Example.opening(2).id, at: Example.after(2))
        #expect(login.status?.isFinal == true)
    }
}
