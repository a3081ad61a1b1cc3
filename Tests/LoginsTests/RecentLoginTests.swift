import Base
import Testing

@testable import Logins

/// A store may know a row that this process has used. It saves the load before a change, and may be older than the
/// stored row: then everything is as if it had been loaded.
@Suite struct RecentLoginTests {
    private static func stage() throws -> FlowStage {
        let stage = try FlowStage()
        stage.store.recentRows.withLock { $0 = [:] }
        return stage
    }

    private static func token(_ view: LoginView) throws -> String {
        guard case .openBrowser(let url, _)? = view.next else { throw StoreError.unavailable }
        return String(try #require(url.split(separator: "/").last))
    }

    @Test func `a step loads no row that is known`() async throws {
        let stage = try Self.stage()
        let token = try Self.token(try await stage.create())
        #expect(stage.store.take() == (loads: 0, writes: 1))
        guard case .redirect(let target, _) = await stage.flow.startAuthorization(token, languages: []) else {
            throw StoreError.unavailable
        }
        #expect(stage.store.take() == (loads: 0, writes: 1))
        let state = String(try #require(target.split(separator: "=").last))
        _ = await stage.callback([Parameter("state", state), Parameter("code", "c")])
        await stage.flow.finish()
        #expect(stage.store.take() == (loads: 0, writes: 3))
        #expect(try await stage.flow.loadView(stage.id, secret: stage.secret).status == .completed)
        #expect(stage.store.take() == (loads: 1, writes: 0), "who only looks sees the stored row")
        await #expect(throws: LoginFlowError.unknownLogin) {
            try await stage.flow.acknowledge(stage.id, secret: PollSecret.make())
        }
        try await stage.flow.acknowledge(stage.id, secret: stage.secret)
        #expect(stage.store.take() == (loads: 0, writes: 1))
    }

    /// The rows after each step of a login: created, opened, completed.
    private static func completed() async throws -> (stage: FlowStage, rows: [SealedLogin], callback: [Parameter]) {
        let stage = try Self.stage()
        var rows: [SealedLogin] = []
        func note() throws { rows.append(try #require(stage.store.recent(stage.id))) }
        try await stage.create()
        try note()
        let callback = [Parameter("state", try await stage.open().state), Parameter("code", "c")]
        try note()
        _ = await stage.callback(callback)
        await stage.flow.finish()
        try note()
        _ = stage.store.take()
        return (stage, rows, callback)
    }

    /// Another server has gone on, and this one knows the row of an earlier step.
    @Test(arguments: 0...2) func `an acknowledgement of an older row loads the row`(_ step: Int) async throws {
        let (stage, rows, _) = try await Self.completed()
        for _ in 0..<2 {
            stage.store.recentRows.withLock { $0 = [stage.id: rows[step]] }
            try await stage.flow.acknowledge(stage.id, secret: stage.secret)
            #expect(try await stage.stored()?.login.isOver == true)
        }
        #expect(stage.steps.filter { $0 == "acknowledged" }.count == 1)
    }

    /// A callback that this server does not know of, and its repetition.
    @Test func `a callback of an older row loads the row`() async throws {
        let stage = try Self.stage()
        try await stage.create()
        let created = try #require(stage.store.recent(stage.id))
        let state = try await stage.open().state
        stage.store.recentRows.withLock { $0 = [stage.id: created] }
        let callback = [Parameter("state", state), Parameter("code", "c")]
        let answer = await stage.callback(callback)
        await stage.flow.finish()
        #expect(try await stage.stored()?.login.status == .completed)
        for row in [created, nil] {
            stage.store.recentRows.withLock { $0 = row.map { [stage.id: $0] } }
            #expect(await stage.callback(callback) == answer)
        }
    }

    /// The browser has its attempt from another server. It continues it, as if the row had been loaded.
    @Test func `an attempt of an older row is continued`() async throws {
        let stage = try Self.stage()
        let token = try Self.token(try await stage.create())
        let created = try #require(stage.store.recent(stage.id))
        let (_, cookie) = try await stage.open()
        for row in [created, nil] {
            stage.store.recentRows.withLock { $0 = row.map { [stage.id: $0] } }
            let outcome = await stage.flow.startAuthorization(
                token, languages: [], cookies: [Parameter(cookie.name, cookie.value)])
            guard case .redirect = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(try await stage.stored()?.login.attempts.count == 1)
        }
        _ = try await stage.flow.cancel(stage.id, secret: stage.secret, waiting: .zero)
        stage.store.recentRows.withLock { $0 = [stage.id: created] }
        guard case .page = await stage.flow.startAuthorization(token, languages: []) else {
            Issue.record("a login that is over starts nothing")
            return
        }
        #expect(try await stage.stored()?.login.status == .cancelled)
    }
}
