import Base
import EndToEndSupport
import JOSE
import Sandbox
import StrictJSON
import Testing

/// What only the app's own API may know is in a nested JWT for its key, and in nothing else that a phone receives.
@Suite struct EncryptedAssertionTests {
    static let variant = BrokerVariant(kind: "signaturgruppen", responseMode: "form_post")
    static let apiKey = "pGz7sWm2Qk9vLx4TnR8bYdpGz7sWm2Qk9v"

    struct Row: Sendable, CustomTestStringConvertible {
        let kind: PrivateKey.Kind
        let algorithm: KeyManagementAlgorithm
        var names = true
        var testDescription: String { self.algorithm.rawValue }
    }

    static let rows = [
        Row(kind: .p256, algorithm: .ecdhESA256KW), Row(kind: .p384, algorithm: .ecdhES, names: false),
        Row(kind: .rsa(bits: 2048), algorithm: .rsaOAEP256),
    ]

    /// Everything that the sandbox says about Freja, under any name.
    static let secrets = [
        "Freja", "Lindegaard", "1991-04-17", SandboxIdentity.all[0].nationalID, "uuid-of-freja",
    ]

    static func server(key: JSON? = nil, app: String = "") async throws -> RunningServer {
        let encryption = key == nil ? "" : ", assertion_key: api.jwk"
        let claims = "claims: [dk.cpr, mitid.uuid, mitid.identity_name]"
        return try await RunningServer.start(
            [Self.variant], system: .signaturgruppen,
            app: "return_prefixes: [\"\(RunningServer.returnPrefix)\"], api_key: \(Self.apiKey), "
                + "assertion_claims: [name, birth_date, national_id, claims]" + encryption + app,
            files: key.map { ["api.jwk": $0.encoded()] } ?? [:],
            moreProviders: "  mitid: {broker: \(Self.variant.name), names: {en: MitID}, scope: [openid, mitid, ssn], "
                + "prompt: login, national_id_claim: dk.cpr, national_id_type: \"dk:cpr\", \(claims)}")
    }

    static func login(_ server: RunningServer) async throws -> PhoneApp {
        let app = PhoneApp(server.url)
        let created = try await app.create("mitid", ["nonce": "n-1"])
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await app.finish(&browser, Self.variant)
        _ = try await app.waitForEnd()
        return app
    }

    private static func claims(_ signed: String, of server: RunningServer) async throws -> JSON {
        let keys = try await TestClient.send("GET", "\(server.url)/.well-known/jwks.json")
        let token = try CompactJWS(parsing: signed)
        #expect(token.header.type == "login+jwt")
        let verified = try token.verified(with: try JWKSet(parsing: keys.body), allowing: [.es256])
        return .object(try #require(verified.claims()))
    }

    private static func check(_ claims: JSON) {
        #expect(claims["name"]?.string == "Freja Lindegaard")
        #expect(claims["birth_date"]?.string == "1991-04-17")
        #expect(claims["national_id"] == ["type": "dk:cpr", "value": .string(SandboxIdentity.all[0].nationalID)])
        #expect(claims["claims"]?["mitid.uuid"]?.string == "uuid-of-freja")
        #expect(claims["given_name"] == nil, "it was not requested")
        #expect(claims["nonce"]?.string == "n-1")
    }

    @Test(arguments: rows) func `only the API reads an encrypted assertion`(_ row: Row) async throws {
        let key = try PrivateKey.generate(row.kind)
        var jwk = try #require(key.publicKey.jwk(keyID: "api-1", use: "enc").json.object)
        jwk["alg"] = .string(row.algorithm.rawValue)
        let server = try await Self.server(key: .object(jwk))
        let app = try await Self.login(server)
        let assertion = try #require(try await app.poll().json?["assertion"]?.string)
        let decrypter = Decrypter(
            keys: [DecryptionKey(key, keyID: "api-1")], algorithms: [row.algorithm], encryptions: [.a256GCM])
        let opened = try decrypter.decrypt(assertion)
        #expect(opened.header.json["cty"]?.string == "JWT")
        #expect(opened.header.keyID == "api-1")
        Self.check(try await Self.claims(opened.plaintext.exposedText, of: server))
        try await Self.nothingElseTellsIt(server)
        let discovery = try await TestClient.send("GET", "\(server.url)/.well-known/openid-configuration")
        let algorithms = discovery.json?["id_token_encryption_alg_values_supported"]?.array?.compactMap(\.string)
        #expect(algorithms?.contains(row.algorithm.rawValue) == true)
        await server.stop()
    }

    /// Checks each response to the phone, and the log.
    private static func nothingElseTellsIt(_ server: RunningServer) async throws {
        let back: JSON = ["url": .null]
        // Two logins, because the responses with the result of one have a budget.
        let (first, second) = (try await Self.login(server), try await Self.login(server))
        let answers = [
            try await first.poll(), try await first.poll(wait: 5),
            try await first.create("mitid", ["nonce": "n-1"]),
            try await second.reportReturn(back), try await second.cancel(),
            try await second.poll([Parameter("Accept", "text/event-stream")]),
        ]
        for answer in answers {
            #expect(answer.status == 200)
            #expect(answer.text.contains("\"completed\"") && answer.text.contains("\"assertion\""))
            for secret in Self.secrets { #expect(!answer.text.contains(secret), "\(secret) in \(answer.text)") }
        }
        for secret in Self.secrets { #expect(!server.log.text.contains(secret), "\(secret) in the log") }
        let identity = try #require(answers[0].json?["identity"])
        #expect(identity["assurance"]?.string == "substantial")
        #expect(identity["claims"] == [:])
        #expect(identity["national_id"] == nil)
    }

    /// Without a key the assertion is only signed, and the phone can read the claims.
    @Test func `without a key an assertion is only signed`() async throws {
        let server = try await Self.server()
        let app = try await Self.login(server)
        let login = try #require(try await app.poll().json)
        Self.check(try await Self.claims(try #require(login["assertion"]?.string), of: server))
        #expect(login["identity"]?["name"]?.string == "Freja Lindegaard")
        #expect(login["identity"]?["national_id"]?["value"]?.string == SandboxIdentity.all[0].nationalID)
        await server.stop()
    }
}
