import Base
import HTTPWire
import OpenAPIChecking
import StrictJSON
import Testing

@testable import LoginAPI

/// Sends every request about sessions until each status in the file was seen.
enum SessionCoverage {
    private static let key = "0123456789abcdefghijklmnopqrstuvwxyz-ABCDEF"

    static func bench(
        _ document: OpenAPIDocument, _ change: (inout PublicSettings) -> Void = { _ in }
    ) throws -> HandlerBench {
        try HandlerBench(document: document, release: .code, sessions: .unlock) {
            $0.apps["demo"]?.key = Secret(Self.key)
            change(&$0)
        }
    }

    static func all(_ document: OpenAPIDocument) async throws {
        try await Self.lives(try Self.bench(document))
        try await Self.refusals(try Self.bench(document))
        try await Self.backend(try Self.bench(document))
        try await Self.outages(try Self.bench(document))
        try await Self.limits(document)
        try await Self.without(document)
    }

    private static func lives(_ bench: HandlerBench) async throws {
        let phone = try BenchPhone(bench)
        let app = try await phone.begin()
        #expect(try await phone.setPIN(Secret(RandomBytes.make(32))).status == .noContent)
        #expect(try await phone.send(.get, "/v1/sessions").status == .ok)
        #expect(try await phone.renew().status == .ok)
        #expect(try await phone.revoke().status == .ok)
        #expect(try await phone.begin(app).status == .gone)
        for answer in [
            try await phone.send(.get, "/v1/sessions"), try await phone.setPIN(Secret(RandomBytes.make(32))),
            try await phone.send(.delete, "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA"),
        ] { #expect(answer.status == .gone) }
        let other = try BenchPhone(bench)
        try await other.begin()
        #expect(try await other.send(.delete, "/v1/sessions/\(other.session)").status == .noContent)
        for path in ["/.well-known/oauth-authorization-server", "/.well-known/access-jwks.json"] {
            let tag = try #require(try await bench.send(.get, path).fields[.etag])
            #expect(try await bench.send(.get, path, [.ifNoneMatch: tag]).status == .notModified)
        }
    }

    private static func refusals(_ bench: HandlerBench) async throws {
        let phone = try BenchPhone(bench)
        let app = try await phone.login()
        let json: Fields = [.contentType: "application/json"]
        #expect(try await phone.begin(app, json, body: "{").status == .badRequest)
        #expect(try await phone.begin(app, [.contentType: "text/plain"], body: "{}").status == .unsupportedMediaType)
        #expect(try await phone.begin(app, [.dpop: "x"]).status == .unauthorized)
        #expect(try await phone.begin(BenchApp(bench: bench)).status == .notFound)
        let early = BenchApp(bench: bench)
        _ = try await early.create()
        #expect(try await phone.begin(early).status == .conflict)
        _ = try await early.post("cancel")
        #expect(try await phone.begin(early).status == .forbidden)
        #expect(try await phone.begin(app).status == .ok)
        let path = "/v1/sessions/\(phone.session)"
        for (method, path) in [(HTTPWire.Method.get, "/v1/sessions"), (.delete, path)] {
            #expect(try await bench.send(method, path).status == .unauthorized)
        }
        let body = "{\"pin_secret\": \"\(CreateBodyTests.secret)\"}"
        #expect(try await bench.send(.put, "\(path)/pin", json, body: body).status == .unauthorized)
        let unknown = "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA"
        #expect(try await phone.send(.delete, unknown).status == .notFound)
        let pin: JSON = ["pin_secret": .string(CreateBodyTests.secret)]
        #expect(try await phone.send(.put, "\(unknown)/pin", json: pin).status == .notFound)
        #expect(try await phone.send(.put, "\(path)/pin", json: [:]).sessionBrief == "400 missing_member")
        let named: JSON = ["pin_secret": .string(CreateBodyTests.secret), "pin_id": "no name"]
        #expect(try await phone.send(.put, "\(path)/pin", json: named).sessionBrief == "400 invalid_member")
        let short: JSON = ["pin_secret": "x"]
        #expect(try await phone.send(.put, "\(path)/pin", json: short).sessionBrief == "422 pin_malformed")
        #expect(try await phone.send(.put, "\(path)/pin").status == .unsupportedMediaType)
        #expect(try await phone.renew(form: ["grant_type": "password"]).status == .badRequest)
        #expect(try await bench.send(.post, "/oauth/revoke").status == .badRequest)
        bench.clock.move(by: .seconds(901))
        _ = try await phone.renew()
        #expect(try await phone.setPIN(Secret(RandomBytes.make(32))).status != .noContent)
        let late = try BenchPhone(bench)
        try await late.begin()
        let secret = Secret(RandomBytes.make(32))
        #expect(try await late.setPIN(secret).status == .noContent)
        bench.clock.move(by: .seconds(901))
        _ = try await late.renew()
        _ = try await late.renew(pin: secret)
        #expect(try await late.setPIN(Secret(RandomBytes.make(32))).sessionBrief == "403 pin_too_late")
    }

    private static func backend(_ bench: HandlerBench) async throws {
        for path in ["/v1/sessions/search", "/v1/sessions/end"] {
            let fields: Fields = [.contentType: "application/json", "api-key": Self.key]
            #expect(try await bench.send(.post, path, fields, body: "{\"subject\": \"x\"}").status == .ok)
            #expect(try await bench.send(.post, path, fields, body: "{}").status == .badRequest)
            #expect(try await bench.send(.post, path, ["api-key": Self.key]).status == .unsupportedMediaType)
            #expect(try await bench.send(.post, path).status == .unauthorized)
        }
    }

    private static func outages(_ bench: HandlerBench) async throws {
        let phone = try BenchPhone(bench)
        let app = try await phone.begin()
        bench.store.become(available: false)
        var answers = [
            try await phone.begin(app), try await phone.send(.get, "/v1/sessions"),
            try await phone.send(.delete, "/v1/sessions/\(phone.session)"),
            try await phone.setPIN(Secret(RandomBytes.make(32))), try await phone.renew(), try await phone.revoke(),
        ]
        for path in ["/v1/sessions/search", "/v1/sessions/end"] {
            let fields: Fields = [.contentType: "application/json", "api-key": Self.key]
            answers.append(try await bench.send(.post, path, fields, body: "{\"subject\": \"x\"}"))
        }
        for answer in answers { #expect(answer.status == .serviceUnavailable) }
    }

    private static func limits(_ document: OpenAPIDocument) async throws {
        let bench = try Self.bench(document) { $0.rates.proofsPerAddress = Rate(perMinute: 1) }
        let phone = try BenchPhone(bench)
        let app = try await phone.begin()
        for answer in [
            try await phone.begin(app), try await phone.send(.get, "/v1/sessions"),
            try await phone.send(.delete, "/v1/sessions/\(phone.session)"),
            try await phone.setPIN(Secret(RandomBytes.make(32))), try await phone.renew(), try await phone.revoke(),
        ] { #expect(answer.status == .tooManyRequests) }
    }

    /// A server without sessions.
    private static func without(_ document: OpenAPIDocument) async throws {
        let bench = try HandlerBench(document: document)
        for (method, path) in [
            (HTTPWire.Method.post, "/v1/sessions"), (.get, "/v1/sessions"), (.post, "/v1/sessions/search"),
            (.post, "/v1/sessions/end"), (.post, "/oauth/token"), (.post, "/oauth/revoke"),
            (.get, "/.well-known/oauth-authorization-server"), (.get, "/.well-known/access-jwks.json"),
        ] { #expect(try await bench.send(method, path).brief == "404 not_found") }
    }
}
