import Base
import Brokers
import Synchronization

@testable import Logins

/// A login flow over a counting store, with one app, one provider and a scripted broker.
final class FlowStage: Sendable {
    static let appLink = "https://app.example.com/back"
    static let callbackLink = "https://app.example.com/callback"

    let store = CountingStore()
    let broker: TableBroker
    let flow: LoginFlow
    let secret = PollSecret.make()
    private let record = Record()
    private let keys: ServerKeys
    private let settings: LoginSettings
    private let provider: Provider

    /// The state that the flow's closures share with the stage.
    private final class Record: Sendable {
        let now = Mutex(Example.start)
        let events = Mutex<[LoginEvent]>([])
    }

    var id: LoginID { self.secret.loginID }

    var events: [LoginEvent] { self.record.events.withLock { $0 } }

    /// The names of the reported steps, in order.
    var steps: [String] { self.events.map(\.step.name) }

    /// The steps that ended a login.
    var ends: [LoginEvent.Step] {
        self.record.events.withLock { events in
            events.map(\.step).filter { if case .ended = $0 { true } else { false } }
        }
    }

    func pass(_ seconds: Int) { self.record.now.withLock { $0 = $0 + .seconds(seconds) } }

    init(
        _ release: ReleasePolicy = .immediate, answersToApp: Bool = false, needsThumbprint: Bool = false,
        through providerFlow: Provider.Flow = .browser, noteLifetime: Duration = .zero,
        _ redeeming: LeftLogins.Redeeming = .works
    ) throws {
        let record = self.record
        let broker = TableBroker(redeeming, appRedirectURI: answersToApp ? Self.callbackLink : nil)
        guard let keys = ServerKeys([ServerKey.make()]) else { throw StoreError.unavailable }
        var settings = LoginSettings(publicURL: "https://login.example.com")
        settings.apps["demo"] = LoginSettings.App(releases: ["mitid": release], returnPrefixes: [Self.appLink])
        settings.apps["demo"]?.needsThumbprint = needsThumbprint
        settings.apps["other"] = LoginSettings.App(releases: ["mitid": release], returnPrefixes: [])
        settings.noteLifetime = noteLifetime
        var provider = Provider(id: "mitid", brokerID: "table", names: ["en": "MitID"])
        provider.flow = providerFlow
        self.broker = broker
        self.keys = keys
        self.settings = settings
        self.provider = provider
        self.flow = LoginFlow(
            LoginConfiguration(settings, keys: keys, providers: [provider], brokers: [broker]),
            store: self.store, now: { record.now.withLock { $0 } },
            observe: { event in record.events.withLock { $0.append(event) } })
    }

    /// Returns another server of the same store, on which the app may have another time to return.
    func sibling(returnTimeout: Duration) -> LoginFlow {
        var settings = self.settings
        settings.apps["demo"]?.returnTimeout = returnTimeout
        let record = self.record
        return LoginFlow(
            LoginConfiguration(settings, keys: self.keys, providers: [self.provider], brokers: [self.broker]),
            store: self.store, now: { record.now.withLock { $0 } }, observe: { _ in })
    }

    /// Switches the provider off or on for what begins from now on, as a reload does.
    func switchProvider(on isEnabled: Bool) {
        var provider = self.provider
        provider.isEnabled = isEnabled
        _ = self.flow.replaceConfiguration(
            with: LoginConfiguration(self.settings, keys: self.keys, providers: [provider], brokers: [self.broker]))
        // A login of the same millisecond belongs to the former configuration.
        self.pass(1)
    }

    /// Removes the provider, as a reload does.
    func removeProvider() {
        _ = self.flow.replaceConfiguration(
            with: LoginConfiguration(self.settings, keys: self.keys, providers: [], brokers: [self.broker]))
        self.pass(1)
    }

    /// Creates the app's login.
    @discardableResult
    func create(thumbprint: String? = nil) async throws -> LoginView {
        var request = LoginRequest(provider: "mitid", app: "demo")
        request.dpopThumbprint = thumbprint
        return try await self.flow.create(request, secret: self.secret).view
    }

    /// Opens our link in a browser. Returns the state of the authorization request, and the cookie.
    func open() async throws -> (state: String, cookie: AttemptCookie) {
        guard case .openBrowser(let url, _)? = try await self.flow.loadView(self.id, secret: self.secret).next,
            let token = url.split(separator: "/").last,
            case .redirect(let target, let cookie?) = await self.flow.startAuthorization(String(token), languages: []),
            let state = target.split(separator: "=").last
        else { throw StoreError.unavailable }
        return (String(state), cookie)
    }

    /// Brings an authorization response in a browser.
    func callback(_ parameters: [Parameter]) async -> CallbackOutcome {
        await self.flow.acceptCallback(broker: "table", parameters: parameters)
    }

    /// Brings an authorization response in a link that opens the app.
    func handleReturn(state: String, code: String) async throws -> LoginView {
        let link = ReturnLink(
            text: "\(Self.callbackLink)?state=\(state)&code=\(code)", location: Self.callbackLink,
            read: { _ in [Parameter("state", state), Parameter("code", code)] })
        return try await self.flow.handleReturn(self.id, secret: self.secret, link: link)
    }

    /// Returns the stored login.
    func stored() async throws -> LoginSnapshot? { try await self.flow.repository.read(self.id) }
}
