import Base
import Testing

@testable import Logins

/// A create may name the login that the user has left for the new one. That login is reported, and stays as it is.
@Suite struct ReplacedLoginTests {
    /// What the new login names.
    enum Target: CaseIterable {
        case pending
        /// Its code is being redeemed, or its proof is missing.
        case returned
        case cancelled
        case acknowledged
        case expired
        case unknown
        case ofOtherApp
        /// The new login itself.
        case itself
    }

    static func request(_ app: String = "demo", replaces secret: PollSecret? = nil) -> LoginRequest {
        var request = LoginRequest(provider: "mitid", app: app)
        request.replaces = secret
        return request
    }

    private static func bring(_ stage: FlowStage, to target: Target) async throws {
        guard target != .unknown, target != .itself else { return }
        let app = target == .ofOtherApp ? "other" : "demo"
        _ = try await stage.flow.create(Self.request(app), secret: stage.secret)
        switch target {
        case .pending, .ofOtherApp, .unknown, .itself: return
        case .returned:
            let state = try await stage.open().state
            _ = await stage.callback([Parameter("state", state), Parameter("code", "c")])
            await stage.flow.finish()
        case .cancelled: _ = try await stage.flow.cancel(stage.id, secret: stage.secret, waiting: .zero)
        case .acknowledged:
            _ = try await stage.flow.cancel(stage.id, secret: stage.secret, waiting: .zero)
            try await stage.flow.acknowledge(stage.id, secret: stage.secret)
        case .expired: stage.pass(601)
        }
    }

    @Test(arguments: Target.allCases) func `a login that has not ended is reported once`(_ target: Target) async throws
    {
        let stage = try FlowStage(.returnLink)
        try await Self.bring(stage, to: target)
        let former = try await target == .expired ? nil : stage.stored()?.login
        let secret = target == .itself ? stage.secret : PollSecret.make()
        let request = Self.request(replaces: stage.secret)
        let result = try await stage.flow.create(request, secret: secret)
        #expect(result.isNew && result.view.status == .pending)
        // A create whose response was lost comes again.
        #expect(try await stage.flow.create(request, secret: secret).isNew == false)
        let reports = stage.events.filter { $0.step.name == "replaced" }
        guard [.pending, .returned].contains(target) else {
            #expect(reports == [])
            return
        }
        let report = try #require(reports.first)
        #expect(reports.count == 1)
        #expect(report.step == .replaced(by: secret.loginID))
        #expect(report.login == stage.id && report.app == "demo" && report.provider == "mitid")
        #expect(stage.steps.last { ["created", "replaced"].contains($0) } == "replaced")
        // Not even the revision has changed.
        #expect(try await stage.stored()?.login == former)
    }

    @Test func `a replaced login can still complete`() async throws {
        let stage = try FlowStage()
        try await Self.bring(stage, to: .pending)
        let state = try await stage.open().state
        _ = try await stage.flow.create(Self.request(replaces: stage.secret), secret: PollSecret.make())
        _ = await stage.callback([Parameter("state", state), Parameter("code", "c")])
        await stage.flow.finish()
        #expect(try await stage.flow.loadView(stage.id, secret: stage.secret).status == .completed)
    }

    @Test func `a repeated create names the same login`() async throws {
        let stage = try FlowStage()
        let first = PollSecret.make()
        _ = try await stage.flow.create(Self.request(replaces: first), secret: stage.secret)
        for other in [nil, PollSecret.make()] {
            await #expect(throws: LoginFlowError.differentBody) {
                try await stage.flow.create(Self.request(replaces: other), secret: stage.secret)
            }
        }
        #expect(try await stage.flow.create(Self.request(replaces: first), secret: stage.secret).isNew == false)
    }

    /// A row has no trace of the secret.
    @Test func `a row keeps nothing of it`() {
        #expect(Self.request(replaces: .make()).stored.isEmpty)
    }

    @Test func `the store is asked only if a login is named`() async throws {
        let stage = try FlowStage()
        _ = stage.store.take()
        _ = try await stage.flow.create(Self.request(), secret: .make())
        #expect(stage.store.take().loads == 0)
        _ = try await stage.flow.create(Self.request(replaces: .make()), secret: .make())
        let counts = stage.store.take()
        #expect(counts.loads == 1 && counts.writes == 1)
    }
}
