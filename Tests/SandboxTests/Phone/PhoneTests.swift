// The phone: its logins belong to one visitor, its faults are set before and after the create, and each way to break a
// login does what it says.

import Base
import EventLoop
import HTTPServer
import HTTPWire
import Sandbox
import Synchronization
import Testing

/// A phone whose server creates every login.
private final class PhoneBench: Sendable {
    /// What the phone did, in its order.
    final class Events: Sendable {
        private let all = Mutex<[String]>([])

        func add(_ event: String) { self.all.withLock { $0.append(event) } }

        var isEmpty: Bool { self.all.withLock(\.isEmpty) }

        func take() -> [String] {
            self.all.withLock { all in
                defer { all = [] }
                return all
            }
        }
    }

    let client: RawClient
    let log: Events
    let clock = TestClock()
    private let server: HTTPServer
    private let loop: EventLoop

    /// With `holdsPolls`, a poll waits until the phone cuts it off.
    init(holdsPolls: Bool = false) throws {
        self.loop = try EventLoop(name: "phone-tests")
        let events = Events()
        self.log = events
        let clock = self.clock
        let phone = SandboxPhone(
            origin: "http://localhost:1", apps: [SandboxPhone.App(id: "demo", name: "Demo")],
            faults: PhoneFaults { fault, isOn, target in
                events.add("\(isOn ? "set" : "reset") \(fault.name) \(target.provider) \(target.login ?? "-")")
                return target.provider != "another"
            },
            server: BenchServer(
                issuer: "http://server", log: LoginLog(now: { clock.now }), metricsURL: "", metrics: { [] }),
            send: { call in
                events.add("\(call.method.rawValue) \(call.path.prefix { $0 != "?" })")
                if holdsPolls, call.method == .get, call.path.hasPrefix("/v1/logins/") {
                    do { try await Task.sleep(for: .seconds(3600)) } catch {
                        events.add("cut off")
                        throw error
                    }
                }
                guard call.path.hasPrefix("/v1/providers") else {
                    return PhoneRequest.Answer(
                        status: call.path == "/v1/logins" ? 201 : 200,
                        body: Array(#"{"id": "the-id", "status": "pending", "final": false}"#.utf8))
                }
                return PhoneRequest.Answer(
                    status: 200, body: Array(#"{"providers": [{"id": "mitid", "name": "MitID"}]}"#.utf8))
            }, now: { clock.now },
            sleep: {
                events.add("waited \($0)")
                clock.advance(by: $0)
            })
        self.server = HTTPServer(
            listen: try #require(ListenAddress("127.0.0.1:0")), loops: [self.loop], handler: phone)
        self.client = RawClient(port: try self.server.start().port)
    }

    func begin(_ form: [Parameter] = [], cookie: String? = nil) async throws -> RawClient.Answer {
        try await self.client.post(
            "/login", form: [Parameter("provider", "mitid"), Parameter("app", "demo")] + form,
            fields: cookie.map { ["Cookie: \($0)"] } ?? [])
    }

    /// Begins a login, and returns its page and the visitor's cookie.
    func begun() async throws -> (page: String, cookie: String) {
        let begun = try await self.begin()
        let page = try #require(begun["location"])
        let cookie = try #require(begun["set-cookie"]).prefix { $0 != ";" }
        _ = self.log.take()
        return (page, String(cookie))
    }

    func press(_ button: String, _ page: String, cookie: String) async throws {
        let form = [Parameter("press", button)]
        #expect(try await self.client.post(page, form: form, fields: ["Cookie: \(cookie)"])["location"] == page)
    }

    func look(_ page: String, cookie: String, _ query: String = "") async throws -> RawClient.Answer {
        try await self.client.get(page + query, fields: ["Cookie: \(cookie)"])
    }

    func end() async {
        await self.server.close()
        self.loop.close()
    }
}

@Suite struct PhoneTests {
    @Test func `a login belongs to one visitor's phone`() async throws {
        let bench = try PhoneBench()
        let names = try await bench.client.get("/")
        #expect(names.text.contains(">MitID</button>"))
        let begun = try await bench.begin()
        let page = try #require(begun["location"])
        let cookie = try #require(begun["set-cookie"]).prefix { $0 != ";" }
        #expect(begun["set-cookie"]?.hasSuffix("; Path=/; HttpOnly; SameSite=Lax") == true)
        let mine = try await bench.client.get(page, fields: ["Cookie: a=b; \(cookie)"])
        #expect(mine.status == 200)
        #expect(mine.text.contains("<h1>MitID: pending</h1>"), "the heading is a name")
        #expect(mine["set-cookie"] == nil)
        for other in ["a=b", "sandbox_visitor=me", "sandbox_visitor=\(String(repeating: "A", count: 43))"] {
            #expect(try await bench.client.get(page, fields: ["Cookie: \(other)"]).status == 400)
        }
        _ = bench.log.take()
        _ = try await bench.client.get("/r/x", fields: ["Cookie: sandbox_visitor=\(String(repeating: "A", count: 43))"])
        #expect(bench.log.take() == [], "another visitor's link tries no login")
        #expect(try await bench.client.get("/r/x", fields: ["Cookie: \(cookie)"])["location"] == page)
        #expect(bench.log.take() == ["POST /v1/logins/the-id/return"])
        await bench.end()
    }

    static let orders: [(fault: String, events: [String])] = [
        ("", ["POST /v1/logins"]),
        ("par-dead", ["POST /v1/logins", "set par-dead mitid the-id"]),
        ("session-reused", ["POST /v1/logins", "set session-reused mitid the-id"]),
        ("cancel", ["POST /v1/logins", "set cancel mitid the-id"]),
        (
            "launch-status-500",
            ["set launch-status-500 mitid -", "POST /v1/logins", "reset launch-status-500 mitid -"]
        ),
        ("init-dead", ["set init-dead mitid -", "POST /v1/logins", "reset init-dead mitid -"]),
        ("jwks-empty", ["set jwks-empty mitid -", "POST /v1/logins"]),
    ]

    @Test(arguments: orders)
    func `a fault is set before or after the create`(_ row: (fault: String, events: [String])) async throws {
        let bench = try PhoneBench()
        #expect(try await bench.begin([Parameter("fault", row.fault)]).status == 303)
        #expect(bench.log.take() == row.events)
        await bench.end()
    }

    /// Faults of a page have their switch there, and the others have it here.
    @Test func `every fault has a switch`() async throws {
        let bench = try PhoneBench()
        let page = try await bench.client.get("/").text
        for fault in SandboxFault.all {
            #expect(page.contains("<option value=\"\(fault.name)\">") == fault.standsBeforeLogins, "\(fault.name)")
        }
        await bench.end()
    }

    @Test func `a fault of everyone is switched off`() async throws {
        let bench = try PhoneBench()
        _ = try await bench.begin([Parameter("fault", "jwks-empty")])
        #expect(try await bench.client.get("/").text.contains("no keys at all."))
        _ = bench.log.take()
        _ = try await bench.client.post("/faults", form: [Parameter("provider", "mitid")])
        #expect(bench.log.take() == ["reset jwks-empty mitid -"])
        #expect(try await !bench.client.get("/").text.contains("no keys at all."))
        await bench.end()
    }

    @Test func `a fault of another provider is refused`() async throws {
        let bench = try PhoneBench()
        let answer = try await bench.client.post(
            "/login",
            form: [Parameter("provider", "another"), Parameter("app", "demo"), Parameter("fault", "init-dead")])
        #expect(answer.status == 400)
        #expect(answer.text.contains("no_such_fault"))
        await bench.end()
    }
}

@Suite struct PhoneInterruptionTests {
    private static let report = "POST /v1/logins/the-id/return"
    private static let poll = "GET /v1/logins/the-id"

    typealias Row = (press: String, events: [String], advice: String)

    static let rows: [Row] = [
        ("kill", [], "Only the memory is gone."), ("offline", [], "repeat what got no response"),
        ("minimise", [report], "This is no Cancel."), ("link-in-browser", [], "says how to go on"),
        ("link-on-other-phone", [], "and ignores it."),
        ("slow-broker", ["set token-delayed mitid the-id"], "exchanging for a while"),
        ("dead-broker", ["set token-dead mitid the-id"], "broker_unavailable"), ("clock", [], "counts expires_in"),
    ]

    @Test(arguments: rows) func `each interruption says what the app should do`(_ row: Row) async throws {
        let bench = try PhoneBench()
        let (page, cookie) = try await bench.begun()
        let before = try await bench.look(page, cookie: cookie).text
        #expect(before.contains("name=\"press\" value=\"\(row.press)\""))
        #expect(!before.contains(row.advice))
        try await bench.press(row.press, page, cookie: cookie)
        #expect(bench.log.take() == row.events)
        #expect(try await bench.look(page, cookie: cookie).text.contains(row.advice))
        await bench.end()
    }

    @Test func `every interruption has a row`() async throws {
        let bench = try PhoneBench()
        let (page, cookie) = try await bench.begun()
        let text = try await bench.look(page, cookie: cookie).text
        let list = try #require(text.firstRange(of: "<ul class=\"breaks\">")).upperBound
        let buttons = text[list...].matches(of: /name="press" value="([^"]+)"/).map { String($0.1) }
        #expect(buttons == Self.rows.map(\.press))
        await bench.end()
    }

    @Test func `a killed app does nothing until it starts`() async throws {
        let bench = try PhoneBench()
        let (page, cookie) = try await bench.begun()
        try await bench.press("kill", page, cookie: cookie)
        let killed = try await bench.look(page, cookie: cookie, "?look=25").text
        #expect(killed.contains("<h1>mitid: the app is not running</h1>"))
        try await bench.press("cancel", page, cookie: cookie)
        #expect(bench.log.take() == ["waited 1.0 seconds"])
        try await bench.press("start", page, cookie: cookie)
        #expect(bench.log.take() == [Self.report, Self.poll])
        #expect(try await bench.look(page, cookie: cookie).text.contains("<h1>mitid: pending</h1>"))
        await bench.end()
    }

    @Test func `a link starts a killed app`() async throws {
        let bench = try PhoneBench()
        let (page, cookie) = try await bench.begun()
        try await bench.press("kill", page, cookie: cookie)
        #expect(try await bench.look("/r/x", cookie: cookie)["location"] == page)
        #expect(bench.log.take() == [Self.report])
        await bench.end()
    }

    @Test(arguments: ["kill", "offline"]) func `a waiting poll is cut off`(_ press: String) async throws {
        let bench = try PhoneBench(holdsPolls: true)
        let (page, cookie) = try await bench.begun()
        async let held = bench.look(page, cookie: cookie, "?look=25")
        while bench.log.isEmpty { await Task.yield() }
        try await bench.press(press, page, cookie: cookie)
        #expect(try await held.status == 200)
        #expect(bench.log.take() == [Self.poll, "cut off"])
        await bench.end()
    }

    @Test func `without a network nothing is sent for ten seconds`() async throws {
        let bench = try PhoneBench()
        let (page, cookie) = try await bench.begun()
        try await bench.press("offline", page, cookie: cookie)
        try await bench.press("cancel", page, cookie: cookie)
        #expect(try await bench.look(page, cookie: cookie).text.contains("No network for 10 more seconds."))
        #expect(try await bench.look("/r/x", cookie: cookie)["location"] == page, "the link opens the app")
        #expect(bench.log.take() == [])
        _ = try await bench.look(page, cookie: cookie, "?look=1")
        #expect(bench.log.take() == ["waited 1.0 seconds"])
        _ = try await bench.look(page, cookie: cookie, "?look=25")
        #expect(bench.log.take() == ["waited 9.0 seconds", Self.report], "the link is sent when the network is back")
        _ = try await bench.look(page, cookie: cookie, "?look=25")
        #expect(bench.log.take() == [Self.poll])
        await bench.end()
    }

    @Test func `a link that opens something else does so once`() async throws {
        let bench = try PhoneBench()
        let (page, cookie) = try await bench.begun()
        try await bench.press("link-in-browser", page, cookie: cookie)
        #expect(try await bench.look("/r/x?p=y", cookie: cookie)["location"] == "http://server/r/x?p=y")
        try await bench.press("link-on-other-phone", page, cookie: cookie)
        #expect(try await bench.look("/r/x?p=y", cookie: cookie).text.contains("<h1>A second phone</h1>"))
        #expect(bench.log.take() == [])
        #expect(try await bench.look("/r/x?p=y", cookie: cookie)["location"] == page)
        #expect(bench.log.take() == [Self.report])
        await bench.end()
    }
}
