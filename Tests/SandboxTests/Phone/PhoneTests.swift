// The phone: its logins belong to one visitor, its faults are set before and after the create, and each way to break a
// login does what it says.

import Base
import HTTPWire
import Sandbox
import Testing

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
        #expect(try await bench.look(page, cookie: cookie).text.contains("<h1>mitid: the app is not running</h1>"))
        let count = bench.log.pollCount
        try await bench.press("cancel", page, cookie: cookie)
        bench.advance(by: .seconds(3600))
        #expect(bench.log.take() == [])
        #expect(bench.log.pollCount == count)
        try await bench.press("start", page, cookie: cookie)
        #expect(bench.log.take() == [Self.report])
        #expect(try await bench.look(page, cookie: cookie).text.contains("<h1>mitid: pending</h1>"))
        await bench.end()
    }

    /// The library reports the return first, because it does not know yet that a link comes.
    @Test func `a link starts a killed app`() async throws {
        let bench = try PhoneBench()
        let (page, cookie) = try await bench.begun()
        try await bench.press("kill", page, cookie: cookie)
        #expect(try await bench.look("/r/x", cookie: cookie)["location"] == page)
        #expect(bench.log.take() == [Self.report, Self.report])
        await bench.end()
    }

    @Test(arguments: ["kill", "offline"]) func `a waiting poll is cut off`(_ press: String) async throws {
        let bench = try PhoneBench(holdsPolls: true)
        let (page, cookie) = try await bench.begun()
        #expect(await Self.eventually { bench.log.pollCount > 0 })
        try await bench.press(press, page, cookie: cookie)
        #expect(await Self.eventually { bench.log.contains("cut off") })
        #expect(bench.log.take() == ["cut off"])
        await bench.end()
    }

    @Test func `without a network nothing is sent for ten seconds`() async throws {
        let bench = try PhoneBench()
        let (page, cookie) = try await bench.begun()
        try await bench.press("offline", page, cookie: cookie)
        #expect(try await bench.look(page, cookie: cookie).text.contains("No network for 10 more seconds."))
        #expect(try await bench.look("/r/x", cookie: cookie)["location"] == page, "the link opens the app")
        bench.advance(by: .seconds(9))
        #expect(try await bench.look(page, cookie: cookie).text.contains("No network for 1 more second."))
        #expect(bench.log.take() == [])
        // The library tries again after a while, and more seldom each time.
        let isSent = await Self.eventually {
            bench.log.contains(Self.report)
        } meanwhile: {
            bench.advance(by: .seconds(1))
        }
        #expect(isSent)
        #expect(bench.log.take() == [Self.report], "the link is sent when the network is back")
        await bench.end()
    }

    @Test func `two windows have a login each, and a link belongs to both`() async throws {
        let bench = try PhoneBench()
        let (first, cookie) = try await bench.begun()
        let second = try #require(try await bench.begin(cookie: cookie)["location"])
        #expect(first != second)
        _ = bench.log.take()
        let opened = try await bench.look("/r/x", cookie: cookie)["location"]
        #expect(opened == first || opened == second)
        let areSent = await Self.eventually {
            bench.log.contains("POST /v1/logins/id-2/return") && bench.log.contains(Self.report)
        }
        #expect(areSent)
        // The system ends the app, and so both windows.
        try await bench.press("kill", first, cookie: cookie)
        #expect(try await bench.look(second, cookie: cookie).text.contains("the app is not running"))
        await bench.end()
    }

    /// What the library does for one of them is no answer to another.
    @Test func `logins that one phone begins at once all begin`() async throws {
        let bench = try PhoneBench()
        for _ in 0..<20 {
            let (_, cookie) = try await bench.begun()
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<12 { group.addTask { try await bench.begin(cookie: cookie).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.allSatisfy { $0 == 303 }, "\(statuses)")
        }
        await bench.end()
    }

    /// The app is in the background when nobody looks at the phone, so its polls end.
    @Test func `a phone that nobody looks at does not poll`() async throws {
        let bench = try PhoneBench(holdsPolls: true)
        _ = try await bench.begun()
        #expect(await Self.eventually { bench.log.pollCount > 0 })
        let isCutOff = await Self.eventually {
            bench.log.contains("cut off")
        } meanwhile: {
            bench.advance(by: .seconds(60))
        }
        #expect(isCutOff)
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

    /// Waits until the condition is true, and returns false after two minutes. It does not sleep: the phone's time passes
    /// by `meanwhile`.
    private static func eventually(_ condition: () -> Bool, meanwhile pass: () -> Void = {}) async -> Bool {
        let end = ContinuousClock.now + .seconds(120)
        while !condition() {
            guard ContinuousClock.now < end else { return false }
            pass()
            await Task.yield()
        }
        return true
    }
}
