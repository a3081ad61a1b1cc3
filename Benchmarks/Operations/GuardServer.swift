import Base
import Brokers
import EventLoop
import HTTPServer
import HTTPWire
import JOSE
import LoginAPI
import Logins
import OpenIDConnect
import Sessions
import Stores
import Synchronization

/// The public handler as in a server, with a store in memory and a provider in this process, called without sockets.
final class GuardServer: Sendable {
    static let publicURL = "https://login.example.com"
    static let returnPrefix = "https://link.example.com/r/"

    /// The clock never moves, so that runs do not differ because of the time.
    private static let now: @Sendable () -> Timestamp = { Timestamp(seconds: 1_800_000_000) }

    let provider: GuardProvider
    let sessions: SessionFlow
    private let loop: EventLoop
    private let handler: PublicHandler
    private let ends: AsyncStream<Void>
    private let client: IPAddress

    init(providerKey: PrivateKey, loop: EventLoop) throws {
        guard let client = IPAddress("192.0.2.1"), let keys = ServerKeys([ServerKey.make()]) else {
            throw GuardError.unexpected("no address, or no key")
        }
        self.client = client
        self.loop = loop
        let provider = try GuardProvider(key: providerKey, now: Self.now)
        self.provider = provider
        let broker = OpenIDBroker(
            BrokerSettings(
                id: "broker", issuer: GuardProvider.issuer,
                client: Client(
                    clientID: GuardProvider.clientID, authentication: .secretBasic(Secret("secret"), .formEncoded),
                    redirectURI: "\(Self.publicURL)/callback/broker"),
                endpoints: EndpointPolicy(), issuerPolicy: .promised, idTokenAlgorithms: [.rs256]),
            fetch: { request async throws(FetchError) in try provider.answer(to: request) }, now: Self.now)
        let eid = Provider(id: "eid", brokerID: "broker", names: ["en": "e-ID"])
        var settings = PublicSettings(publicURL: Self.publicURL)
        settings.apps = ["demo": AppProfile(names: ["en": "Demo"], returnPrefixes: [Self.returnPrefix])]
        settings.providers = [eid]
        settings.rates.createPerAddress = nil
        settings.rates.createPerApp = nil
        settings.rates.brokerCallsPerAddress = nil
        settings.rates.proofsPerAddress = nil
        settings.sessionLevels = [eid.id: .refresh]
        var flowSettings = LoginSettings(publicURL: Self.publicURL)
        flowSettings.apps = [
            "demo": LoginSettings.App(releases: ["eid": .returnLink], returnPrefixes: [Self.returnPrefix])
        ]
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        self.ends = ends
        let store = MemoryLoginStore()
        self.sessions = SessionFlow(
            try Self.sessionConfiguration(), store: store, now: Self.now, observe: { _ in })
        let flow = LoginFlow(
            LoginConfiguration(flowSettings, keys: keys, providers: [eid], brokers: [broker]), store: store,
            now: Self.now, observe: { if case .identified = $0.step { end.yield() } })
        let folder = try PublicFolder()
        self.handler = PublicHandler(
            settings, flow: flow, sessions: self.sessions, pages: try Pages(folder, apps: settings.apps),
            files: try PublicFiles(folder, assertionKeys: JWKSet([]), clientKeys: JWKSet([]), discovery: nil),
            now: Self.now, observe: { _ in })
    }

    private static func sessionConfiguration() throws -> SessionConfiguration {
        let signer = try JWTSigner(key: PrivateKey.generate(.p256), algorithm: .es256, keyID: "1")
        guard let keys = SessionKeys([SessionKey.make()]), let jwk = signer.jwk else {
            throw GuardError.unexpected("no keys of sessions")
        }
        let terms = SessionTerms(
            app: "demo", audience: "https://api.example.com", level: .refresh, allowsCodeProof: false,
            allowsBearer: false)
        return SessionConfiguration(
            issuer: self.publicURL, keys: keys, signer: signer, verificationKeys: JWKSet([jwk]),
            terms: [terms.app: terms])
    }

    /// Returns the response to one request.
    func send(
        _ method: Method, _ target: String, _ fields: Fields = [:], body: String = ""
    ) async throws -> Response {
        guard let target = Target(target, of: method) else {
            throw GuardError.unexpected("not a request target: \(target)")
        }
        let request = Request(head: RequestHead(method, target, fields: fields), body: Array(body.utf8))
        return await withCheckedContinuation { continuation in
            let responder = GuardResponder(loop: self.loop) { continuation.resume(returning: $0) }
            self.handler.handleUnconnected(request, from: self.client, responder)
        }
    }

    /// Returns when one more code exchange has identified a user.
    func exchanged() async {
        for await _ in self.ends { return }
    }
}

/// A request that gets its response without a connection.
private struct GuardResponder: ResponseTarget {
    let loop: EventLoop
    let answer: @Sendable (Response) -> Void

    func respond(_ response: Response) { self.answer(response) }

    func begin(_ response: Response) -> ResponseStream { ResponseStream(send: { _ in }, end: {}) }

    func onGone(_ action: @escaping @Sendable () -> Void) {}
}
