import Base
import Cryptography
import EndToEndSupport
import JOSE
import Sandbox
import StrictJSON
import Testing

/// One account at two brokers, by a claim that both have, in a namespace that lists both.
@Suite struct PersonTests {
    private static let variant = BrokerVariant(kind: "signaturgruppen", responseMode: "form_post")

    private static func server(scope: String = "openid, mitid", claim: String = "mitid.uuid") async throws
        -> RunningServer
    {
        try await RunningServer.start(
            [Self.variant], settings: "namespaces: {mitid_uuid: {brokers: [\(Self.variant.name)]}}",
            providers: ", scope: [\(scope)], person: {namespace: mitid_uuid, claim: \(claim)}, prompt: login",
            system: .signaturgruppen)
    }

    private static func login(_ server: RunningServer) async throws -> JSON {
        let app = PhoneApp(server.url)
        let created = try await app.create(Self.variant.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await app.finish(&browser, Self.variant)
        return try await app.waitForEnd()
    }

    private static func claims(_ login: JSON, of server: RunningServer) async throws -> JSON {
        let keys = try await TestClient.send("GET", "\(server.url)/.well-known/jwks.json")
        let token = try CompactJWS(parsing: try #require(login["assertion"]?.string))
        let verified = try token.verified(with: try JWKSet(parsing: keys.body), allowing: [.es256])
        return .object(try #require(verified.claims()))
    }

    private static func account(_ namespace: String, _ value: String) -> String {
        Base64URL.encode(Digest.sha256.hash(Array(namespace.utf8) + [0] + Array(value.utf8)))
    }

    /// Each server has its own issuer, so these are two brokers.
    @Test func `another broker gives the same account`() async throws {
        let (one, other) = (try await Self.server(), try await Self.server())
        let first = try await Self.claims(try await Self.login(one), of: one)
        let second = try await Self.claims(try await Self.login(other), of: other)
        #expect(first["sub"]?.string == Self.account("mitid_uuid", "uuid-of-freja"))
        #expect(second["sub"] == first["sub"])
        #expect(first["broker_iss"] != second["broker_iss"])
        // The previous account name, from before `person` was configured: one for each broker.
        for (claims, server) in [(first, one), (second, other)] {
            let issuer = server.sandbox.issuer
            #expect(claims["previous_sub"]?.string == Self.account(issuer, "sandbox-dk-freja"))
        }
        await one.stop()
        await other.stop()
    }

    /// A login without the claim gets no account, because another broker could not find it again.
    @Test(arguments: [("openid", "mitid.uuid"), ("openid, mitid", "mitid.unknown")])
    func `a login without the claim fails`(_ scope: String, _ claim: String) async throws {
        let server = try await Self.server(scope: scope, claim: claim)
        let login = try await Self.login(server)
        #expect(login["status"]?.string == "failed")
        #expect(login["reason"]?["code"]?.string == "invalid_token")
        #expect(login["assertion"] == nil)
        #expect(try await server.log.brokerErrors(expected: 1).contains { $0.contains("person_missing") })
        await server.stop()
    }
}
