/// What the app's own API is told, and with which keys.
import JOSE
import Sandbox
import Testing

@Suite struct Assertions {
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

    @Test func itSaysWhoItIs() async throws {
        let server = try await RunningServer.start([.query])
        let (app, login) = try await self.login(server, nonce: "n-1")
        let token = try await self.verified(login["assertion"], of: server)
        #expect(token.header.type == "login+jwt")
        let claims = JSON.object(try token.claims())
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

    /// Minutes later the first one has expired, and the result is still there.
    @Test func itIsSignedAnewAtEachDelivery() async throws {
        let server = try await RunningServer.start([.query])
        let (app, login) = try await self.login(server)
        server.clock.advance(by: .seconds(400))
        let again = try #require(try await app.poll().json)
        let first = JSON.object(try await self.verified(login["assertion"], of: server).claims())
        let second = JSON.object(try await self.verified(again["assertion"], of: server).claims())
        let (before, after) = (try #require(first["exp"]?.integer), try #require(second["exp"]?.integer))
        #expect(after - before >= 400)
        #expect(again["identity"] == login["identity"])
        #expect(first["nonce"] == nil, "the app sent none")
        await server.stop()
    }

    /// A broker's own token, and what brokers are sent, is never an assertion: each key has one use.
    @Test func noOtherKeySignsIt() async throws {
        let server = try await RunningServer.start([.query])
        let (_, login) = try await self.login(server)
        let token = try CompactJWS(parsing: try #require(login["assertion"]?.string))
        let forBrokers = try await TestClient.send("GET", "\(server.url)/client/jwks.json")
        let others = try JWKSet(parsing: forBrokers.body)
        #expect(others.keys.map(\.use) == ["sig", "sig", "enc", "enc"])
        #expect(throws: JWS.Failure.unknownKey) { try token.verified(with: others, allowing: [.es256]) }
        let forApps = try await TestClient.send("GET", "\(server.url)/.well-known/jwks.json")
        #expect(try JWKSet(parsing: forApps.body).keys.map(\.keyID) == [token.header.keyID])
        await server.stop()
    }
}
