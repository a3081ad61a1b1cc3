import HTTPServer
import HTTPWire
import Testing

@testable import LoginAPI

/// Tests what browsers learn about pages of other origins, in every response of the API and in no other.
@Suite(.timeLimit(.minutes(1))) struct CrossOriginTests {
    static let origin = "https://www.example.com"
    static let exposed = "ETag, Location, Retry-After, Preference-Applied, DPoP-Nonce, WWW-Authenticate"

    private static func bench(_ change: (inout PublicSettings) -> Void = { _ in }) throws -> HandlerBench {
        try HandlerBench {
            $0.origins = [Self.origin, "http://localhost:3000"]
            change(&$0)
        }
    }

    /// Browsers compare origins byte for byte.
    @Test(arguments: [
        ("https://www.example.com", true), ("http://localhost:3000", true), ("http://localhost:3001", false),
        ("http://localhost", false), ("https://localhost:3000", false), ("https://WWW.example.com", false),
        ("https://www.example.com:443", false), ("https://www.example.com/", false), ("http://www.example.com", false),
        ("https://www.example.com.evil.example", false), ("https://example.com", false), ("null", false), ("*", false),
        ("", false), ("https://www.example.com https://evil.example", false),
    ]) func `an origin must be listed exactly`(_ origin: String, _ isListed: Bool) async throws {
        let bench = try Self.bench()
        let answer = try await bench.send(.get, "/v1/providers", [.origin: origin])
        #expect(answer.status == .ok, "the request itself is answered as any other")
        #expect(answer.fields[.accessControlAllowOrigin] == (isListed ? origin : nil))
        #expect(answer.fields["access-control-expose-headers"] == (isListed ? Self.exposed : nil))
        #expect(answer.fields[.vary] == "origin")
        Self.allowsNoMore(answer)
        let preflight = try await bench.send(
            .options, "/v1/logins",
            [
                .origin: origin, "access-control-request-method": "POST",
                "access-control-request-headers": "authorization",
            ])
        #expect(preflight.status == .noContent)
        #expect(preflight.fields[.accessControlAllowOrigin] == (isListed ? origin : nil))
        #expect(preflight.fields["access-control-allow-methods"] == (isListed ? "GET, POST, PUT, DELETE" : nil))
        #expect(
            preflight.fields["access-control-allow-headers"]
                == (isListed ? "Authorization, Content-Type, Prefer, If-None-Match, Last-Event-ID, DPoP" : nil))
        #expect(preflight.fields["access-control-max-age"] == (isListed ? "7200" : nil))
        #expect(preflight.fields[.vary] == "origin")
    }

    /// A browser has no credentials to send.
    private static func allowsNoMore(_ answer: Response) {
        #expect(answer.fields["access-control-allow-credentials"] == nil)
        for name: FieldName in [
            "access-control-allow-methods", "access-control-allow-headers", "access-control-max-age",
        ] {
            #expect(answer.fields[name] == nil)
        }
    }

    /// A page can read errors too.
    @Test func `every response of the API is readable`() async throws {
        let bench = try Self.bench { $0.rates.createPerAddress = Rate(perMinute: 1) }
        let app = BenchApp(bench: bench)
        let origin: Fields = [.origin: Self.origin]
        let created = try await app.create()
        #expect(created.fields[.accessControlAllowOrigin] == nil, "without an Origin")
        #expect(created.fields[.vary] == "origin", "and it says so to caches")
        let fields = app.bearer.adding(.origin, Self.origin)
        let answers = [
            try await bench.send(.get, app.path, fields),
            try await bench.send(.get, app.path, fields.adding(.ifNoneMatch, "W/\"1\"")),
            try await bench.send(.head, app.path, fields),
            try await bench.send(.get, app.path, origin),
            try await bench.send(.delete, app.path, fields),
            try await bench.send(.post, "\(app.path)/cancel", fields),
            try await bench.send(
                .post, "\(app.path)/return", fields.adding(.contentType, "application/json"), body: "{}"),
            try await bench.send(.post, "/v1/logins", origin.adding(.contentType, "application/json"), body: "{}"),
            try await bench.send(.put, "/v1/logins", origin),
            try await bench.send(.get, "/v1/nothing", origin),
            try await bench.send(.post, "/oauth/token", origin),
            try await bench.send(
                .get, app.path, fields.adding(.accept, "text/event-stream").adding(.lastEventID, "1")),
        ]
        #expect(answers.map(\.status.rawValue) == [200, 304, 200, 401, 409, 200, 400, 429, 405, 404, 404, 200])
        for answer in answers {
            #expect(answer.fields[.accessControlAllowOrigin] == Self.origin, "\(answer.status)")
            #expect(answer.fields["access-control-expose-headers"] == Self.exposed)
            #expect(answer.fields[.vary]?.contains("origin") == true)
            Self.allowsNoMore(answer)
        }
    }

    /// The server's own refusal of a body that is too large, instead of the handler's response.
    @Test func `the server's own refusal is readable too`() throws {
        let handler = try Self.bench().handler
        let target = try #require(Target("/v1/logins", of: .post))
        func fields(_ target: Target) -> Fields {
            let head = RequestHead(.post, target, fields: [.origin: Self.origin])
            return handler.response(to: ServerRefusal(.malformed(.bodyTooLarge), head: head)).fields
        }
        #expect(fields(target)[.accessControlAllowOrigin] == Self.origin)
        #expect(fields(target)[.vary] == "origin")
        let page = try #require(Target("/callback/fake", of: .post))
        #expect(fields(page)[.accessControlAllowOrigin] == nil)
        #expect(fields(page)[.vary] == nil)
    }

    @Test(arguments: [
        "/go/x", "/callback/fake", "/callback/fake?state=x", "/done/unknown", "/done/unknown/state", "/openapi.yaml",
        "/.well-known/jwks.json",
        "/client/jwks.json",
        "/assets/switchback.css", "/nothing", "/v1",
    ]) func `nothing outside the API is readable`(_ target: String) async throws {
        let bench = try Self.bench()
        for method: HTTPWire.Method in [.get, .options] {
            let answer = try await bench.send(
                method, target, [.origin: Self.origin, "access-control-request-method": "GET"])
            #expect(answer.fields[.accessControlAllowOrigin] == nil)
            #expect(answer.fields[.vary]?.contains("origin") != true)
            Self.allowsNoMore(answer)
        }
    }

    @Test func `without a list no origin is allowed`() async throws {
        let bench = try HandlerBench()
        let answer = try await bench.send(.get, "/v1/providers", [.origin: Self.origin])
        #expect(answer.fields[.accessControlAllowOrigin] == nil)
        #expect(answer.fields[.vary] == nil)
    }
}
