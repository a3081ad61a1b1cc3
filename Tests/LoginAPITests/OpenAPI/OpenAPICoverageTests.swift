import Base
import ConfigurationSamples
import Foundation
import HTTPWire
import Logins
import OpenAPIChecking
import Testing

@testable import LoginAPI

/// Tests that every operation sends every status in the file, each as described.
@Suite(.timeLimit(.minutes(1))) struct OpenAPICoverageTests {
    static func document() throws -> OpenAPIDocument {
        try OpenAPIDocument(yaml: String(contentsOfFile: "\(HandlerBench.publicFolder)/openapi.yaml", encoding: .utf8))
    }

    @Test func `everything that is described is seen`() async throws {
        let document = try Self.document()
        let bench = try HandlerBench(document: document)
        try await Self.files(bench)
        try await Self.lives(bench)
        try await Self.refusals(bench)
        try await Self.browsers(bench)
        try await Self.outages(bench)
        try await Self.limits(document)
        try await Self.switchedOff(document)
        try await Self.links(document)
        try await Self.discovery(document)
        try await Self.unknownKeys(document)
        try await SessionCoverage.all(document)
        #expect(document.described.subtracting(document.seen).sorted() == [])
    }

    private static func files(_ bench: HandlerBench) async throws {
        for path in [
            "/v1/providers", "/.well-known/jwks.json", "/client/jwks.json", "/openapi.yaml", "/openapi-app.yaml",
            "/assets/favicon.svg", "/problems", "/problems/gone", "/favicon.ico", "/apple-touch-icon.png",
            "/apple-touch-icon-precomposed.png", "/robots.txt",
        ] {
            let answer = try await bench.send(.get, path, [.acceptEncoding: "gzip"])
            let tag = try #require(answer.fields[.etag])
            _ = try await bench.send(.get, path, [.acceptEncoding: "gzip", .ifNoneMatch: tag])
        }
        for path in ["/assets/nothing.css", "/nothing", "/problems/nothing"] { _ = try await bench.send(.get, path) }
        _ = try await bench.send(.patch, "/v1/logins")
        _ = try await bench.send(.options, "/v1/logins")
        _ = try await bench.send(.head, "/v1/providers")
        _ = try await bench.send(.get, "/v1/providers?app=nobodys")
    }

    /// One login completes, one is denied, and one is cancelled and deleted.
    private static func lives(_ bench: HandlerBench) async throws {
        let app = BenchApp(bench: bench)
        for _ in 0..<2 { _ = try await app.create() }
        _ = try await app.poll([.ifNoneMatch: "W/\"1\""])
        _ = try await app.post("return", body: "{\"url\": null}")
        #expect(try await app.delete().status == .conflict)
        let page = try await app.finish()
        #expect(try await app.poll([.prefer: "wait=20"]).json["status"] == "completed")
        #expect(try await bench.load(page).status == .ok)
        let version = try #require(try await app.poll().json["version"]?.integer)
        for known in [1, version] {
            _ = try await app.poll([.accept: "text/event-stream", .lastEventID: String(known)])
        }
        let refused = BenchApp(bench: bench)
        let state = try #require(try await refused.open()["state"])
        _ = try await bench.send(
            .post, "/callback/fake", [.contentType: "application/x-www-form-urlencoded"],
            body: "error=access_denied&state=\(state)")
        #expect(try await refused.poll().json["status"] == "cancelled")
        let gone = BenchApp(bench: bench)
        _ = try await gone.create()
        _ = try await gone.post("cancel")
        _ = try await gone.delete()
        for status in [
            try await gone.create().status, try await gone.poll().status, try await gone.post("cancel").status,
            try await gone.post("return", body: "{\"url\": null}").status,
        ] { #expect(status == .gone) }
    }

    private static func switchedOff(_ document: OpenAPIDocument) async throws {
        let bench = try HandlerBench(document: document)
        bench.switchOff()
        bench.clock.move(by: .seconds(1))
        #expect(try await BenchApp(bench: bench).create().status == .conflict)
    }

    /// Keys that rotate themselves, and that this server has not read for too long.
    private static func unknownKeys(_ document: OpenAPIDocument) async throws {
        let bench = try HandlerBench(
            document: document, sessions: .access, automaticKeys: AutomaticKeySets(lifetime: 12) { _ in nil })
        for path in ["/.well-known/jwks.json", "/.well-known/access-jwks.json", "/client/jwks.json"] {
            #expect(try await bench.send(.get, path).status == .serviceUnavailable)
        }
    }

    private static func refusals(_ bench: HandlerBench) async throws {
        let app = BenchApp(bench: bench)
        _ = try await app.create()
        _ = try await app.create(["locale": "da"])
        _ = try await app.create(["locale": 7])
        _ = try await bench.send(.post, "/v1/logins", body: "{}")
        let strange: Fields = [.contentType: "application/json", .authorization: "Bearer no-key-of-this-app"]
        #expect(
            try await bench.send(.post, "/v1/logins", strange, body: "{\"provider\": \"eid\"}").status == .unauthorized)
        _ = try await app.post("return", body: "{\"url\": \"https://evil.example/\"}")
        for action in ["return", "cancel"] {
            _ = try await bench.send(.post, "\(app.path)/\(action)", app.bearer, body: "{}")
        }
        let other = BenchApp(bench: bench)
        let requests: [(HTTPWire.Method, String, String)] = [
            (.get, "", ""), (.delete, "", ""), (.post, "/cancel", ""), (.post, "/return", "{\"url\": null}"),
        ]
        for (method, action, body) in requests {
            let path = app.path + action
            for (path, fields) in [(path, Fields()), (path, other.bearer), ("\(path)?token=x", app.bearer)] {
                _ = try await bench.send(method, path, fields.adding(.contentType, "application/json"), body: body)
            }
        }
    }

    private static func browsers(_ bench: HandlerBench) async throws {
        let app = BenchApp(bench: bench)
        let link = try #require(try await app.create().json["next"]?["url"]?.string)
        _ = try await bench.load(link, [.secPurpose: "prefetch"])
        _ = try await app.post("cancel")
        #expect(try await bench.load(link).status == .ok)
        for path in ["/go/x", "/"] { _ = try await bench.load(path) }
        let crowded = BenchApp(bench: bench)
        let open = try #require(try await crowded.create().json["next"]?["url"]?.string)
        for _ in 0..<3 { #expect(try await bench.load(open).status == .seeOther) }
        #expect(try await bench.load(open).status == .conflict)
        for page in ["unknown", "elsewhere", "continued", "unknown/state"] { _ = try await bench.load("/done/\(page)") }
        let done = BenchApp(bench: bench)
        let page = try await done.finish()
        for path in [page, "/done/unknown"] { _ = try await bench.send(.post, path, [.accept: "text/html"]) }
        while try await bench.load("\(page)/state", [.ifNoneMatch: "\"completed\""]).status != .notModified {}
        while try await bench.load("\(page)/state").status != .tooManyRequests {}
        #expect(try await bench.send(.post, page).status == .tooManyRequests)
        while try await done.post("cancel").status != .tooManyRequests {}
        _ = try await bench.load("/callback/fake?state=x")
        for method: HTTPWire.Method in [.get, .post] { _ = try await bench.send(method, "/callback/.x") }
        _ = try await bench.send(.post, "/callback/fake", [.contentType: "text/plain"], body: "state=x")
    }

    /// First the store is unavailable, then the broker.
    private static func outages(_ bench: HandlerBench) async throws {
        let app = BenchApp(bench: bench)
        let parameters = try await app.approve()
        let link = try #require(try await app.create().json["next"]?["url"]?.string)
        let page = try await BenchApp(bench: bench).finish()
        bench.store.become(available: false)
        let answers = [
            try await app.create(), try await app.poll(), try await app.delete(), try await app.post("cancel"),
            try await app.post("return", body: "{\"url\": null}"), try await bench.load(link),
            try await bench.load(page), try await bench.load("\(page)/state"), try await bench.send(.post, page),
            try await bench.load("/callback/fake?\(parameters)"),
            try await bench.send(
                .post, "/callback/fake", [.contentType: "application/x-www-form-urlencoded"], body: parameters),
        ]
        for answer in answers { #expect(answer.status == .serviceUnavailable) }
        let direct = try HandlerBench(document: bench.document) { $0.providers[0].authorize = .direct }
        direct.provider.become(reachable: false)
        #expect(try await BenchApp(bench: direct).create().brief == "502 broker_unreachable")
    }

    private static func links(_ document: OpenAPIDocument) async throws {
        let links = try LinkExample.links()
        let bench = try HandlerBench(document: document) {
            $0.links = links
            $0.security = SecurityContacts(["mailto:security@example.com"], expire: Timestamp(milliseconds: 0))
        }
        let none = try HandlerBench(document: document)
        for path in LinkHandlerTests.files + ["/.well-known/security.txt"] {
            let tag = try #require(try await bench.send(.get, path).fields[.etag])
            _ = try await bench.send(.get, path, [.ifNoneMatch: tag])
            _ = try await none.send(.get, path)
        }
        for path in ["/r/", "/r/x/y?login=x"] { _ = try await bench.send(.get, path) }
        let withoutScheme = try HandlerBench(document: document) {
            $0.links = links
            for index in links.apps.indices { $0.links.apps[index].schemeLink = nil }
        }
        _ = try await withoutScheme.send(.get, "/r/", [.userAgent: "iPhone", .host: "link.example.com"])
    }

    private static func discovery(_ document: OpenAPIDocument) async throws {
        let path = "/.well-known/openid-configuration"
        let discovery = DiscoveryDocument(issuer: "https://login.example.com", algorithms: [.es256])
        let bench = try HandlerBench(document: document, discovery: discovery.json)
        let tag = try #require(try await bench.send(.get, path).fields[.etag])
        _ = try await bench.send(.get, path, [.ifNoneMatch: tag])
        #expect(try await HandlerBench(document: document).send(.get, path).status == .notFound)
    }

    private static func limits(_ document: OpenAPIDocument) async throws {
        let bench = try HandlerBench(document: document) {
            $0.rates.createPerAddress = Rate(perMinute: 1)
            $0.rates.brokerCallsPerAddress = Rate(perMinute: 1)
        }
        let app = BenchApp(bench: bench)
        for _ in 0..<2 { _ = try await app.create() }
        for _ in 0..<6 { _ = try await app.poll() }
        let answer = "{\"url\": \"\(HandlerBench.link)?error=access_denied\"}"
        for _ in 0..<2 { _ = try await app.post("return", body: answer) }
        try await Self.limitsOfBrokerCalls(document)
    }

    /// Each address may start one attempt, and cause one exchange.
    private static func limitsOfBrokerCalls(_ document: OpenAPIDocument) async throws {
        let bench = try HandlerBench(document: document) { $0.rates.brokerCallsPerAddress = Rate(perMinute: 1) }
        var callbacks: [String] = []
        for number in 1...3 {
            callbacks.append(try await BenchApp(bench: bench).approve(from: "198.51.100.\(number)"))
        }
        let link = try #require(try await BenchApp(bench: bench).create().json["next"]?["url"]?.string)
        #expect(try await bench.load(link, from: "198.51.100.1").status == .tooManyRequests)
        #expect(try await bench.load("/callback/fake?\(callbacks[0])").status == .seeOther)
        #expect(try await bench.load("/callback/fake?\(callbacks[1])").status == .tooManyRequests)
        let posted = try await bench.send(
            .post, "/callback/fake", [.contentType: "application/x-www-form-urlencoded"], body: callbacks[2])
        #expect(posted.status == .tooManyRequests)
    }
}
