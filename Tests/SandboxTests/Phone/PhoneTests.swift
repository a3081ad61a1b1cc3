/// The phone: its logins belong to one visitor, and its faults are set before and after the create.
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

        func take() -> [String] {
            self.all.withLock { all in
                defer { all = [] }
                return all
            }
        }
    }

    let client: RawClient
    let log: Events
    private let server: HTTPServer
    private let loop: EventLoop

    init() throws {
        self.loop = try EventLoop(name: "phone-tests")
        let events = Events()
        self.log = events
        let phone = SandboxPhone(
            origin: "http://localhost:1", apps: [SandboxPhone.App(id: "demo", name: "Demo")],
            faults: PhoneFaults { fault, isOn, target in
                events.add("\(isOn ? "set" : "reset") \(fault.name) \(target.provider) \(target.login ?? "-")")
                return target.provider != "another"
            },
            send: { call in
                events.add("\(call.method.rawValue) \(call.path.prefix { $0 != "?" })")
                guard call.path.hasPrefix("/v1/providers") else {
                    return PhoneRequest.Answer(
                        status: call.path == "/v1/logins" ? 201 : 200,
                        body: Array(#"{"id": "the-id", "status": "pending", "final": false}"#.utf8))
                }
                return PhoneRequest.Answer(
                    status: 200, body: Array(#"{"providers": [{"id": "mitid", "name": "MitID"}]}"#.utf8))
            }, now: { Timestamp(seconds: 0) })
        self.server = HTTPServer(
            listen: try #require(ListenAddress("127.0.0.1:0")), loops: [self.loop], handler: phone)
        self.client = RawClient(port: try self.server.start().port)
    }

    func begin(_ form: [Parameter] = [], cookie: String? = nil) async throws -> RawClient.Answer {
        try await self.client.post(
            "/login", form: [Parameter("provider", "mitid"), Parameter("app", "demo")] + form,
            fields: cookie.map { ["Cookie: \($0)"] } ?? [])
    }

    func end() async {
        await self.server.close()
        self.loop.close()
    }
}

@Suite struct Phones {
    @Test func aLoginIsOneVisitors() async throws {
        let bench = try PhoneBench()
        let names = try await bench.client.get("/")
        #expect(names.text.contains(">MitID</button>"))
        let begun = try await bench.begin()
        let page = try #require(begun["location"])
        let cookie = try #require(begun["set-cookie"]?.split(separator: ";").first.map(String.init))
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

    @Test(arguments: orders) func aFaultIsSet(_ row: (fault: String, events: [String])) async throws {
        let bench = try PhoneBench()
        #expect(try await bench.begin([Parameter("fault", row.fault)]).status == 303)
        #expect(bench.log.take() == row.events)
        await bench.end()
    }

    /// Faults of a page have their switch there, and the others have it here.
    @Test func everyFaultHasASwitch() async throws {
        let bench = try PhoneBench()
        let page = try await bench.client.get("/").text
        for fault in SandboxFault.all {
            #expect(page.contains("<option value=\"\(fault.name)\">") == fault.standsBeforeLogins, "\(fault.name)")
        }
        await bench.end()
    }

    @Test func aFaultOfEveryoneIsSwitchedOff() async throws {
        let bench = try PhoneBench()
        _ = try await bench.begin([Parameter("fault", "jwks-empty")])
        #expect(try await bench.client.get("/").text.contains("no keys at all."))
        _ = bench.log.take()
        _ = try await bench.client.post("/faults", form: [Parameter("provider", "mitid")])
        #expect(bench.log.take() == ["reset jwks-empty mitid -"])
        #expect(try await !bench.client.get("/").text.contains("no keys at all."))
        await bench.end()
    }

    @Test func aProviderWithoutThisFault() async throws {
        let bench = try PhoneBench()
        let answer = try await bench.client.post(
            "/login",
            form: [Parameter("provider", "another"), Parameter("app", "demo"), Parameter("fault", "init-dead")])
        #expect(answer.status == 400)
        #expect(answer.text.contains("no_such_fault"))
        await bench.end()
    }
}
