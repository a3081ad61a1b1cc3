import Base
import Cryptography
import EndToEndSupport
import JOSE
import Sandbox
import StrictJSON
import Testing

/// Tests what the app's own API learns from an assertion, and which keys verify it.
@Suite struct AssertionTests {
    private func login(_ server: RunningServer, nonce: String? = nil) async throws -> (PhoneApp, JSON) {
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name, nonce.map { ["nonce": .string($0)] } ?? [:])
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await app.finish(&browser, .query)
        return (app, try await app.waitForEnd())
    }

    private func verified(_ assertion: JSON?, of server: RunningServer) async throws -> VerifiedJWS {
        let keys = try await TestClient.send("GET", "\(server.url)/.well-known/jwks.json")
        let token = try CompactJWS(parsing: try #require(assertion?.string))
        return try token.verified(with: try JWKSet(parsing: keys.body), allowing: [.es256])
    }

    /// Sources: E30.
    @Test func `an assertion says who the user is`() async throws {
        let server = try await RunningServer.start([.query])
        let (app, login) = try await self.login(server, nonce: "n-1")
        let token = try await self.verified(login["assertion"], of: server)
        #expect(token.header.type == "login+jwt")
        let claims = JSON.object(try #require(token.claims()))
        let account = Digest.sha256.hash(Array(server.sandbox.issuer.utf8) + [0] + Array("sandbox-dk-freja".utf8))
        #expect(claims["iss"]?.string == server.url)
        #expect(claims["aud"]?.string == "demo")
        #expect(claims["sub"]?.string == Base64URL.encode(account))
        #expect(claims["broker_iss"]?.string == server.sandbox.issuer)
        #expect(claims["broker_sub"]?.string == "sandbox-dk-freja")
        #expect(claims["provider"]?.string == BrokerVariant.query.name)
        #expect(claims["proof"]?.string == "none")
        #expect(claims["jti"]?.string == app.id)
        #expect(claims["nonce"]?.string == "n-1")
        #expect(claims["auth_time"]?.integer != nil)
        let (issued, expires) = (try #require(claims["iat"]?.integer), try #require(claims["exp"]?.integer))
        #expect(expires - issued == 300)
        for name in ["name", "given_name", "birthdate", "email"] { #expect(claims[name] == nil, "\(name)") }
        await server.stop()
    }

    /// The first assertion has expired minutes later, but the result is still there and is signed again.
    @Test func `an assertion is signed anew at each delivery`() async throws {
        let server = try await RunningServer.start([.query])
        let (app, login) = try await self.login(server)
        server.clock.advance(by: .seconds(400))
        let again = try #require(try await app.poll().json)
        let first = JSON.object(try #require(try await self.verified(login["assertion"], of: server).claims()))
        let second = JSON.object(try #require(try await self.verified(again["assertion"], of: server).claims()))
        let (before, after) = (try #require(first["exp"]?.integer), try #require(second["exp"]?.integer))
        #expect(after - before >= 400)
        #expect(again["identity"] == login["identity"])
        #expect(first["nonce"] == nil, "the app sent none")
        await server.stop()
    }

    struct Typ: Sendable {
        let setting: String
        let type: String
    }

    /// RFC 8725 §3.11: the `typ` that an API demands.
    @Test(arguments: [
        Typ(setting: "", type: "login+jwt"), Typ(setting: "assertion_typ: JWT", type: "JWT"),
        Typ(setting: "assertion_typ: shop-login+jwt", type: "shop-login+jwt"),
    ])
    func `the type of an assertion is the app's`(_ row: Typ) async throws {
        let server = try await RunningServer.start([.query], app: row.setting)
        let (_, login) = try await self.login(server)
        #expect(try await self.verified(login["assertion"], of: server).header.type == row.type)
        await server.stop()
    }

    /// OpenID Connect Discovery 1.0 §3 and §4.3: an API that knows the issuer finds the keys, and the document says
    /// nothing untrue.
    @Test func `the issuer is discovered from its document`() async throws {
        let server = try await RunningServer.start([.query])
        let (_, login) = try await self.login(server)
        let claims = JSON.object(try #require(try await self.verified(login["assertion"], of: server).claims()))
        let issuer = try #require(claims["iss"]?.string)
        let answer = try await TestClient.send("GET", "\(issuer)/.well-known/openid-configuration")
        #expect(answer[.contentType] == "application/json")
        #expect(answer[.cacheControl] == "public, max-age=300")
        let document = try #require(answer.json)
        #expect(document["issuer"]?.string == issuer)
        #expect(document["id_token_signing_alg_values_supported"] == ["ES256"])
        #expect(document["subject_types_supported"] == ["public"])
        let keys = try await TestClient.send("GET", try #require(document["jwks_uri"]?.string))
        let token = try CompactJWS(parsing: try #require(login["assertion"]?.string))
        _ = try token.verified(with: try JWKSet(parsing: keys.body), allowing: [.es256])
        let names = Set(try #require(document["claims_supported"]?.array).compactMap(\.string))
        #expect(Set(try #require(claims.object).names).subtracting(names) == [])
        // The only readers are the APIs of apps, so the document names no endpoint.
        #expect(document.object?.names.filter { $0.hasSuffix("_endpoint") || $0.hasPrefix("response_") } == [])
        await server.stop()
    }

    /// Each key has one use: neither a broker's own token nor what we send to brokers is accepted as an assertion.
    @Test func `no other key signs an assertion`() async throws {
        let server = try await RunningServer.start([.query])
        let (_, login) = try await self.login(server)
        let token = try CompactJWS(parsing: try #require(login["assertion"]?.string))
        let forBrokers = try await TestClient.send("GET", "\(server.url)/client/jwks.json")
        let others = try JWKSet(parsing: forBrokers.body)
        #expect(others.keys.map(\.use) == ["sig", "sig", "enc", "enc"])
        #expect(throws: SignatureError.unknownKey) { try token.verified(with: others, allowing: [.es256]) }
        let forApps = try await TestClient.send("GET", "\(server.url)/.well-known/jwks.json")
        #expect(try JWKSet(parsing: forApps.body).keys.map(\.keyID) == [token.header.keyID])
        await server.stop()
    }
}
