import Base
import Brokers
import Testing

@testable import Logins

/// A request reads its row once and passes it on: the number of store calls for each kind of request.
@Suite struct StoreCountTests {
    @Test func `a create writes once, and its retry reads once`() async throws {
        let stage = try FlowStage()
        try await stage.create()
        #expect(stage.store.take() == (loads: 0, writes: 1))
        try await stage.create()
        #expect(stage.store.take() == (loads: 1, writes: 1), "the id is taken, so the login is read")
    }

    @Test func `the store calls of a poll and an attempt are counted`() async throws {
        let stage = try FlowStage()
        let view = try await stage.create()
        _ = stage.store.take()
        _ = try await stage.flow.loadView(stage.id, secret: stage.secret)
        #expect(stage.store.take() == (loads: 1, writes: 0))
        guard case .openBrowser(let url, _)? = view.next else { throw StoreError.unavailable }
        let token = try #require(url.split(separator: "/").last)
        _ = await stage.flow.startAuthorization(String(token), languages: [])
        #expect(stage.store.take() == (loads: 1, writes: 1))
    }

    /// With the exchange of its code: the callback, the token response and the outcome are written.
    @Test func `the store calls of a callback are counted`() async throws {
        let stage = try FlowStage()
        try await stage.create()
        let state = try await stage.open().state
        _ = stage.store.take()
        let answer = await stage.callback([Parameter("state", state), Parameter("code", "c")])
        await stage.flow.finish()
        #expect(stage.store.take() == (loads: 1, writes: 3))
        #expect(try await stage.stored()?.login.status == .completed)
        _ = stage.store.take()
        #expect(await stage.callback([Parameter("state", state), Parameter("code", "c")]) == answer)
        #expect(stage.store.take() == (loads: 2, writes: 0), "that there is nothing to do is looked up")
    }

    /// The proof is written while the code is being redeemed, so the exchange has to load the row once more.
    @Test func `the store calls of a return with the broker's link are counted`() async throws {
        let stage = try FlowStage(.returnLink, answersToApp: true)
        try await stage.create()
        let state = try await stage.open().state
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        stage.broker.beforeAnswering.withLock { $0 = { for await _ in gate {} } }
        _ = stage.store.take()
        let view = try await stage.handleReturn(state: state, code: "c")
        #expect(view.status == .exchanging)
        #expect(stage.store.take() == (loads: 1, writes: 2))
        open.finish()
        await stage.flow.finish()
        #expect(stage.store.take().loads == 1)
        let stored = try #require(try await stage.stored())
        #expect(stored.login.status == .completed && stored.login.proof == .callbackLink)
        _ = stage.store.take()
        #expect(try await stage.handleReturn(state: state, code: "c").status == .completed)
        #expect(stage.store.take() == (loads: 2, writes: 0))
    }

    @Test func `the store calls of a return with the page's code are counted`() async throws {
        let stage = try FlowStage(.code)
        try await stage.create()
        let state = try await stage.open().state
        _ = await stage.callback([Parameter("state", state), Parameter("code", "c")])
        await stage.flow.finish()
        let code = try #require(try await stage.stored()?.proof?.code)
        _ = stage.store.take()
        let view = try await stage.flow.handleReturn(stage.id, secret: stage.secret, code: code)
        #expect(view.status == .completed && view.result?.identity.subject == "s")
        #expect(stage.store.take() == (loads: 1, writes: 1))
    }

    @Test func `the store calls of an app's other requests are counted`() async throws {
        let stage = try FlowStage()
        try await stage.create()
        _ = stage.store.take()
        _ = try await stage.flow.handleReturn(stage.id, secret: stage.secret, link: nil)
        #expect(stage.store.take() == (loads: 1, writes: 1))
        _ = try await stage.flow.cancel(stage.id, secret: stage.secret, waiting: .zero)
        #expect(stage.store.take() == (loads: 1, writes: 1))
        try await stage.flow.acknowledge(stage.id, secret: stage.secret)
        #expect(stage.store.take() == (loads: 1, writes: 1))
    }
}
