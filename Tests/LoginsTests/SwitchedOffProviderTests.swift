import Base
import Brokers
import Synchronization
import Testing

@testable import Logins

/// No login begins with a provider that is switched off, and every login that has begun goes on.
@Suite struct SwitchedOffProviderTests {
    /// Opens the link of the stage's login, with or without the cookie of an earlier attempt.
    private static func open(
        _ stage: FlowStage, _ cookie: AttemptCookie? = nil, by caller: ClientContext = ClientContext()
    ) async throws -> StartOutcome {
        let snapshot = try #require(try await stage.stored())
        let token = StartToken.text(for: stage.id, under: snapshot.key)
        return await stage.flow.startAuthorization(
            token, languages: [], cookies: cookie.map { [Parameter($0.name, $0.value)] } ?? [], by: caller)
    }

    private static func kind(_ outcome: StartOutcome) -> PageView.Kind? {
        guard case .page(let view) = outcome else { return nil }
        return view.kind
    }

    private static func isSent(_ outcome: StartOutcome) -> Bool {
        guard case .redirect = outcome else { return false }
        return true
    }

    @Test(arguments: [Provider.Flow.browser, .launchLinks])
    func `no login begins while the provider is off`(_ flow: Provider.Flow) async throws {
        let stage = try FlowStage(through: flow)
        stage.switchProvider(on: false)
        var request = LoginRequest(provider: "mitid", app: "demo")
        request.platform = .ios
        await #expect(throws: LoginFlowError.providerOff) {
            try await stage.flow.create(request, secret: stage.secret)
        }
        #expect(try await stage.stored() == nil && stage.events.isEmpty)
        stage.switchProvider(on: true)
        #expect(try await stage.flow.create(request, secret: stage.secret).isNew)
    }

    @Test func `a create whose response was lost gets its login`() async throws {
        let stage = try FlowStage()
        let view = try await stage.create()
        stage.switchProvider(on: false)
        let again = try await stage.flow.create(LoginRequest(provider: "mitid", app: "demo"), secret: stage.secret)
        #expect(!again.isNew && again.view.id == view.id && again.view.status == .pending)
    }

    @Test func `a link that nobody has opened waits until the provider is on again`() async throws {
        let stage = try FlowStage()
        _ = try await stage.create()
        stage.switchProvider(on: false)
        let calls = Atomic(0)
        let caller = ClientContext(spend: { _ throws(LoginFlowError) in calls.add(1, ordering: .relaxed) })
        for _ in 0..<2 {
            #expect(Self.kind(try await Self.open(stage, by: caller)) == .providerOff)
        }
        #expect(calls.load(ordering: .relaxed) == 0, "it costs the user nothing")
        #expect(try await stage.stored()?.login.state == .pending)
        #expect(
            stage.events.filter { $0.step.name == "open_failed" }.map { $0.step.brokerError?.detail }
                == ["provider_off", "provider_off"])
        stage.switchProvider(on: true)
        #expect(Self.isSent(try await Self.open(stage, by: caller)))
    }

    @Test func `a login that is at the broker goes on`() async throws {
        let stage = try FlowStage()
        _ = try await stage.create()
        let (state, cookie) = try await stage.open()
        stage.switchProvider(on: false)
        #expect(Self.isSent(try await Self.open(stage, cookie)), "the same browser continues")
        #expect(Self.isSent(try await Self.open(stage)), "and so does another one")
        _ = await stage.callback([Parameter("state", state), Parameter("code", "c")])
        await stage.flow.finish()
        #expect(try await stage.stored()?.login.status == .completed)
    }

    @Test func `a login that has ended shows how`() async throws {
        let stage = try FlowStage()
        _ = try await stage.create()
        stage.switchProvider(on: false)
        _ = try await stage.flow.cancel(stage.id, secret: stage.secret, waiting: .zero)
        #expect(Self.kind(try await Self.open(stage)) == .cancelled)
    }

    /// That is no switch: its logins end under the configuration they began with.
    @Test func `a provider that was removed is not off`() async throws {
        let stage = try FlowStage()
        _ = try await stage.create()
        stage.removeProvider()
        #expect(Self.isSent(try await Self.open(stage)))
        await #expect(throws: LoginFlowError.unknownProvider) {
            try await stage.flow.create(LoginRequest(provider: "mitid", app: "demo"), secret: PollSecret.make())
        }
    }
}
