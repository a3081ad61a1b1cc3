import Base
import BrokerTransport
import Brokers
import ConfigurationSamples
import EventLoop
import Logging
import OpenIDConnect
import ServerConfiguration
import Synchronization
import Telemetry
import TestSupport
import Testing

/// A request to a broker that must not be repeated reaches it exactly once, wherever the broker's connection ends.
@Suite(.blocking, .timeLimit(.minutes(5))) struct BrokerDeliveryTests {
    /// A request to a broker, identified by the path at which it arrives.
    enum Asked: String, CaseIterable {
        case pushedAuthorization = "/par"
        case token = "/token"
        case backchannelStart = "/connect/ciba"
        case backchannelPoll = "/token?ciba"
        case headlessStart = "/headless/authorize"
        case headlessPoll = "/token?headless"
        case launchLinkStart = "/authorize"
        case launchLinkComplete = "/complete"
        case resolverStart = "/init"
        case resolverComplete = "/resolver/complete"

        var path: String { String(self.rawValue.prefix { $0 != "?" }) }
    }

    /// A response that no request accepts: only the byte at which it ends matters.
    private static let answer =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 22\r\n\r\n{\"expires_in\": 60     }"

    static let rows = [false, true].flatMap { isKept in
        Asked.allCases.flatMap { asked in
            TestTier.few(Array(0...Self.answer.utf8.count), oneOf: 20).map { (asked, $0, isKept) }
        }
    }

    @Test(arguments: [false, true]) func `a request is seen once`(isKept: Bool) async throws {
        for (asked, byte, kept) in Self.rows where kept == isKept {
            #expect(try await Self.count(asked, diesAt: byte, isKept: isKept) == 1, "\(asked) \(byte)")
        }
    }

    /// Returns how often `asked` arrives at a broker whose connections end at this byte of its response.
    private static func count(_ asked: Asked, diesAt byte: Int, isKept: Bool) async throws -> Int {
        let seen = Mutex(0)
        let server = try FaultServer { connection in
            while let request = connection.readRequest() {
                let path = request.split(separator: " ").dropFirst().first?.prefix { $0 != "?" } ?? ""
                if path.hasPrefix("/.well-known") {
                    connection.write(Self.metadata(request, isKept: isKept))
                    guard isKept else { return }
                    continue
                }
                seen.withLock { $0 += path == asked.path || path.hasSuffix(asked.path) ? 1 : 100 }
                connection.write(Array(Self.answer.utf8.prefix(byte)))
                return
            }
        }
        defer { server.stop() }
        let loop = try EventLoop(name: "test")
        defer { loop.close() }
        let issuer = "http://127.0.0.1:\(server.port)"
        let configuration = try Configuration(
            SampleConfiguration.source(
                "issuer: https://id.example.com",
                "issuer: \(issuer)\n    allow_insecure_loopback: true"))
        let settings = try #require(configuration.brokers.first)
        let record = BrokerRecorder(
            settings.id, metrics: ServerMetrics(),
            lines: RepeatedLines(Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }),
            limits: LimitRecorder(
                metrics: ServerMetrics(), lines: RepeatedLines(Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })),
            now: WallClock.now)
        let fetch = try BrokerFetch(
            configuration.outbound(to: settings), timeout: settings.timeout, loop: loop, observer: record)
        await Self.ask(asked, at: issuer, fetch.fetch)
        await fetch.close()
        return seen.withLock { $0 }
    }

    private static func metadata(_ request: String, isKept: Bool) -> String {
        let host = request.split(separator: "\r\n").first { $0.hasPrefix("Host: ") }?.dropFirst(6) ?? ""
        let issuer = "http://\(host)"
        let body = """
            {"issuer": "\(issuer)", "authorization_endpoint": "\(issuer)/authorize", "token_endpoint": "\(issuer)/token",
            "jwks_uri": "\(issuer)/keys", "pushed_authorization_request_endpoint": "\(issuer)/par",
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"]}
            """
        let end = isKept ? "" : "Connection: close\r\n"
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(end)Content-Length: \(body.utf8.count)"
        return "\(head)\r\n\r\n\(body)"
    }

    private static func ask(_ asked: Asked, at issuer: String, _ fetch: @escaping Fetch) async {
        let client = Client(
            clientID: "switchback", authentication: .secretPost(Secret("secret")),
            redirectURI: "https://login.example.com/callback/main",
            requestStyle: asked == .pushedAuthorization ? .par : .plain)
        let settings = BrokerSettings(
            id: "main", issuer: issuer, client: client, endpoints: EndpointPolicy(allowInsecureLoopback: true),
            issuerPolicy: .promised, idTokenAlgorithms: [.es256])
        let broker = OpenIDBroker(settings, fetch: fetch, now: WallClock.now)
        var resolver = DigiDSettings(
            id: "digid", issuer: issuer, resolver: "\(issuer)/resolver", clientID: "shop",
            clientSecret: Secret("secret"), returnURL: "https://link.example.com/callback/digid")
        resolver.endpoints = EndpointPolicy(allowInsecureLoopback: true)
        let digid = DigiDBroker(resolver, fetch: fetch, now: WallClock.now)
        var provider = Provider(id: "eid", brokerID: "main", names: ["en": "e-ID"])
        let challenge = Challenge.make(state: "state")
        let until = WallClock.now() + .seconds(60)
        // With persistent connections, one is open before the request is sent.
        let returned = [Parameter("state", "state"), Parameter("code", "code")]
        _ = try? await broker.validate(returned, state: "state", for: provider)
        switch asked {
        case .pushedAuthorization:
            _ = try? await broker.startAuthorization(for: provider, challenge, AuthorizationContext())
        case .token:
            _ = try? await broker.redeem(code: Secret("code"), challenge, nil)
        case .backchannelStart:
            provider.flow = .ciba
            _ = try? await broker.startAuthorization(for: provider, challenge, AuthorizationContext())
        case .backchannelPoll:
            _ = try? await broker.fetchProgress(
                of: BackchannelTransaction(.backchannel, [.id: "1"], interval: 1, until: until))
        case .headlessStart:
            provider.flow = .headless
            _ = try? await broker.startAuthorization(for: provider, challenge, AuthorizationContext())
        case .headlessPoll:
            _ = try? await broker.fetchProgress(
                of: BackchannelTransaction(.headless, [.id: "1"], interval: 1, until: until))
        case .launchLinkStart:
            provider.flow = .launchLinks
            _ = try? await broker.startAuthorization(for: provider, challenge, AuthorizationContext())
        case .launchLinkComplete:
            let trip = BackchannelTransaction(
                .launchLinks, [.complete: "\(issuer)/complete"], interval: nil, until: until)
            _ = try? await broker.fetchProgress(of: trip)
        case .resolverStart:
            _ = try? await digid.startAuthorization(for: provider, challenge, AuthorizationContext())
        case .resolverComplete:
            let returned = [Parameter("code", "artifact")]
            guard case .granted(let code)? = try? await digid.validate(returned, state: "state", for: provider) else {
                return
            }
            let trip = BackchannelTransaction(
                .artifact, [.transaction: "1", .session: "2", .scope: "", .request: "_3"], interval: nil, until: until)
            _ = try? await digid.redeem(code: code, challenge, trip)
        }
    }
}
