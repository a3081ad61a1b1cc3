import Base
import HTTPWire
import PhoneKeys
import Sessions
import StrictJSON
import Testing

@testable import LoginAPI

/// Tests what the requests about sessions refuse, and what their responses say.
@Suite(.timeLimit(.minutes(1))) struct SessionHandlerTests {
    private static func phone(_ change: (inout PublicSettings) -> Void = { _ in }) throws -> BenchPhone {
        try BenchPhone(try HandlerBench(release: .code, sessions: .unlock, change))
    }

    // MARK: - Forms (RFC 6749 §3.1, §3.2 and §5.2)

    struct Form: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var form: [String: String?] = [:]
        var fields: Fields = [:]
        var query = ""
        let brief: String
    }

    static let forms = [
        Form(testDescription: "as it should be", brief: "200"),
        Form(testDescription: "an unknown parameter", form: ["scope": "x"], brief: "200"),
        Form(testDescription: "no grant_type", form: ["grant_type": nil], brief: "400 invalid_request"),
        Form(testDescription: "an empty grant_type", form: ["grant_type": ""], brief: "400 invalid_request"),
        Form(testDescription: "another grant", form: ["grant_type": "password"], brief: "400 unsupported_grant_type"),
        Form(testDescription: "no client_id", form: ["client_id": nil], brief: "400 invalid_request"),
        Form(testDescription: "another client", form: ["client_id": "nobody"], brief: "400 invalid_client"),
        Form(testDescription: "no token", form: ["refresh_token": nil], brief: "400 invalid_request"),
        Form(testDescription: "a wrong token", form: ["refresh_token": "x"], brief: "400 invalid_grant"),
        Form(testDescription: "JSON", fields: [.contentType: "application/json"], brief: "400 invalid_request"),
        Form(testDescription: "a query", query: "?client_id=demo", brief: "400 invalid_request"),
        Form(testDescription: "no proof", fields: [.dpop: ""], brief: "400 invalid_dpop_proof"),
        Form(testDescription: "a proxy's password", fields: [.authorization: "Basic ZGVtbzp4"], brief: "200"),
    ]

    @Test(arguments: forms) func `the token endpoint refuses wrong forms`(_ row: Form) async throws {
        let phone = try Self.phone()
        try await phone.begin()
        let answer = try await phone.renew(form: row.form, row.fields, query: row.query)
        #expect(answer.sessionBrief == row.brief)
        #expect(answer.fields[.cacheControl] == "no-store")
        #expect(answer.fields[.dpopNonce] != nil)
    }

    @Test func `a parameter that comes twice is refused`() async throws {
        let phone = try Self.phone()
        try await phone.begin()
        for path in ["/oauth/token", "/oauth/revoke"] {
            let answer = try await phone.bench.send(
                .post, path,
                [.contentType: "application/x-www-form-urlencoded", .dpop: try phone.proof("POST", path)],
                body: "token=x&token=y&grant_type=refresh_token&grant_type=refresh_token&client_id=demo")
            #expect(answer.sessionBrief == "400 invalid_request")
        }
    }

    // MARK: - Proofs (RFC 9449 §4.3) and tokens (§7.1)

    static let wrongProofs: [(String, @Sendable (inout PhoneKey.Parts) -> Void)] = [
        ("typ", { $0.header["typ"] = "JWT" }), ("alg", { $0.header["alg"] = "ES384" }),
        ("htm", { $0.claims["htm"] = "GET" }),
        ("htu", { $0.claims["htu"] = "https://evil.example/v1/sessions" }),
        ("another path", { $0.claims["htu"] = "https://login.example.com/oauth/token" }),
        ("no jti", { $0.claims["jti"] = nil }),
    ]

    @Test(arguments: wrongProofs.indices) func `a wrong proof is refused`(_ row: Int) async throws {
        let phone = try Self.phone()
        let app = try await phone.login()
        let proof = try phone.proof("POST", "/v1/sessions", change: Self.wrongProofs[row].1)
        let answer = try await phone.begin(app, [.dpop: proof])
        #expect(answer.sessionBrief == "401 dpop_proof_invalid", "\(Self.wrongProofs[row].0)")
        #expect(answer.fields[.wwwAuthenticate] == "DPoP error=\"invalid_dpop_proof\", algs=\"ES256\"")
    }

    /// `htu` has no query and no fragment (rule 9), so a query changes nothing.
    @Test func `a query is ignored`() async throws {
        let phone = try Self.phone()
        try await phone.begin()
        let token = try #require(try await phone.renew().json["access_token"]?.string)
        let fields: Fields = [
            .authorization: "DPoP \(token)", .dpop: try phone.proof("GET", "/v1/sessions", accessToken: token),
        ]
        #expect(try await phone.bench.send(.get, "/v1/sessions?x=y", fields).status == .ok)
    }

    @Test func `an access token needs its proof`() async throws {
        let phone = try Self.phone()
        try await phone.begin()
        let token = try #require(try await phone.renew().json["access_token"]?.string)
        let thief = try BenchPhone(phone.bench)
        _ = try await thief.login()
        func list(_ fields: Fields) async throws -> String {
            phone.keep(try await phone.bench.send(.get, "/v1/sessions", fields)).sessionBrief
        }
        let proof = try phone.proof("GET", "/v1/sessions", accessToken: token)
        #expect(try await list([.authorization: "Bearer \(token)", .dpop: proof]) == "401 access_token_invalid")
        #expect(try await list([.authorization: "DPoP \(token)"]) == "401 dpop_proof_required")
        #expect(
            try await list([.authorization: "DPoP \(token)", .dpop: try phone.proof("GET", "/v1/sessions")])
                == "401 dpop_proof_invalid")
        let stolen = try thief.proof("GET", "/v1/sessions", accessToken: token)
        #expect(try await list([.authorization: "DPoP \(token)", .dpop: stolen]) == "401 dpop_proof_invalid")
        #expect(try await list([.authorization: "DPoP \(token)", .dpop: proof]) == "200")
        phone.bench.clock.move(by: .seconds(301))
        phone.keep(try await phone.renew())
        let later = try phone.proof("GET", "/v1/sessions", accessToken: token)
        #expect(try await list([.authorization: "DPoP \(token)", .dpop: later]) == "401 access_token_invalid")
    }

    // MARK: - Bodies

    @Test func `unknown members are named`() async throws {
        let phone = try Self.phone()
        let app = try await phone.login()
        let json: Fields = [.contentType: "application/json"]
        let answer = try await phone.begin(app, json, body: "{\"later\": 1}")
        #expect(answer.json["ignored_members"] == ["later"])
        let strict = try await phone.begin(app, json.adding(.prefer, "handling=strict"), body: "{\"later\": 1}")
        #expect(strict.sessionBrief == "400 unknown_member")
        let fine = try await phone.begin(app, json.adding(.prefer, "handling=strict"), body: "{}")
        #expect(fine.fields[.preferenceApplied] == "handling=strict")
    }

    // MARK: - Limits

    /// Only the holder of a session's key uses up its requests.
    @Test func `a session has its own limit`() async throws {
        let phone = try Self.phone { $0.rates.session = Rate(burst: 3, interval: .seconds(3600)) }
        let other = try BenchPhone(phone.bench)
        try await phone.begin()
        try await other.begin()
        for _ in 0..<3 { #expect(try await phone.renew().status == .ok) }
        let refused = try await phone.renew()
        #expect(refused.sessionBrief == "429 temporarily_unavailable")
        #expect(refused.fields[.retryAfter] != nil)
        #expect(try await phone.send(.get, "/v1/sessions").sessionBrief == "429 too_many_requests")
        #expect(try await other.renew().status == .ok)
    }

    // MARK: - Nonces

    @Test func `only responses that may precede a proof have a nonce`() async throws {
        let bench = try HandlerBench(release: .code, sessions: .unlock)
        let app = BenchApp(bench: bench)
        let with = [
            try await app.create(), try await app.poll(), try await app.poll([.ifNoneMatch: "W/\"1\""]),
            try await app.post("return", body: "{\"url\": null}"), try await bench.send(.post, "/v1/sessions"),
            try await bench.send(.get, "/v1/sessions"), try await bench.send(.post, "/oauth/token"),
        ]
        for answer in with { #expect(answer.fields[.dpopNonce] != nil) }
        let without = [
            try await bench.send(.get, "/v1/providers"), try await app.post("cancel"), try await app.delete(),
            try await bench.send(.post, "/oauth/revoke"), try await bench.send(.get, "/nothing"),
            try await bench.send(.get, "/.well-known/oauth-authorization-server"),
        ]
        for answer in without { #expect(answer.fields[.dpopNonce] == nil) }
    }
}
