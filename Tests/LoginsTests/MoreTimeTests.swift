import Base
import Brokers
import Testing

@testable import Logins

/// The page gives its user more time to return to the app: once, from its own token, and on every server alike.
@Suite struct MoreTimeTests {
    static let usual = Int(LoginSettings.App.usualReturnTimeout / .seconds(1))

    /// A login that waits for its proof, and the token of its page.
    struct Waiting {
        let stage: FlowStage
        let token: String

        init(_ release: ReleasePolicy = .returnLink) async throws {
            self.stage = try FlowStage(release)
            try await self.stage.create()
            let state = try await self.stage.open().state
            let outcome = await self.stage.callback([Parameter("state", state), Parameter("code", "c")])
            await self.stage.flow.finish()
            guard case .redirect(.page(let token), _) = outcome else { throw StoreError.unavailable }
            self.token = token
        }

        var login: Login {
            get async throws { try #require(try await self.stage.stored()).login }
        }

        var view: LoginView {
            get async throws { try await self.stage.flow.loadView(self.stage.id, secret: self.stage.secret) }
        }
    }

    @Test func `the time is doubled once, and the app sees it`() async throws {
        let waiting = try await Waiting()
        let before = try await waiting.view
        #expect(before.expiresAt == Example.after(Self.usual))
        waiting.stage.pass(Self.usual - 10)
        #expect(try await waiting.stage.flow.giveMoreTime(waiting.token))
        let after = try await waiting.view
        #expect(after.expiresAt == Example.after(2 * Self.usual) && after.version == before.version + 1)
        #expect(after.status == .awaitingReturn && after.next == before.next)
        waiting.stage.pass(10)
        let login = try await waiting.login
        #expect(try await waiting.stage.flow.giveMoreTime(waiting.token), "a repeat is answered alike")
        #expect(try await waiting.login == login, "and changes nothing")
        waiting.stage.pass(Self.usual)
        #expect(try await waiting.view.status == .expired)
    }

    /// A proof that comes in the second half completes the login.
    @Test func `the proof counts until the new end`() async throws {
        let waiting = try await Waiting()
        #expect(try await waiting.stage.flow.giveMoreTime(waiting.token))
        waiting.stage.pass(2 * Self.usual - 1)
        let code = try #require(try await waiting.stage.stored()?.proof?.code)
        let stage = waiting.stage
        let view = try await stage.flow.handleReturn(stage.id, secret: stage.secret, code: code)
        #expect(view.status == .completed)
    }

    @Test func `it is too late when the time is over`() async throws {
        let waiting = try await Waiting()
        waiting.stage.pass(Self.usual)
        #expect(try await waiting.stage.flow.giveMoreTime(waiting.token))
        #expect(try await waiting.view.status == .expired)
    }

    @Test func `only the page of this login's browser can ask`() async throws {
        let waiting = try await Waiting()
        let login = try await waiting.login
        let known = try #require(try await waiting.stage.stored())
        let foreign = try #require(ServerKey(Secret(Array(0..<32))))
        let response = try #require(login.acceptedResponse)
        let other = AcceptedResponse(attempt: response.attempt, hash: Example.hash(3))
        let strangers = [
            "", "unknown", String(waiting.token.reversed()), String(waiting.token.dropLast()),
            PageToken(login.id, response, under: foreign).text,
            PageToken(PollSecret.make().loginID, response, under: known.key).text,
        ]
        for token in strangers { #expect(try await !waiting.stage.flow.giveMoreTime(token)) }
        let window = PageToken(login.id, other, under: known.key).text
        #expect(try await waiting.stage.flow.giveMoreTime(window), "the page of another window is still a page")
        #expect(try await waiting.login == login)
    }

    /// Nothing but the page: an app that started the login of somebody else cannot keep it open.
    @Test func `the app cannot ask`() async throws {
        let waiting = try await Waiting()
        let stage = waiting.stage
        let view = try await stage.flow.handleReturn(stage.id, secret: stage.secret, link: nil)
        #expect(view.expiresAt == Example.after(Self.usual))
    }

    @Test(arguments: Stage.allCases) func `a login in another state does not change`(_ stage: Stage) {
        var login = stage.login()
        let before = login
        login.giveMoreTime(Example.returnTimeout)
        #expect((login == before) == (stage != .awaitingReturn))
        let once = login
        login.giveMoreTime(Example.returnTimeout)
        #expect(login == once && login.hasMoreTime(Example.returnTimeout) == (stage == .awaitingReturn))
    }

    @Test func `a code that is used up is all that was left`() async throws {
        let waiting = try await Waiting(.code)
        let stage = waiting.stage
        for _ in 0..<3 {
            await #expect(throws: LoginFlowError.self) {
                try await stage.flow.handleReturn(stage.id, secret: stage.secret, code: "12345")
            }
        }
        #expect(try await stage.flow.giveMoreTime(waiting.token))
        #expect(try await waiting.view.expiresAt == Example.after(Self.usual))
    }

    // MARK: - Servers and versions

    /// Each server computes the same end from the row, whichever was asked, however often.
    @Test func `all servers of a store agree`() async throws {
        let waiting = try await Waiting()
        let other = waiting.stage.sibling(returnTimeout: .seconds(Self.usual))
        #expect(try await other.giveMoreTime(waiting.token))
        let login = try await waiting.login
        #expect(login.lapsesAt == Example.after(2 * Self.usual))
        for flow in [waiting.stage.flow, other, waiting.stage.flow] {
            #expect(try await flow.giveMoreTime(waiting.token))
        }
        #expect(try await waiting.login == login)
    }

    /// While a configuration is rolled out, servers may have different times. The end is never earlier than it was, and
    /// never later than twice the longest time after the user was known.
    @Test(arguments: [[60, 600], [600, 60], [60, 600, 60, 600], [300, 61, 600, 599]])
    func `different times add nothing up`(_ times: [Int]) async throws {
        let waiting = try await Waiting()
        var end = try await waiting.login.lapsesAt
        for seconds in times {
            let server = waiting.stage.sibling(returnTimeout: .seconds(seconds))
            #expect(try await server.giveMoreTime(waiting.token))
            let next = try await waiting.login.lapsesAt
            #expect(next >= end && next <= Example.after(2 * max(Self.usual, times.max() ?? 0)))
            end = next
        }
    }

    /// The version before waits for 120 s, and has no page that asks for more.
    @Test func `a row of the version before is given more time`() async throws {
        let waiting = try await Waiting()
        _ = try await waiting.stage.flow.repository.change(waiting.stage.id) { login, _ in
            guard case .awaitingReturn(let outcome, _) = login.state else { return }
            login.state = .awaitingReturn(outcome, until: Example.after(120))
        }
        #expect(try await waiting.stage.flow.giveMoreTime(waiting.token))
        #expect(try await waiting.login.lapsesAt == Example.after(2 * Self.usual))
    }

    /// So the version before reads it, and keeps the new end.
    @Test func `a row with more time has the same fields`() throws {
        var login = Stage.awaitingReturn.login()
        let before = LoginCodec.encode(login)
        login.giveMoreTime(Example.returnTimeout)
        let after = LoginCodec.encode(login)
        #expect(after.count == before.count && after.first == before.first)
        #expect(try LoginCodec.decode(after) == login)
        login.version -= 1
        guard case .awaitingReturn(let outcome, _) = login.state else { return }
        login.state = .awaitingReturn(outcome, until: Example.after(3 + 120))
        #expect(LoginCodec.encode(login) == before, "nothing else has changed")
    }

    // MARK: - The page

    @Test(arguments: [
        (0, false, Self.usual, false, false), (Self.usual - 61, false, 61, false, false),
        (Self.usual - 60, false, 60, true, true), (Self.usual - 60, true, Self.usual + 60, false, false),
        (2 * Self.usual - 60, true, 60, true, false),
    ]) func `the page offers more time in its last minute`(
        _ passed: Int, _ isGiven: Bool, _ left: Int, _ isEnding: Bool, _ isOffered: Bool
    ) async throws {
        let waiting = try await Waiting()
        if isGiven { #expect(try await waiting.stage.flow.giveMoreTime(waiting.token)) }
        waiting.stage.pass(passed)
        let page = try #require(await waiting.stage.flow.loadPage(waiting.token))
        #expect(page.timeLeft == .seconds(left) && page.isEnding == isEnding && page.offersMoreTime == isOffered)
        #expect(page.hasMoreTime == isGiven)
    }

    @Test func `a short time is offered again from its beginning`() async throws {
        let waiting = try await Waiting()
        let short = waiting.stage.sibling(returnTimeout: .seconds(60))
        _ = try await short.repository.change(waiting.stage.id) { login, _ in
            guard case .awaitingReturn(let outcome, _) = login.state else { return }
            login.state = .awaitingReturn(outcome, until: Example.after(60))
        }
        #expect(await short.loadPage(waiting.token)?.offersMoreTime == true)
        #expect(try await short.giveMoreTime(waiting.token))
        #expect(await short.loadPage(waiting.token)?.timeLeft == .seconds(120))
    }
}
