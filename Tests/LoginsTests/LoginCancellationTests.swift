import Base
import Brokers
import TestSupport
import Testing

@testable import Logins

/// An app cancels a login: at once, or after the result of the code exchange is known.
@Suite struct LoginCancellationTests {
    @Test func `a login that nobody has answered ends at once`() async throws {
        let stage = try FlowStage()
        try await stage.create()
        let view = try await stage.flow.cancel(stage.id, secret: stage.secret, waiting: .seconds(60))
        #expect(view.status == .cancelled && view.reason == .appCancelled)
    }

    @Test func `a code that is being redeemed is waited for`() async throws {
        let stage = try FlowStage()
        try await stage.create()
        let state = try await stage.open().state
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        stage.broker.beforeAnswering.withLock { $0 = { for await _ in gate {} } }
        _ = await stage.callback([Parameter("state", state), Parameter("code", "c")])
        async let cancelled = stage.flow.cancel(stage.id, secret: stage.secret, waiting: .seconds(60))
        #expect(try await eventually { stage.flow.waitingCount > 0 })
        open.finish()
        #expect(try await cancelled.status == .completed)
    }

    @Test func `an app that does not wait gets no result`() async throws {
        let stage = try FlowStage()
        try await stage.create()
        let state = try await stage.open().state
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        stage.broker.beforeAnswering.withLock { $0 = { for await _ in gate {} } }
        _ = await stage.callback([Parameter("state", state), Parameter("code", "c")])
        #expect(try await stage.flow.cancel(stage.id, secret: stage.secret, waiting: .zero).status == .cancelled)
        open.finish()
        await stage.flow.finish()
        #expect(try await stage.stored()?.login.status == .cancelled)
    }
}
