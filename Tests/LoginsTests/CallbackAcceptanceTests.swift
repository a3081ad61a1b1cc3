import Base
import Brokers
import OpenIDConnect
import Testing

@testable import Logins

/// An authorization response is matched to its login by the state, validated, and taken once.
@Suite struct CallbackAcceptanceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The parameters that the browser brings besides the state.
        let answer: [String: String]
        var redeeming = LeftLogins.Redeeming.works
        let status: LoginStatus
        var reason: Reason?
        let redeemed: Int
    }

    @Test(arguments: [
        Row(testDescription: "a code", answer: ["code": "c"], status: .completed, redeemed: 1),
        Row(
            testDescription: "a no", answer: ["error": "cancelled"], status: .cancelled, reason: .userCancelled,
            redeemed: 0),
        Row(
            testDescription: "an error", answer: ["error": "server_error"], status: .failed, reason: .brokerError,
            redeemed: 0),
        Row(testDescription: "nothing but the state", answer: [:], status: .pending, redeemed: 0),
        Row(
            testDescription: "a code that the broker refuses", answer: ["code": "c"],
            redeeming: .fails(BrokerError(.refused, .oauth(ErrorWord("invalid_grant")))), status: .failed,
            reason: .brokerError,
            redeemed: 1),
        Row(
            testDescription: "a broker that is away", answer: ["code": "c"],
            redeeming: .fails(BrokerError(.unavailable, .unanswered(.token, .unreachable("")))), status: .failed,
            reason: .brokerUnavailable, redeemed: 1),
        // The broker may have redeemed it, so it is not sent again.
        Row(
            testDescription: "a connection that ended without a response", answer: ["code": "c"],
            redeeming: .fails(BrokerError(.hungUp, .unanswered(.token, .closed("")))), status: .failed,
            reason: .interrupted,
            redeemed: 1),
        Row(
            testDescription: "a queue of our own that is full", answer: ["code": "c"],
            redeeming: .fails(BrokerError(.notAsked, .unanswered(.token, .busy))), status: .failed,
            reason: .interrupted,
            redeemed: 1),
        Row(
            testDescription: "the code of another login", answer: ["code": "c"],
            redeeming: .fails(BrokerError(.foreign, .completeSession)), status: .pending, redeemed: 1),
    ]) func `a response is accepted once`(_ row: Row) async throws {
        let stage = try FlowStage(.immediate, row.redeeming)
        try await stage.create()
        let (state, _) = try await stage.open()
        let parameters = [Parameter("state", state)] + row.answer.map { Parameter($0.key, $0.value) }
        guard case .redirect = await stage.callback(parameters) else { throw StoreError.unavailable }
        await stage.flow.finish()
        let login = try #require(try await stage.stored()).login
        #expect(login.status == row.status && login.reason == row.reason)
        #expect(stage.broker.redeemed.load(ordering: .relaxed) == row.redeemed)
        // Another response comes too late, unless the first one was taken back.
        let other = await stage.callback([Parameter("state", state), Parameter("code", "another")])
        guard login.acceptedResponse != nil else { return }
        #expect(
            other == .ignored(.otherResponse, cookie: AttemptCookie.name(of: login.acceptedResponse?.attempt ?? [])))
        await stage.flow.finish()
        #expect(stage.broker.redeemed.load(ordering: .relaxed) == row.redeemed)
    }

    /// If many browsers bring the same response, one of them starts the exchange, and all see the same page.
    @Test func `of many responses, one is accepted`() async throws {
        let stage = try FlowStage()
        try await stage.create()
        let state = try await stage.open().state
        let answers = await withTaskGroup(of: CallbackOutcome.self) { group in
            for _ in 0..<16 {
                group.addTask { await stage.callback([Parameter("state", state), Parameter("code", "c")]) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        await stage.flow.finish()
        #expect(answers.allSatisfy { $0 == answers[0] })
        #expect(stage.broker.redeemed.load(ordering: .relaxed) == 1)
        #expect(stage.steps.filter { $0 == "callback" }.count == 1)
        #expect(try await stage.stored()?.login.status == .completed)
    }

    @Test func `a forged or expired callback changes nothing`() async throws {
        let stage = try FlowStage()
        try await stage.create()
        let (state, cookie) = try await stage.open()
        for forged in ["", "x", String(state.reversed())] {
            #expect(
                await stage.callback([Parameter("state", forged), Parameter("code", "c")])
                    == .ignored(.state, cookie: nil))
        }
        #expect(
            await stage.flow.acceptCallback(broker: "other", parameters: []) == .ignored(.unknownBroker, cookie: nil))
        stage.pass(700)
        guard
            case .ignored(_, let spent) = await stage.callback([
                Parameter("state", state), Parameter("code", "c"),
            ])
        else {
            // The login expired, and its browser may see that.
            #expect(try await stage.stored()?.login.status == .expired)
            return
        }
        #expect(spent == cookie.name)
    }

    /// The browser is told to try again, and the retry works.
    @Test func `a browser may try again when the store was away`() async throws {
        let stage = try FlowStage()
        try await stage.create()
        let state = try await stage.open().state
        stage.store.become(available: false)
        let refused = await stage.callback([Parameter("state", state), Parameter("code", "c")])
        #expect(refused == .refused(PageView(.unavailable)))
        stage.store.become(available: true)
        guard case .redirect = await stage.callback([Parameter("state", state), Parameter("code", "c")]) else {
            throw StoreError.unavailable
        }
        await stage.flow.finish()
        #expect(try await stage.stored()?.login.status == .completed)
    }
}
