import Base
import EventLoop
import HTTPServer
import HTTPWire
import Sandbox
import StrictJSON
import Testing

/// What the recorder of calls hides.
@Suite struct CallRedactionTests {
    private static let secret = "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MDEyMzQ1Njc4OTA"

    static let bodies: [(type: String?, body: String, shown: String)] = [
        ("application/json", #"{"code": "123456", "wait": 25}"#, #"{"code":"…","wait":25}"#),
        ("application/json", #"{"poll_secret": "\#(secret)"}"#, #"{"poll_secret":"Zm9v…"}"#),
        ("application/problem+json", #"{"detail": "see \#(secret)."}"#, #"{"detail":"see Zm9v…."}"#),
        (
            "application/json", #"{"national_id": {"type": "dk:cpr", "value": "000000-1234"}, "bsn": null}"#,
            #"{"national_id":{"type":"dk:cpr","value":"…"},"bsn":null}"#
        ),
        ("application/json", #"{"claims": ["\#(secret)"]}"#, #"{"claims":["Zm9v…"]}"#),
        (
            "application/x-www-form-urlencoded; charset=utf-8", "code=abc&grant_type=authorization_code&x",
            "code=…&grant_type=authorization_code&x"
        ),
        ("application/x-www-form-urlencoded", "client_secret=short&state=\(secret)", "client_secret=…&state=Zm9v…"),
        ("application/jwt", "\(secret).\(secret).\(secret)", "Zm9v….Zm9v….Zm9v…"),
        ("application/json", #"{"cut": "\#(secret)"#, #"{"cut": "Zm9v…"#),
        ("application/json", #"{"url": "https://a/r/?code=short"}"#, #"{"url":"https://a/r/?code=…"}"#),
        ("text/html; charset=utf-8", "<p>\(secret)", "text/html, 46 bytes"),
        (nil, "abc", "unknown, 3 bytes"),
        ("application/json", "", ""),
    ]

    @Test(arguments: bodies)
    func `the secrets of a body are hidden`(_ row: (type: String?, body: String, shown: String)) {
        #expect(CallRedaction.body(Array(row.body.utf8), type: row.type) == row.shown)
    }

    @Test func `a long body is cut`() {
        let body = Array(String(repeating: "a b ", count: 5000).utf8)
        #expect(CallRedaction.body(body, type: "text/plain").utf8.count < 5000)
    }

    static let fields: [(name: String, value: String, shown: String?)] = [
        ("Authorization", "Bearer \(secret)", "Bearer Zm9v…"), ("authorization", "Basic YTpi", "Basic …"),
        ("DPoP", "\(secret).\(secret).\(secret)", "Zm9v….Zm9v….Zm9v…"),
        ("Cookie", "a=b; __Host-x=\(secret)", "a=…; __Host-x=…"),
        (
            "Set-Cookie", "a=b; Path=/; HttpOnly; SameSite=Lax; Max-Age=60",
            "a=…; Path=/; HttpOnly; SameSite=Lax; Max-Age=60"
        ),
        ("Location", "http://localhost:8081/authorize?state=\(secret)", "http://localhost:8081/authorize?state=Zm9v…"),
        (
            "Location", "http://a/callback/b?code=short&iss=http%3A%2F%2Fb",
            "http://a/callback/b?code=…&iss=http%3A%2F%2Fb"
        ),
        ("Content-Type", "application/x-www-form-urlencoded", "application/x-www-form-urlencoded"),
        ("Prefer", "wait=25", "wait=25"), ("Host", "localhost", nil),
    ]

    @Test(arguments: fields)
    func `the secrets of a field are hidden`(_ row: (name: String, value: String, shown: String?)) {
        let shown = CallRedaction.fields([Parameter(row.name, row.value)])
        #expect(shown.first?.value == row.shown)
    }

    static let targets: [(target: String, shown: String)] = [
        ("/v1/logins", "/v1/logins"), ("/v1/logins/\(secret)/return", "/v1/logins/Zm9v…/return"),
        ("/callback/mitid?code=abc&state=\(secret)", "/callback/mitid?code=…&state=Zm9v…"),
        ("/.well-known/openid-configuration", "/.well-known/openid-configuration"),
    ]

    @Test(arguments: targets) func `the secrets of a target are hidden`(_ row: (target: String, shown: String)) throws {
        #expect(CallRedaction.target(try #require(Target(row.target))) == row.shown)
    }
}

/// A server and a broker whose calls are recorded, and the sandbox's API.
private final class CallBench: Sendable {
    static let login = "K7QXAAECAwQFBgcICQoLDA"
    static let state = "K7QXAAECAwQFBgcICQoLD" + String(repeating: "x", count: 43)

    /// Answers as the server and the broker do, so that calls are linked as theirs are.
    private struct Answers: RequestHandler {
        func handle(_ request: Request, _ handle: ResponseHandle) {
            handle.respond(self.response(request.target.path))
        }

        private func response(_ path: String) -> Response {
            let json: [String: String] = [
                "/v1/logins":
                    #"{"id": "\#(CallBench.login)", "next": {"action": "open_browser", "url": "http://a/go/x"}}"#,
                "/par": #"{"request_uri": "urn:ietf:params:oauth:request_uri:abcdefghijklmnop"}"#,
                "/token": #"{"access_token": "an-access-token-of-sixteen"}"#,
                "/userinfo": #"{"sub": "freja"}"#, "/jwks": #"{"keys": []}"#,
            ]
            if let body = json[path] {
                let status: Status = path == "/v1/logins" ? .created : .ok
                return Response(status, fields: [.contentType: "application/json"], body: Array(body.utf8))
            }
            guard path == "/decision" else { return Response(.noContent) }
            return Response(
                .seeOther, fields: [.location: "http://a/callback/b?code=a-code-of-sixteen&state=\(CallBench.state)"])
        }
    }

    let server: RawClient
    let broker: RawClient
    let api: RawClient
    private let servers: [HTTPServer]
    private let loop: EventLoop

    init(limit: Int = 2000) throws {
        let loop = try EventLoop(name: "call-tests")
        let recorder = CallRecorder(limit: limit, now: { Timestamp(seconds: 0) })
        let user = SandboxUser(links: ["http://links"]) { _ in throw CancellationError() }
        let api = SandboxAPI(
            recorder: recorder, faults: PhoneFaults { _, _, target in target.provider == "mitid" }, user: user)
        let handlers: [any RequestHandler] = [
            SandboxFront(home: "http://home/", api: api, server: Answers(), recorder: recorder),
            RecordingHandler(Answers(), at: .broker, recorder), api,
        ]
        let listen = try #require(ListenAddress("127.0.0.1:0"))
        let servers = handlers.map {
            HTTPServer(listen: listen, loops: [loop], handler: $0, exchanges: recorder)
        }
        let clients = try servers.map { RawClient(port: try $0.start().port) }
        (self.server, self.broker, self.api) = (clients[0], clients[1], clients[2])
        self.servers = servers
        self.loop = loop
    }

    func calls(of login: String = login) async throws -> [JSON] {
        let answer = try await self.api.get("/sandbox/calls?login=\(login)")
        return try #require(try JSON(parsing: answer.body)["calls"]?.array)
    }

    /// The paths that the login's calls had.
    func paths(of login: String = login) async throws -> [String] {
        try await self.calls(of: login).compactMap { $0["path"]?.string }
    }

    /// The events of the login's stream, up to this call.
    func events(
        upTo call: Int, _ query: String = "", fields: [String] = []
    ) async throws -> [(version: Int, call: Int)] {
        let text = try await self.api.read(
            "/sandbox/calls?login=\(Self.login)\(query)", fields: fields + ["Accept: text/event-stream"],
            upTo: "\"number\":\(call),")
        return text.matches(of: /id: ([0-9]+)\ndata: \{"number":([0-9]+),/).compactMap { event in
            Int(event.1).flatMap { version in Int(event.2).map { (version, $0) } }
        }
    }

    func end() async {
        for server in self.servers { await server.close() }
        self.loop.close()
    }
}

/// The recorder of calls: which login a call belongs to, who may see it, and that it stays small.
@Suite struct CallTests {
    private static let fromServer = ["User-Agent: Switchback"]

    @Test func `a login has all its calls`() async throws {
        let bench = try CallBench()
        // What was loaded for others is no news of this login.
        _ = try await bench.broker.get("/jwks", fields: Self.fromServer)
        // What comes before the server's answer is not known to be the login's.
        let push = [Parameter("state", "short"), Parameter("nonce", "A-nonce-of-sixteen-bytes")]
        _ = try await bench.broker.post("/par", form: push, fields: Self.fromServer)
        #expect(try await bench.paths() == [])
        _ = try await bench.server.post("/v1/logins", form: [])
        _ = try await bench.broker.get("/jwks", fields: Self.fromServer)
        #expect(try await bench.paths() == ["/v1/logins", "/jwks"])
        let uri = "urn:ietf:params:oauth:request_uri:abcdefghijklmnop"
        _ = try await bench.broker.get(
            "/authorize?" + FormBody.encode([Parameter("request_uri", uri), Parameter("state", CallBench.state)]))
        #expect(try await bench.paths().contains("/par"), "the name of the pushed request links them")
        _ = try await bench.broker.post("/decision", form: [])
        _ = try await bench.broker.post(
            "/token", form: [Parameter("code", "a-code-of-sixteen")], fields: Self.fromServer)
        _ = try await bench.broker.get(
            "/userinfo", fields: Self.fromServer + ["Authorization: Bearer an-access-token-of-sixteen"])
        _ = try await bench.server.get("/v1/logins/\(CallBench.login)")
        _ = try await bench.server.get("/openapi.yaml")
        let calls = try await bench.calls()
        #expect(
            calls.compactMap { $0["path"]?.string?.prefix { $0 != "?" } } == [
                "/par", "/v1/logins", "/jwks", "/authorize", "/decision", "/token", "/userinfo",
                "/v1/logins/K7QX…",
            ])
        let ways = calls.compactMap { call -> String? in
            guard let from = call["from"]?.string, let to = call["to"]?.string else { return nil }
            return "\(from) \(to)"
        }
        #expect(
            ways == [
                "switchback broker", "app switchback", "switchback broker", "browser broker", "browser broker",
                "switchback broker", "switchback broker", "app switchback",
            ])
        #expect(calls.allSatisfy { $0["rule"]?.string?.isEmpty == false })
        #expect(calls[1]["status"]?.integer == 201)
        #expect(try await bench.calls(of: "K7QXAAECAwQFBgcICQoLEA").isEmpty, "another login has none of them")
        let text = try await bench.api.get("/sandbox/calls?login=\(CallBench.login)").text
        for secret in ["a-code-of-sixteen", "A-nonce-of-sixteen", CallBench.state] {
            #expect(!text.contains(secret), "\(secret)")
        }
        await bench.end()
    }

    @Test func `a client sees no call of another`() async throws {
        let bench = try CallBench()
        _ = try await bench.server.post("/v1/logins", form: [])
        let answer = try await bench.api.get("/sandbox/calls")
        #expect(try JSON(parsing: answer.body)["calls"]?.array?.isEmpty == true)
        await bench.end()
    }

    /// HTML §9.2.4: a browser that reconnects gets only what has changed since its last event.
    @Test func `events are those after the last one`() async throws {
        let bench = try CallBench()
        _ = try await bench.server.post("/v1/logins", form: [])
        for _ in 0..<4 { _ = try await bench.server.get("/v1/logins/\(CallBench.login)") }
        let all = try await bench.events(upTo: 5)
        #expect(all.map(\.call) == [1, 2, 3, 4, 5])
        let third = try #require(all.first { $0.call == 3 }).version
        #expect(try await bench.events(upTo: 5, fields: ["Last-Event-ID: \(third)"]).map(\.call) == [4, 5])
        #expect(try await bench.events(upTo: 5, "&after=\(third)").map(\.call) == [4, 5])
        #expect(try await bench.events(upTo: 5, "&after=x").count == 5)
        await bench.end()
    }

    @Test func `only the newest calls are kept`() async throws {
        let bench = try CallBench(limit: 5)
        for _ in 0..<12 { _ = try await bench.server.get("/v1/logins/\(CallBench.login)") }
        _ = try await bench.server.post("/v1/logins", form: [])
        for _ in 0..<12 { _ = try await bench.server.get("/v1/logins/\(CallBench.login)") }
        let numbers = try await bench.calls().compactMap { $0["number"]?.integer }
        #expect(numbers == [21, 22, 23, 24, 25])
        await bench.end()
    }

    typealias Request = (line: String, body: String, status: Int)

    static let requests: [Request] = [
        ("GET /sandbox/faults", "", 200), ("GET /sandbox/nothing", "", 404), ("GET /sandbox/", "", 404),
        ("PUT /sandbox/faults/mitid", #"{"fault": "par-dead"}"#, 204),
        ("PUT /sandbox/faults/mitid", #"{"fault": "jwks-empty"}"#, 204),
        ("PUT /sandbox/faults/mitid", #"{"fault": "no-such-fault"}"#, 404),
        ("PUT /sandbox/faults/another", #"{"fault": "par-dead"}"#, 404),
        ("PUT /sandbox/faults/mitid", "fault=par-dead", 400),
        ("DELETE /sandbox/faults/mitid", "", 204), ("DELETE /sandbox/faults/another", "", 204),
        ("POST /sandbox/logins/unknown/approve", "", 404), ("POST /v1/logins", "", 201),
        ("GET /", "", 303),
    ]

    @Test(arguments: requests) func `each request of the API has its status`(_ row: Request) async throws {
        let bench = try CallBench()
        let head =
            "\(row.line) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(row.body.utf8.count)\r\n\r\n"
        #expect(try await bench.server.send(head + row.body).status == row.status)
        await bench.end()
    }

    @Test(
        arguments: [
            (#"{"switch": "true"}"#, "The member switch must be true or false."),
            (#"{"switch": 1}"#, "The member switch must be true or false."),
            (#"{"decision": false}"#, "The member decision must be text."),
            (#"{"person": ["freja"]}"#, "The member person must be text."),
            (#"{"fault": {}}"#, "The member fault must be text."), ("[]", "The body must be a JSON object."),
            ("{", "The body must be a JSON object."),
            // These are read, so the user sets off.
            (#"{"switch": null, "person": null, "unknown": 1}"#, "No answer from"), ("", "No answer from"),
        ] as [(String, String)]) func `an approval says what it cannot read`(
            _ body: String, _ error: String
        ) async throws
    {
        let bench = try CallBench()
        _ = try await bench.server.post("/v1/logins", form: [])
        let head =
            "POST /sandbox/logins/\(CallBench.login)/approve HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n"
        #expect(try await bench.api.send(head + body).text.contains(error))
        await bench.end()
    }

    @Test func `an approval without a network says so`() async throws {
        let bench = try CallBench()
        _ = try await bench.server.post("/v1/logins", form: [])
        let answer = try await bench.api.post("/sandbox/logins/\(CallBench.login)/approve", form: [])
        #expect(answer.status == 502)
        #expect(answer.text.contains("No answer from http://a."))
        await bench.end()
    }
}
