import Base
import EndToEndSupport
import HTTPWire
import JOSE
import PhoneKeys
import StrictJSON
import Testing

/// Whole sessions over sockets: login, session, PIN, idle time, unlock, wrong PINs, and the next login.
@Suite struct WholeSessionTests {
    private static func claims(_ phone: SessionPhone) async throws -> (JSON, String?) {
        let metadata = try await TestClient.send("GET", phone.server + "/.well-known/oauth-authorization-server")
        let keys = try await TestClient.send("GET", try #require(metadata.json?["jwks_uri"]?.string))
        let token = try CompactJWS(parsing: try #require(phone.accessToken))
        let verified = try token.verified(with: try JWKSet(parsing: keys.body), allowing: [.es256])
        return (.object(try #require(verified.claims())), verified.header.type)
    }

    private static func secret() -> Secret { Secret(RandomBytes.make(32)) }

    @Test func `a session lasts from its login to the next`() async throws {
        let stage = try await SessionStage.start(settings: "sessions: {idle: 300}")
        let phone = try SessionPhone(stage.server.url)
        let app = try await stage.login(phone)

        // The session, and what its token says.
        let begun = try await phone.send(try phone.beginning(app))
        #expect(begun.status == 200, "the login's responses have a nonce: \(begun.text)")
        #expect(begun.json?["token_type"] == "DPoP")
        #expect(begun.json?["expires_in"] == 300)
        #expect(begun.json?["pin"] == false)
        let (first, type) = try await Self.claims(phone)
        #expect(type == "at+jwt")
        #expect(first["iss"]?.string == phone.server)
        #expect(first["aud"]?.string == SessionPhone.audience)
        #expect(first["client_id"]?.string == "demo")
        #expect(first["sid"]?.string == phone.session)
        #expect(first["cnf"]?["jkt"]?.string == phone.key.thumbprint)
        #expect(first["login"]?["provider"]?.string == stage.variant.name)
        #expect(first["login"]?["proof"]?.string == "callback_link")
        #expect(first["acr"]?.string != "urn:switchback:unlock")

        // The PIN, and the login that is not needed any more.
        var pin = Self.secret()
        #expect(try await phone.send(try phone.settingPIN(pin)).status == 204)
        #expect(try await app.acknowledge().status == 204)
        #expect(try await phone.send(try phone.beginning(app)).brief == "410 gone")
        #expect(try await phone.send(try phone.renewal()).json?["pin"] == true)

        // The idle time passes, and only the PIN helps.
        stage.server.clock.advance(by: .seconds(900))
        #expect(try await phone.send(try phone.renewal()).brief == "400 use_dpop_nonce")
        #expect(try await phone.send(try phone.renewal()).brief == "400 pin_required")
        #expect(try await phone.send(try phone.renewal(pin: pin)).status == 200)
        let (unlocked, _) = try await Self.claims(phone)
        #expect(unlocked["acr"] == "urn:switchback:unlock")
        #expect(unlocked["login"]?["provider"] == first["login"]?["provider"])
        #expect(unlocked["login"]?["auth_time"] == first["login"]?["auth_time"])
        #expect(unlocked["sub"] == first["sub"])
        #expect(try await phone.send(try phone.renewal()).status == 200, "within the idle time")

        // A new PIN needs the old one by now.
        #expect(try await phone.send(try phone.settingPIN(Self.secret())).brief == "403 pin_too_late")
        let wrongOld = try await phone.send(try phone.settingPIN(Self.secret(), old: Self.secret()))
        #expect(wrongOld.brief == "403 wrong_pin" && wrongOld.json?["tries_left"] == 4)
        let next = Self.secret()
        #expect(try await phone.send(try phone.settingPIN(next, old: pin)).status == 204)
        pin = next

        // Five wrong PINs destroy it.
        stage.server.clock.advance(by: .seconds(900))
        phone.keep(try await app.poll())
        _ = try await phone.send { try phone.renewal() }
        for left in [4, 3, 2, 1] {
            let wrong = try await phone.send(try phone.renewal(pin: Self.secret()))
            #expect(wrong.brief == "400 wrong_pin" && wrong.json?["tries_left"]?.integer == left)
        }
        let last = try await phone.send(try phone.renewal(pin: Self.secret()))
        #expect(["400 wrong_pin", "400 insufficient_user_authentication"].contains(last.brief))
        let locked = try await phone.send(try phone.renewal(pin: pin))
        #expect(locked.brief == "400 insufficient_user_authentication")
        #expect(try await phone.send(try phone.renewal()).brief == "400 insufficient_user_authentication")

        // A new login of the same person with the same key renews the session.
        let (session, again) = (phone.session, try await stage.session(phone))
        #expect(phone.session == session)
        #expect(try await phone.send(try phone.settingPIN(pin)).status == 204)
        #expect(try await again.acknowledge().status == 204)
        #expect(try await phone.send(try phone.renewal()).json?["pin"] == true)
        await stage.stop()
        Self.checkLog(stage.server, hides: [pin, next], phone)
    }

    /// The log has the steps, and no secret.
    private static func checkLog(_ server: RunningServer, hides secrets: [Secret], _ phone: SessionPhone) {
        for event in ["begun", "renewed", "unlocked", "pin_set", "wrong_pin", "locked_out"] {
            #expect(server.log.text.contains("\"session_\(event)\""), "\(event)")
        }
        let tokens = [phone.refreshToken, phone.accessToken].compactMap { $0 }
        for text in secrets.map({ Base64URL.encode($0.exposed) }) + tokens { #expect(!server.log.text.contains(text)) }
    }

    /// RFC 8414: the metadata says nothing that is not so.
    @Test func `the metadata says nothing untrue`() async throws {
        let stage = try await SessionStage.start()
        let answer = try await TestClient.send(
            "GET", stage.server.url + "/.well-known/oauth-authorization-server")
        #expect(answer[.contentType] == "application/json")
        #expect(answer[.cacheControl] == "public, max-age=300")
        let metadata = try #require(answer.json)
        #expect(metadata["issuer"]?.string == stage.server.url)
        #expect(metadata["response_types_supported"] == [])
        #expect(metadata["grant_types_supported"] == ["refresh_token"])
        #expect(metadata["token_endpoint_auth_methods_supported"] == ["none"])
        #expect(metadata["dpop_signing_alg_values_supported"] == ["ES256"])
        for name in ["token_endpoint", "revocation_endpoint"] {
            let url = try #require(metadata[name]?.string)
            let refused = try await TestClient.send("POST", url)
            #expect(refused.brief == "400 invalid_request")
        }
        // Assertions and access tokens have keys of their own.
        let keys = try await TestClient.send("GET", try #require(metadata["jwks_uri"]?.string))
        let assertions = try await TestClient.send("GET", stage.server.url + "/.well-known/jwks.json")
        let (one, other) = (try JWKSet(parsing: keys.body), try JWKSet(parsing: assertions.body))
        #expect(!one.keys.isEmpty && !other.keys.isEmpty)
        #expect(Set(one.keys.map(\.thumbprint)).isDisjoint(with: other.keys.map(\.thumbprint)))
        await stage.stop()
    }

    /// A server without sessions has none of the addresses, and sends no nonce.
    @Test func `a server without sessions has none of the addresses`() async throws {
        let server = try await RunningServer.start([.app])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.app.name)
        #expect(created[.dpopNonce] == nil)
        let phone = try SessionPhone(server.url)
        let requests = [
            try phone.beginning(app), try phone.listing(), try phone.ending("AAAAAAAAAAAAAAAAAAAAAA"),
            try phone.settingPIN(Self.secret()), try phone.renewal(), phone.revocation(),
            SessionPhone.Request(method: "POST", path: "/v1/sessions/search", fields: []),
            SessionPhone.Request(method: "POST", path: "/v1/sessions/end", fields: []),
            SessionPhone.Request(method: "GET", path: "/.well-known/oauth-authorization-server", fields: []),
            SessionPhone.Request(method: "GET", path: "/.well-known/access-jwks.json", fields: []),
        ]
        for request in requests {
            #expect(try await phone.send(request).brief == "404 not_found", "\(request.method) \(request.path)")
        }
        await server.stop()
    }
}
