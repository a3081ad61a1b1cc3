import Base
import EndToEndSupport
import HTTPWire
import PhoneKeys
import StrictJSON
import Testing

/// Requests that get no session, or less of one: another key, another person, a weak login, a wrong or old proof.
@Suite struct SessionRefusalTests {
    @Test func `another key gets no session`() async throws {
        let stage = try await SessionStage.start()
        let phone = try SessionPhone(stage.server.url)
        let app = try await stage.login(phone)
        let thief = try phone.stolen()
        #expect(try await thief.send(try thief.beginning(app)).brief == "401 dpop_proof_invalid")
        let none = try await phone.send(try phone.beginning(app, hasProof: false))
        #expect(none.brief == "401 dpop_proof_required")
        #expect(none[.wwwAuthenticate] == "DPoP algs=\"ES256\"")
        #expect(try await phone.send(try phone.beginning(app)).status == 200)
        // Every refusal of a stolen token is the same.
        let other = try phone.stolen()
        let (stolen, unknown) = (
            try await other.send(try other.renewal()), try await thief.send(try thief.renewal())
        )
        #expect(stolen.brief == "400 invalid_grant")
        #expect(stolen.body == unknown.body)
        #expect(try await other.send(try other.listing()).brief == "401 dpop_proof_invalid")
        #expect(try await other.send(try other.ending(phone.session)).brief == "401 dpop_proof_invalid")
        // But whoever has the refresh token can sign out.
        #expect(try await other.send(other.revocation()).status == 200)
        #expect(try await phone.send(try phone.renewal()).brief == "400 invalid_grant")
        await stage.stop()
    }

    @Test func `another user gets no session with this key`() async throws {
        let stage = try await SessionStage.start()
        let phone = try SessionPhone(stage.server.url)
        _ = try await stage.session(phone)
        let app = try await stage.login(phone, person: "soren")
        #expect(try await phone.send(try phone.beginning(app)).brief == "409 session_key_in_use")
        let second = try SessionPhone(stage.server.url)
        _ = try await stage.session(second, person: "soren")
        #expect(second.session != phone.session)
        // Each sees its own.
        #expect(try await phone.send(try phone.listing()).json?["sessions"]?.array?.count == 1)
        #expect(try await second.send(try second.ending(phone.session)).brief == "404 session_unknown")
        #expect(try await phone.send(try phone.renewal()).status == 200)
        await stage.stop()
    }

    /// What a login may become, by the settings: the members of the response.
    struct Cap: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var level = "unlock"
        var variant = BrokerVariant.app
        var release = "return_link"
        var app = ""
        var provider = ", prompt: login, session: unlock"
        var hasKey = true
        let type: String
        let members: Set<String>
    }

    static let caps = [
        Cap(testDescription: "a PIN", type: "DPoP", members: ["refresh_token", "pin"]),
        Cap(testDescription: "a refresh token", level: "refresh", type: "DPoP", members: ["refresh_token"]),
        Cap(testDescription: "one access token", level: "access", type: "DPoP", members: []),
        Cap(
            testDescription: "the provider's cap", provider: ", prompt: login, session: refresh", type: "DPoP",
            members: ["refresh_token"]),
        Cap(testDescription: "the provider's default", provider: ", prompt: login", type: "DPoP", members: []),
        Cap(
            testDescription: "the page's code", variant: .query, release: "code", type: "DPoP", members: []),
        Cap(
            testDescription: "the page's code, allowed", variant: .query, release: "code",
            app: ", session_by_code: true", type: "DPoP", members: ["refresh_token", "pin"]),
        Cap(testDescription: "no proof", variant: .query, release: "immediate", type: "DPoP", members: []),
        Cap(
            testDescription: "DigiD", variant: .digid,
            provider: ", national_id_claim: bsn, national_id_type: \"nl:bsn\"", type: "DPoP", members: []),
        Cap(
            testDescription: "a bearer app", level: "access", app: ", bearer: true", hasKey: false, type: "Bearer",
            members: []),
    ]

    @Test(arguments: caps) func `a session gets the least level that is allowed`(_ cap: Cap) async throws {
        let stage = try await SessionStage.start(
            cap.level, variant: cap.variant, release: cap.release, app: cap.app, provider: cap.provider)
        let phone = try SessionPhone(stage.server.url)
        let app = try await stage.login(phone, hasKey: cap.hasKey)
        let answer = try await phone.send { try phone.beginning(app, hasProof: cap.hasKey) }
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.json?["token_type"]?.string == cap.type)
        let usual: Set = ["session_id", "access_token", "token_type", "expires_in"]
        #expect(Set(answer.json?.object?.names ?? []).subtracting(usual) == cap.members)
        await stage.stop()
    }

    @Test func `a create without a key is refused`() async throws {
        let stage = try await SessionStage.start()
        let created = try await PhoneApp(stage.server.url).create(stage.variant.name)
        #expect(created.brief == "422 dpop_jkt_required")
        await stage.stop()
    }

    @Test func `a login that is not completed begins no session`() async throws {
        let stage = try await SessionStage.start()
        let phone = try SessionPhone(stage.server.url)
        let app = PhoneApp(stage.server.url)
        phone.keep(try await app.create(stage.variant.name, ["dpop_jkt": .string(phone.key.thumbprint)]))
        #expect(try await phone.send(try phone.beginning(app)).brief == "409 not_final")
        _ = try await app.cancel()
        #expect(try await phone.send(try phone.beginning(app)).brief == "403 session_not_allowed")
        #expect(try await phone.send(try phone.beginning(PhoneApp(stage.server.url))).brief == "404 unknown_login")
        await stage.stop()
    }

    /// The login that began an ended session cannot begin it again. A new login can.
    @Test func `an ended session is not begun again by its login`() async throws {
        let stage = try await SessionStage.start()
        let phone = try SessionPhone(stage.server.url)
        let app = try await stage.session(phone)
        #expect(try await phone.send(phone.revocation()).status == 200)
        #expect(try await phone.send(try phone.beginning(app)).brief == "410 session_ended")
        #expect(try await phone.send(try phone.renewal()).brief == "400 invalid_grant")
        stage.server.clock.advance(by: .seconds(1))
        _ = try await stage.session(phone)
        #expect(try await phone.send(try phone.renewal()).status == 200)
        await stage.stop()
    }

    // MARK: - Nonces

    @Test func `every request needs a fresh nonce`() async throws {
        let stage = try await SessionStage.start()
        let phone = try SessionPhone(stage.server.url)
        let app = try await stage.session(phone)
        let made: [() throws -> SessionPhone.Request] = [
            { try phone.beginning(app) }, { try phone.listing() }, { try phone.ending(phone.session) },
            { try phone.settingPIN(Secret(RandomBytes.make(32))) }, { try phone.renewal() },
        ]
        for make in made {
            phone.forgetNonce()
            let request = try make()
            let answer = try await phone.send(request)
            let isOAuth = request.path.hasPrefix("/oauth")
            #expect(answer.brief == (isOAuth ? "400 use_dpop_nonce" : "401 dpop_nonce_required"), "\(request.path)")
            #expect(answer[.wwwAuthenticate] == (isOAuth ? nil : "DPoP error=\"use_dpop_nonce\""))
            #expect(answer[.dpopNonce] == phone.nonce && phone.nonce != nil)
        }
        // A nonce is good for five minutes, and then the answer has a new one.
        let old = try phone.renewal()
        stage.server.clock.advance(by: .seconds(301))
        #expect(try await phone.send(old).brief == "400 use_dpop_nonce")
        #expect(try await phone.send(try phone.renewal()).status == 200)
        await stage.stop()
    }

    @Test func `every response about a login has a nonce`() async throws {
        let stage = try await SessionStage.start()
        let phone = try SessionPhone(stage.server.url)
        let app = PhoneApp(stage.server.url)
        let members: JSON.Object = ["dpop_jkt": .string(phone.key.thumbprint)]
        let created = try await app.create(stage.variant.name, members)
        let answers = [
            created, try await app.create(stage.variant.name, members), try await app.poll(),
            try await app.poll(etag: created[.etag]), try await app.reportReturn(["url": .null]),
            try await app.reportReturn([:]),
        ]
        #expect(answers.map(\.status) == [201, 200, 200, 304, 200, 400])
        let nonces = answers.compactMap { $0[.dpopNonce] }
        #expect(nonces.count == answers.count)
        await stage.stop()
    }
}
