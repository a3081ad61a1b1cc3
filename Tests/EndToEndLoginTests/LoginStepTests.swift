import EndToEndSupport
import StrictJSON
import Testing

/// Each step of a login is reported once and in order, as a log line and in the metrics.
@Suite struct LoginStepTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let release: String
        let steps: [String]
        let play: @Sendable (inout ScriptedBrowser, PhoneApp) async throws -> Void
    }

    /// `begun` is up to the broker's response, `known` up to the identity, and `over` from the result on.
    private static let begun = ["created", "opened", "callback"]
    private static let known = Self.begun + ["redeemed", "identified"]
    private static let over = ["ended", "delivered", "acknowledged"]

    static let rows = [
        Row(testDescription: "no proof required", release: "immediate", steps: Self.known + Self.over) { browser, app in
            try await browser.submit(button: "approve")
            _ = try await app.waitForEnd()
            _ = try await app.acknowledge()
        },
        Row(
            testDescription: "a wrong code, then the right one", release: "code",
            steps: Self.known + ["proof_refused", "proven"] + Self.over
        ) { browser, app in
            try await browser.submit(button: "approve")
            let code = try await Self.code(&browser)
            let wrong = code == "000000" ? "000001" : "000000"
            _ = try await app.reportReturn(["code": .string(wrong)])
            _ = try await app.reportReturn(["code": .string(code)])
            _ = try await app.waitForEnd()
            _ = try await app.acknowledge()
        },
        Row(
            testDescription: "the app returns without a link, and the user continues", release: "immediate",
            steps: ["created", "opened", "returned", "callback", "redeemed", "identified"] + Self.over
        ) { browser, app in
            _ = try await app.reportReturn(["url": .null])
            try await browser.submit(button: "approve")
            _ = try await app.waitForEnd()
            _ = try await app.acknowledge()
        },
        Row(
            testDescription: "the user cancels", release: "immediate",
            steps: Self.begun + ["ended", "acknowledged"]
        ) { browser, app in
            try await browser.submit(button: "cancel")
            _ = try await app.waitForEnd()
            _ = try await app.acknowledge()
        },
        Row(testDescription: "the app cancels", release: "immediate", steps: ["created", "opened", "ended"]) {
            _, app in
            _ = try await app.cancel()
        },
    ]

    @Test(arguments: Self.rows) func `each step is told once`(_ row: Row) async throws {
        let server = try await RunningServer.start([.query], release: row.release)
        let app = PhoneApp(server.url)
        var browser = try await ScriptedBrowser(
            opening: try #require(try await app.create(BrokerVariant.query.name).nextURL))
        try await row.play(&browser, app)
        let provider = BrokerVariant.query.name
        let samples = Set(row.steps).subtracting(["created", "ended", "delivered"]).map {
            "switchback_login_steps_total{step=\"\($0)\",provider=\"\(provider)\"} 1\n"
        }
        try await server.metrics(have: samples)
        await server.stop()
        let steps = Self.steps(server.log, of: try #require(app.id))
        // A poll may send the result that is stored before the task that stored it tells of the end.
        let isUnordered = { $0 == "delivered" } as (String) -> Bool
        #expect(steps.filter { !isUnordered($0) } == row.steps.filter { !isUnordered($0) }, "\(steps)")
        #expect(steps.count(where: isUnordered) == row.steps.count(where: isUnordered), "\(steps)")
        let identified = steps.firstIndex(of: "identified")
        #expect(steps.firstIndex(of: "delivered").map { $0 > identified ?? $0 } ?? true, "\(steps)")
    }

    /// Drops repeated deliveries: the same result may be delivered many times.
    private static func steps(_ log: CapturedLog, of login: String) -> [String] {
        let all = log.text.split(separator: "\n").compactMap { line -> String? in
            guard let json = try? JSON(parsing: Array(line.utf8)), json["login"]?.string == login,
                let event = json["event"]?.string, event.hasPrefix("login_")
            else { return nil }
            return String(event.dropFirst("login_".count))
        }
        return all.enumerated().filter { $0.element != "delivered" || all.firstIndex(of: "delivered") == $0.offset }
            .map(\.element)
    }

    private static func code(_ browser: inout ScriptedBrowser) async throws -> String {
        for _ in 0..<100 where browser.code == nil { try await browser.reload() }
        return try #require(browser.code)
    }
}
