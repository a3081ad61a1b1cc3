import Base
import EndToEndSupport
import Foundation
import HTTPWire
import StrictJSON
import TestSupport
import Testing

/// A login's spans reach a collector, connected and without secrets, and an unwilling collector costs no login.
@Suite(.blocking) struct TracingTests {
    private static let caller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    private static func start(
        _ collector: TraceCollectorStage, tracing: String = "", brokers: String = "", store: String = "store: memory"
    ) async throws -> RunningServer {
        try await RunningServer.start(
            [.query], settings: "tracing: {endpoint: \"\(collector.url)\"\(tracing)}", brokers: brokers, store: store)
    }

    /// Logs in with a poll that waits, and returns the login's id.
    private static func login(_ server: RunningServer, _ fields: [Parameter] = []) async throws -> String {
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        let poll = Task { try await app.poll(wait: 20, etag: created[.etag], fields) }
        let metrics = "\(server.operations)/metrics"
        #expect(
            try await eventually {
                try await TestClient.send("GET", metrics).text.contains("switchback_held_polls 1\n")
            })
        try await app.finish(&browser, .query)
        _ = try await poll.value
        return try #require(app.id)
    }

    /// The settings of a store, and what a login asks its database: each is a span.
    static let stores: [(settings: String, calls: Set<String>)] = [
        ("store: memory", []), ("sqlite: {path: FOLDER/switchback.db}", ["insert login", "replace login"]),
        ("store: postgresql\npostgresql: {url: \"DATABASE\"}", ["insert login", "load login", "replace login"]),
    ].filter { PostgresServer.isWanted || !$0.0.contains("DATABASE") }

    @Test(arguments: stores)
    func `one login is one trace`(_ store: String, _ calls: Set<String>) async throws {
        let collector = try TraceCollectorStage()
        let folder = WrittenConfiguration.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var store = store.replacing("FOLDER", with: folder)
        if store.contains("DATABASE") {
            let database = try PostgresServer.shared()
            store = store.replacing("DATABASE", with: database.url(try database.makeDatabase()))
        }
        let server = try await Self.start(collector, store: store)
        let id = try await Self.login(server)
        let trace = try #require(Base64URL.decode(id))
        let wanted =
            [
                "POST /v1/logins", "GET /go/*", "GET /callback/*", "GET /v1/logins/*", "POST token", "exchange",
                "login",
            ] + calls
        let spans = try await collector.spans { spans in
            let names = Set(spans.filter { $0.trace == trace }.map(\.name))
            return wanted.allSatisfy(names.contains)
        }.filter { $0.trace == trace }
        #expect(Set(spans.map(\.name).filter { $0.hasSuffix(" login") }) == calls)
        let login = try #require(spans.first { $0.name == "login" })
        #expect(login.parent.isEmpty)
        #expect(login.numbers == ["switchback.duration_ms"])
        #expect(login.attributes["switchback.status"] == "completed")
        #expect(login.attributes["switchback.provider"] == BrokerVariant.query.name)
        for name in ["POST /v1/logins", "GET /go/*", "GET /callback/*", "GET /v1/logins/*"] {
            let span = try #require(spans.first { $0.name == name })
            #expect(span.parent == login.id, "\(name)")
            #expect(span.attributes["switchback.login"] == id, "\(name)")
        }
        let callback = try #require(spans.first { $0.name == "GET /callback/*" })
        let exchange = try #require(spans.first { $0.name == "exchange" })
        #expect(exchange.parent == callback.id)
        #expect(exchange.events.contains("login_identified"))
        let token = try #require(spans.first { $0.name == "POST token" })
        #expect(token.parent == exchange.id)
        #expect(token.attributes["http.response.status_code"] == "200")
        let poll = try #require(
            spans.first { $0.name == "GET /v1/logins/*" && $0.attributes["switchback.held"] == "1" })
        #expect(poll.attributes["http.route"] == "/v1/logins/*")
        await server.stop()
        await collector.close()
    }

    @Test func `no secret and no person is in a span`() async throws {
        let collector = try TraceCollectorStage()
        let server = try await Self.start(collector)
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await app.finish(&browser, .query)
        let login = try await app.waitForEnd()
        await server.stop()
        let text = String(decoding: collector.bodies.joined(), as: UTF8.self)
        #expect(text.contains("exchange"))
        let given = try #require(login["identity"]?["claims"]?["given_name"]?.string)
        let link = String(try #require(created.nextURL?.split(separator: "/").last))
        let subject = try #require(login["identity"]?["subject"]?.string)
        for secret in [app.secret, RunningServer.secret, link, given, subject, "127.0.0.1:\(server.port)"] {
            #expect(!text.contains(secret), "\(secret)")
        }
        await collector.close()
    }

    @Test func `a caller's trace is continued and passed on to a broker that wants it`() async throws {
        let collector = try TraceCollectorStage()
        let server = try await Self.start(collector, brokers: ", send_traceparent: true")
        let id = try await Self.login(
            server,
            [Parameter("traceparent", Self.caller), Parameter("tracestate", "rojo=1"), Parameter("tracestate", "b=2")])
        let spans = try await collector.spans { $0.contains { $0.state == "rojo=1,b=2" } }
        let poll = try #require(spans.first { $0.state == "rojo=1,b=2" && $0.name == "GET /v1/logins/*" })
        #expect(poll.trace.prefix(2) == [0x4B, 0xF9])
        #expect(poll.parent.prefix(3) == [0x00, 0xF0, 0x67])
        #expect(poll.links == 1)
        #expect(poll.attributes["switchback.login"] == id)
        await server.stop()
        await collector.close()
    }

    @Test func `with links a login stays in its own trace`() async throws {
        let collector = try TraceCollectorStage()
        let server = try await Self.start(collector, tracing: ", parents: link")
        let id = try await Self.login(server, [Parameter("traceparent", Self.caller)])
        let trace = try #require(Base64URL.decode(id))
        let spans = try await collector.spans { $0.contains { $0.name == "GET /v1/logins/*" && $0.links == 1 } }
        let poll = try #require(spans.first { $0.name == "GET /v1/logins/*" && $0.links == 1 })
        #expect(poll.trace == trace)
        await server.stop()
        await collector.close()
    }

    @Test(arguments: [
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7", "nonsense", "",
        "00-" + String(repeating: "0", count: 52),
    ]) func `a bad traceparent fails no request`(_ text: String) async throws {
        let collector = try TraceCollectorStage()
        let server = try await Self.start(collector)
        let answer = try await TestClient.send(
            "GET", "\(server.url)/v1/providers?app=demo", fields: [Parameter("traceparent", text)])
        #expect(answer.status == 200)
        let spans = try await collector.spans { !$0.isEmpty }
        #expect(spans.allSatisfy { $0.parent.isEmpty && $0.trace.count == 16 })
        await server.stop()
        await collector.close()
    }

    @Test func `a collector gets its header fields`() async throws {
        let collector = try TraceCollectorStage()
        let server = try await Self.start(collector, tracing: ", headers: \"Authorization=Bearer%20abc,x-scope=1%2C2\"")
        _ = try await Self.login(server)
        _ = try await collector.spans { !$0.isEmpty }
        let request = try #require(collector.lastRequest)
        #expect(request.fields[.authorization] == "Bearer abc")
        #expect(request.fields["x-scope"] == "1,2")
        #expect(request.fields[.contentType] == "application/x-protobuf")
        await server.stop()
        await collector.close()
    }

    @Test func `an unwilling collector costs no login and gets the spans later`() async throws {
        for mood in [TraceCollectorStage.Mood.hangs, .answers(503, [.retryAfter: "1"]), .answers(429, [:])] {
            let collector = try TraceCollectorStage(mood)
            let server = try await Self.start(collector)
            for _ in 0..<3 { _ = try await Self.login(server) }
            #expect(try await eventually { collector.requestCount > 0 })
            #expect(collector.bodies.isEmpty)
            collector.become(.takes)
            // A hanging request ends after its ten seconds.
            _ = try await collector.spans { spans in spans.count { $0.name == "login" } == 3 }
            await server.stop()
            await collector.close()
        }
    }

    @Test func `a collector that is gone is said once and a stop waits two seconds at most`() async throws {
        let port = try FreePort.find()
        let server = try await RunningServer.start(
            [.query], settings: "tracing: {endpoint: \"http://127.0.0.1:\(port)/v1/traces\"}")
        _ = try await Self.login(server)
        #expect(try await eventually { server.log.text.contains("traces_not_exported") })
        await server.stop()
    }

    @Test func `the lines of a login name its request and its trace and the broker's id`() async throws {
        let collector = try TraceCollectorStage()
        let server = try await Self.start(collector)
        let id = try await Self.login(server)
        await server.stop()
        let lines = server.log.text.split(separator: "\n").compactMap { try? JSON(parsing: Array($0.utf8)) }
        let identified = try #require(lines.first { $0["event"]?.string == "login_identified" })
        let callback = try #require(
            lines.first { $0["event"]?.string == "request" && $0["route"]?.string == "callback" })
        #expect(identified["login"]?.string == id)
        #expect(identified["request_id"] == callback["request_id"])
        #expect(callback["login"]?.string == id)
        #expect(callback["status"]?.integer == 302 || callback["status"]?.integer == 303)
        #expect(callback["duration_ms"]?.integer != nil)
        let trace = try #require(Base64URL.decode(id))
        let hex = trace.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(identified["trace_id"]?.string == hex)
        await collector.close()
    }

    @Test func `without an endpoint no line has a trace`() async throws {
        let server = try await RunningServer.start([.query])
        _ = try await Self.login(server, [Parameter("traceparent", Self.caller)])
        await server.stop()
        #expect(server.log.text.contains("\"request_id\""))
        #expect(!server.log.text.contains("trace_id"))
    }
}
