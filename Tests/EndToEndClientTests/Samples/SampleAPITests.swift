import Base
import EndToEndSupport
import HTTPWire
import PhoneKeys
import StrictJSON
import TestSupport
import Testing

/// Runs the API of `Examples/python-api` unchanged: which access tokens and DPoP proofs it accepts, which it rejects,
/// and when it demands a step-up.
@Suite(.blocking, .enabled(if: TestTier.isWhole, "`make check` installs what the samples need"))
struct SampleAPITests {
    private static let accepted = "200"
    private static let invalidToken = "401 invalid_token"
    private static let invalidProof = "401 invalid_dpop_proof"
    private static let useNonce = "401 use_dpop_nonce"
    private static let stepUp = "401 insufficient_user_authentication"
    private static let noToken = "401 unauthorized"

    /// One request to the API, and its answer.
    struct Row: Sendable {
        let name: String
        let answer: String
        let token: String
        var method = "GET"
        var path = "/account"
        var scheme = "DPoP"
        var key: PhoneKey
        var proofs = 1
        /// Another token than the one that is sent.
        var provenToken: String?
        var nonce: @Sendable (String) -> String? = { $0 }
        var change: @Sendable (inout PhoneKey.Parts) -> Void = { _ in }
        /// Whether the same request is sent before it.
        var isRepeated = false

        init(
            _ name: String, _ answer: String, _ token: String, _ key: PhoneKey, _ edit: (inout Row) -> Void = { _ in }
        ) {
            (self.name, self.answer, self.token, self.key) = (name, answer, token, key)
            edit(&self)
        }

        init(
            _ name: String, _ answer: String, _ token: String, _ key: PhoneKey,
            proof change: @escaping @Sendable (inout PhoneKey.Parts) -> Void
        ) {
            self.init(name, answer, token, key) { $0.change = change }
        }
    }

    private static func fields(_ row: Row, _ api: SampleAPI, nonce: String) throws -> [Parameter] {
        var fields = row.scheme.isEmpty ? [] : [Parameter("Authorization", "\(row.scheme) \(row.token)")]
        for _ in 0..<row.proofs {
            let proof = try row.key.proof(
                row.method, api.url + row.path, nonce: row.nonce(nonce), accessToken: row.provenToken ?? row.token,
                change: row.change)
            fields.append(Parameter("DPoP", proof))
        }
        return fields
    }

    private static func check(_ rows: [Row], _ api: SampleAPI) async throws {
        var nonce = try #require(try await TestClient.send("GET", api.url + "/account")[.dpopNonce])
        for row in rows {
            let fields = try Self.fields(row, api, nonce: nonce)
            var answer: Answer?
            for _ in 0..<(row.isRepeated ? 2 : 1) {
                answer = try await TestClient.send(row.method, api.url + row.path, fields: fields)
            }
            let last = try #require(answer)
            #expect(last.brief == row.answer, "\(row.name): \(api.log.suffix(200))")
            // The next proof needs it.
            nonce = try #require(last[.dpopNonce], "\(row.name)")
            guard last.status == 401 else { continue }
            // RFC 9449 §7.1: each refusal challenges.
            #expect(last[.wwwAuthenticate]?.hasPrefix("DPoP ") == true, "\(row.name)")
        }
    }

    // MARK: - Rows

    private struct Tokens {
        /// After the e-ID login.
        let eid: String
        /// After an unlock.
        let unlocked: String
        let assertion: String
        /// Of the server, not of the API.
        let nonce: String
    }

    private static func tokens(_ stage: SessionStage, _ phone: SessionPhone) async throws -> Tokens {
        let app = try await stage.session(phone)
        let eid = try #require(phone.accessToken)
        let pin = Secret(RandomBytes.make(32))
        #expect(try await phone.send { try phone.settingPIN(pin) }.status == 204)
        #expect(try await phone.send { try phone.renewal(pin: pin) }.status == 200)
        let assertion = try #require(try await app.poll().json?["assertion"]?.string)
        return Tokens(
            eid: eid, unlocked: try #require(phone.accessToken), assertion: assertion,
            nonce: try #require(phone.nonce))
    }

    private static func tokenRows(_ tokens: Tokens, _ key: PhoneKey) throws -> [Row] {
        let forger = try SampleTests.Forger(tokens.eid, pem: try ServerPEM.get().access)
        let now = try #require(forger.claims["iat"]?.integer)
        let login = try #require(forger.claims["login"]?.object)
        let (valid, invalid) = (Self.accepted, Self.invalidToken)
        return [
            Row("valid", valid, tokens.eid, key),
            Row("unlocked", valid, tokens.unlocked, key),
            Row("our own, to show that the forger is correct", valid, try forger.token(), key),
            Row("typ with its media type", valid, try forger.token(type: "application/at+jwt"), key),
            Row("RFC 9068 §4: typ JWT", invalid, try forger.token(type: "JWT"), key),
            Row("typ of an assertion", invalid, try forger.token(type: "login+jwt"), key),
            Row("an assertion", invalid, tokens.assertion, key),
            Row("an assertion's key", invalid, try Self.signedAsAssertion(tokens), key),
            Row("another audience", invalid, try forger.token(["aud": "kiosk"]), key),
            Row("another issuer", invalid, try forger.token(["iss": "https://login.example"]), key),
            Row("expired", invalid, try forger.token(["iat": .integer(now - 600), "exp": .integer(now - 300)]), key),
            Row("without an expiry", invalid, try forger.token(without: "exp"), key),
            Row("nobody", invalid, try forger.token(without: "sub"), key),
            Row("without a session", invalid, try forger.token(without: "sid"), key),
            Row("bound to no key", invalid, try forger.token(without: "cnf"), key),
            Row("bound to another key", invalid, try forger.token(["cnf": ["jkt": "x"]]), key),
            Row(
                "a login on any phone", invalid,
                try forger.token(["login": Self.object(login, "proof", "none")]), key),
            Row("another signer", invalid, try forger.stranger.token(), key),
            Row("alg none", invalid, try forger.unsigned, key),
            Row("no token at all", invalid, "x", key),
            Row("RFC 9449 §7.2: as a bearer token", Self.noToken, tokens.eid, key) { $0.scheme = "Bearer" },
            Row("without a token", Self.noToken, tokens.eid, key) { $0.scheme = "" },
        ]
    }

    /// An access token by the key of the assertions, which is not in the key set of the access tokens.
    private static func signedAsAssertion(_ tokens: Tokens) throws -> String {
        let key = try SampleTests.Forger(tokens.assertion, pem: try ServerPEM.get().assertion)
        let claims = try SampleTests.Forger(tokens.eid, pem: try ServerPEM.get().access).claims
        return try key.signer.sign(claims, type: "at+jwt")
    }

    private static func proofRows(_ tokens: Tokens, _ key: PhoneKey) throws -> [Row] {
        let (token, thief) = (tokens.eid, try PhoneKey())
        let (valid, invalid) = (Self.accepted, Self.invalidProof)
        let serverNonce = tokens.nonce
        let jwk = try Self.jwk(of: key)
        return [
            Row("another key", Self.invalidToken, token, thief),
            Row("RFC 9449 §4.3 rule 1: no proof", invalid, token, key) { $0.proofs = 0 },
            Row("rule 1: two proofs", invalid, token, key) { $0.proofs = 2 },
            Row("rule 3: no jti", invalid, token, key, proof: { $0.claims["jti"] = nil }),
            Row("rule 3: no iat", invalid, token, key, proof: { $0.claims["iat"] = nil }),
            Row("rule 4: typ", invalid, token, key, proof: { $0.header["typ"] = "JWT" }),
            Row("rule 5: alg none", invalid, token, key, proof: { $0.header["alg"] = "none" }),
            Row("rule 5: alg HS256", invalid, token, key, proof: { $0.header["alg"] = "HS256" }),
            Row("rule 6: another key signed", invalid, token, thief, proof: { $0.header["jwk"] = .object(jwk) }),
            Row("rule 6: no key", invalid, token, key, proof: { $0.header["jwk"] = nil }),
            Row("rule 7: a private key", invalid, token, key) { row in
                row.change = { $0.header["jwk"] = Self.object(jwk, "d", "AA") }
            },
            Row("rule 8: htm", invalid, token, key, proof: { $0.claims["htm"] = "POST" }),
            Row("rule 9: htu of another path", invalid, token, key) { row in
                row.change = { $0.claims["htu"] = "http://127.0.0.1/payments" }
            },
            Row("rule 9: htu of another host", invalid, token, key) { row in
                row.change = { $0.claims["htu"] = "https://api.example/account" }
            },
            Row("rule 9: a query does not count", valid, token, key) { row in
                row.change = { $0.claims["htu"] = .string(($0.claims["htu"]?.string ?? "") + "?all") }
            },
            Row("rule 10: no nonce", Self.useNonce, token, key) { $0.nonce = { _ in nil } },
            Row("rule 10: the nonce of another server", Self.useNonce, token, key) { $0.nonce = { _ in serverNonce } },
            Row("rule 11: a clock that is wrong by a year", valid, token, key) { row in
                row.change = { $0.claims["iat"] = .integer(1_700_000_000) }
            },
            Row("rule 11: the same proof twice", invalid, token, key) { $0.isRepeated = true },
            Row("rule 12: no ath", invalid, token, key, proof: { $0.claims["ath"] = nil }),
            Row("rule 12: ath of another token", invalid, token, key) { $0.provenToken = tokens.unlocked },
        ]
    }

    private static func stepUpRows(_ tokens: Tokens, _ key: PhoneKey) throws -> [Row] {
        let forger = try SampleTests.Forger(tokens.eid, pem: try ServerPEM.get().access)
        let now = try #require(forger.claims["iat"]?.integer)
        func row(_ name: String, _ answer: String, _ token: String) -> Row {
            Row(name, answer, token, key) { ($0.method, $0.path) = ("POST", "/payments") }
        }
        return [
            row("the e-ID login", Self.accepted, tokens.eid),
            row("an unlock", Self.stepUp, tokens.unlocked),
            row("an old e-ID login", Self.stepUp, try forger.token(["auth_time": .integer(now - 400)])),
            row("a weaker e-ID login", Self.stepUp, try forger.token(["acr": "low"])),
            row("no acr", Self.stepUp, try forger.token(without: "acr")),
            row("no time of a login", Self.stepUp, try forger.token(without: "auth_time")),
        ]
    }

    /// Returns the public key that is in each proof.
    private static func object(_ members: JSON.Object, _ name: String, _ value: JSON) -> JSON {
        var changed = members
        changed[name] = value
        return .object(changed)
    }

    private static func jwk(of key: PhoneKey) throws -> JSON.Object {
        let proof = try key.proof("GET", "https://api.example/", nonce: nil)
        let header = try #require(Base64URL.decode(String(proof.prefix { $0 != "." })))
        return try #require(try JSON(parsing: header)["jwk"]?.object)
    }

    // MARK: - The test

    @Test func `only valid access tokens are accepted`() async throws {
        let stage = try await SessionStage.start(app: ", assertion_claims: [name]")
        let phone = try SessionPhone(stage.server.url)
        let tokens = try await Self.tokens(stage, phone)
        let acr = try #require(
            try SampleTests.Forger(tokens.eid, pem: try ServerPEM.get().access).claims["acr"]?.string)
        let api = try await SampleAPI.start(for: stage.server, audience: SessionPhone.audience, classes: "\(acr) high")
        try await Self.check(try Self.tokenRows(tokens, phone.key), api)
        try await Self.check(try Self.proofRows(tokens, phone.key), api)
        try await Self.check(try Self.stepUpRows(tokens, phone.key), api)

        // RFC 9470 §3: the challenge says what the app must ask for.
        let nonce = try #require(try await TestClient.send("GET", api.url + "/account")[.dpopNonce])
        let row = Row("unlocked", "", tokens.unlocked, phone.key) { ($0.method, $0.path) = ("POST", "/payments") }
        let challenge = try await TestClient.send(
            "POST", api.url + "/payments", fields: try Self.fields(row, api, nonce: nonce))[.wwwAuthenticate]
        #expect(challenge?.contains("acr_values=\"\(acr) high\", max_age=\"300\"") == true, "\(challenge ?? "")")
        #expect(!api.log.contains(tokens.eid) && !api.log.contains("Traceback"), "\(api.log.suffix(1000))")
        try await api.stop()
        await stage.stop()
    }
}
