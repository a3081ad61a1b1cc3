import Brokers
import Testing

@testable import Logins

/// Reading and changing stored logins: what happens after a lost race, and which events are reported.
@Suite struct LoginRepositoryTests {
    /// Another writer is faster than a change that starts from an earlier read.
    @Test func `a change that loses a race starts again from the newer row`() async throws {
        let stage = try FlowStage()
        try await stage.create()
        let (repository, id) = (stage.flow.repository, stage.id)
        let known = try #require(try await stage.stored())
        _ = try await repository.change(known) { login, _ in login.noteBrowserGone() }
        _ = stage.store.take()
        let changed = try await repository.change(known) { login, _ in login.noteReturn() }
        #expect(changed?.login.isBrowserGone == true && changed?.login.returns == 1)
        #expect(changed?.login.revision == 3)
        #expect(stage.store.take() == (loads: 1, writes: 2))
        #expect(try await stage.stored()?.login == changed?.login)
        // The same if the other writer is faster between the load and the write.
        stage.store.beforeReplacing.withLock {
            $0 = { _ = try? await repository.change(id) { login, _ in login.noteReturn() } }
        }
        _ = try await repository.change(id) { login, _ in login.noteReturn() }
        #expect(try await stage.stored()?.login.returns == 3)
    }

    /// A stale login cannot show that there is nothing to change.
    @Test(arguments: [false, true])
    func `a change that finds nothing to do is confirmed`(_ confirms: Bool) async throws {
        let stage = try FlowStage()
        try await stage.create()
        let known = try #require(try await stage.stored())
        _ = try await stage.flow.repository.change(known) { login, _ in login.noteBrowserGone() }
        _ = stage.store.take()
        let changed = try await stage.flow.repository.change(known, confirms: confirms) { login, _ in login.status }
        #expect(changed?.login.isBrowserGone == confirms)
        #expect(stage.store.take() == (loads: confirms ? 1 : 0, writes: 0))
    }

    @Test func `an expiry is applied before the change`() async throws {
        let stage = try FlowStage()
        try await stage.create()
        let known = try #require(try await stage.stored())
        stage.pass(600)
        let changed = try await stage.flow.repository.change(known) { login, _ in login.status }
        #expect(changed?.action == .expired)
        #expect(try await stage.stored()?.login.status == .expired)
        #expect(stage.steps == ["created", "ended"])
    }

    @Test func `an unknown ID and a wrong secret are the same`() async throws {
        let stage = try FlowStage()
        let other = PollSecret.make()
        await #expect(throws: LoginFlowError.unknownLogin) {
            try await stage.flow.repository.read(stage.id, stage.secret)
        }
        try await stage.create()
        await #expect(throws: LoginFlowError.unknownLogin) { try await stage.flow.repository.read(stage.id, other) }
        #expect(try await stage.flow.repository.read(stage.id, stage.secret).id == stage.id)
    }

    /// An unavailable store is reported once for each call.
    @Test func `a store that is away is reported once`() async throws {
        let stage = try FlowStage()
        try await stage.create()
        let known = try #require(try await stage.stored())
        stage.store.become(available: false)
        await #expect(throws: LoginFlowError.storeUnavailable) { try await stage.stored() }
        await #expect(throws: LoginFlowError.storeUnavailable) {
            try await stage.flow.repository.change(known) { login, _ in login.noteReturn() }
        }
        #expect(await !stage.flow.repository.isStoreReachable())
        #expect(stage.steps == ["created", "store_failed", "store_failed"])
    }
}
