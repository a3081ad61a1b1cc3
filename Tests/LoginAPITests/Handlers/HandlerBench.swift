import Base
import Brokers
import EventLoop
import Foundation
import HTTPServer
import HTTPWire
import JOSE
import Logins
import OpenAPIChecking
import OpenIDConnect
import Sessions
import StrictJSON
import Synchronization
import TestSupport
import Testing

@testable import LoginAPI

/// The public handler with a memory store and a fake provider, called without sockets.
///
/// It checks every response against `openapi.yaml`.
final class HandlerBench: Sendable {
    let clock = ManualClock()
    let store = FaultyStore()
    let provider: FakeProvider
    let document: OpenAPIDocument
    let flow: LoginFlow
    let handler: PublicHandler
    let loop: EventLoop
    /// The steps of its logins.
    let events = Mailbox<LoginEvent>()
    private let answered: Mailbox<CompletedRequest>
    private let configurationWhileOff: LoginConfiguration
    /// The work during which each response was reported.
    let works = Mailbox<ReportedWork>()

    static let link = "https://link.example.com/r/"

    init(
        document: OpenAPIDocument? = nil, discovery: JSON? = nil, release: ReleasePolicy = .immediate,
        sessions level: SessionLevel? = nil, automaticKeys: AutomaticKeySets? = nil,
        _ change: (inout PublicSettings) -> Void = { _ in }
    ) throws {
        let (clock, events, works) = (self.clock, self.events, self.works)
        let provider = try FakeProvider(now: clock.now)
        let client = Client(
            clientID: FakeProvider.clientID, authentication: .secretPost(Secret("secret")),
            redirectURI: "https://login.example.com/callback/fake")
        let broker = OpenIDBroker(
            BrokerSettings(
                id: "fake", issuer: FakeProvider.issuer, client: client, endpoints: EndpointPolicy(),
                issuerPolicy: .promised, idTokenAlgorithms: [.es256]),
            fetch: provider.fetch, now: clock.now)
        var eid = Provider(id: "eid", brokerID: "fake", names: ["en": "e-ID", "da": "e-ID på dansk"])
        eid.countries = ["DK"]
        eid.usesUserInfo = false
        eid.claims = ["hair"]
        eid.parameters = ["login_hint", "market"]
        var settings = PublicSettings(publicURL: "https://login.example.com")
        settings.apps = ["demo": AppProfile(names: ["en": "Demo"], returnPrefixes: [Self.link])]
        settings.providers = [eid]
        settings.sessionLevels = ["eid": .unlock]
        change(&settings)
        let flowSettings = Self.flowSettings(settings, release)
        let keys = try #require(ServerKeys([ServerKey.make()]))
        let off = settings.providers.map { provider in
            var provider = provider
            provider.isEnabled = false
            return provider
        }
        self.configurationWhileOff = LoginConfiguration(flowSettings, keys: keys, providers: off, brokers: [broker])
        let flow = LoginFlow(
            LoginConfiguration(flowSettings, keys: keys, providers: settings.providers, brokers: [broker]),
            store: self.store, now: clock.now, observe: { events.put($0) })
        let store = self.store
        let sessions = try level.map { try Self.sessions($0, store, now: clock.now) }
        let folder = try PublicFolder()
        let notices = Dictionary(
            uniqueKeysWithValues: settings.providers.filter { !$0.isEnabled }.map { ($0.id, $0.notices) })
        let answered = Mailbox<CompletedRequest>()
        self.handler = PublicHandler(
            settings, flow: flow, sessions: sessions, pages: try Pages(folder, apps: settings.apps, notices: notices),
            files: try PublicFiles(
                folder, assertionKeys: JWKSet([]), clientKeys: JWKSet([]), discovery: discovery,
                accessKeys: sessions.map { _ in JWKSet([]) }, automaticKeys: automaticKeys,
                looks: settings.apps.values.map(\.look)),
            now: clock.now,
            observe: { request in
                answered.put(request)
                works.put(ReportedWork(of: request))
            })
        self.answered = answered
        self.document = try document ?? OpenAPIFileTests.document.get()
        self.provider = provider
        self.flow = flow
        self.loop = try EventLoop(name: "bench")
    }

    deinit { self.loop.close() }

    /// Switches its providers off for logins, as a reload does.
    func switchOff() { _ = self.flow.replaceConfiguration(with: self.configurationWhileOff) }

    static let publicFolder = SourceFile.path("Public")

    private static func flowSettings(_ settings: PublicSettings, _ release: ReleasePolicy) -> LoginSettings {
        var flowSettings = LoginSettings(publicURL: settings.publicURL)
        flowSettings.apps = settings.apps.mapValues {
            LoginSettings.App(
                releases: Dictionary(uniqueKeysWithValues: settings.providers.map { ($0.id, release) }),
                returnPrefixes: $0.returnPrefixes)
        }
        return flowSettings
    }

    private static func sessions(
        _ level: SessionLevel, _ store: FaultyStore, now: @escaping @Sendable () -> Timestamp
    ) throws -> SessionFlow {
        let signer = try JWTSigner(key: try PrivateKey.generate(.p256), algorithm: .es256, keyID: "a")
        let terms = SessionTerms(
            app: "demo", audience: "https://api.example", level: level, allowsCodeProof: true, allowsBearer: false)
        let configuration = SessionConfiguration(
            issuer: "https://login.example.com", keys: try #require(SessionKeys([SessionKey.make()])), signer: signer,
            verificationKeys: JWKSet([try #require(signer.jwk)]), terms: ["demo": terms])
        return SessionFlow(configuration, store: store, now: now, observe: { _ in })
    }

    /// Returns the response to one request.
    func send(
        _ method: HTTPWire.Method, _ target: String, _ fields: Fields = [:], body: String = "",
        from client: String = "192.0.2.1"
    ) async throws -> Response {
        let head = RequestHead(method, try #require(Target(target, of: method)), fields: fields)
        let request = Request(head: head, body: Array(body.utf8))
        let address = try #require(IPAddress(client))
        let response = await withCheckedContinuation { continuation in
            self.start(request, from: address, onGone: { _ in }) { continuation.resume(returning: $0) }
        }
        let headers = response.fields.map { Parameter($0.name.rawValue, $0.value) }
        let problems = self.document.check(
            method.rawValue, target, status: response.status.rawValue, headers: headers, body: response.body)
        #expect(problems == [])
        return response
    }

    func start(
        _ request: Request, from client: IPAddress,
        onGone: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        onHold: @escaping @Sendable (@escaping @Sendable (HoldEnd) -> Void) -> Void = { _ in },
        respond: @escaping @Sendable (Response) -> Void
    ) {
        self.loop.execute {
            self.handler.handleUnconnected(
                request, from: client,
                BenchResponder(
                    loop: self.loop, answer: respond, stream: { BenchStream($0, respond).stream }, leave: onGone,
                    held: onHold))
        }
    }

    func lastAnswered() async -> CompletedRequest? { await self.answered.next() }

    /// Loads a link of ours, as a browser does.
    func load(_ link: String, _ fields: Fields = [:], from client: String = "192.0.2.1") async throws -> Response {
        try await self.send(.get, link.replacing("https://login.example.com", with: ""), fields, from: client)
    }

    /// Waits until `count` requests wait. Returns false if that takes longer than `limit`.
    func longPolls(_ count: Int, within limit: Duration = .seconds(10)) async -> Bool {
        for _ in 0..<(limit.components.seconds * 200) {
            if self.flow.waitingCount == count { return true }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return false
    }
}
