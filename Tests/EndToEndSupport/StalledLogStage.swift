import Foundation
import StrictJSON
import Synchronization
import TestSupport
import Testing

/// A program whose standard error is a real pipe, and what its log must contain by its metrics.
package final class StalledLogStage: Sendable {
    package let stage: DurableStage
    private let pipe: LogPipe
    private let process: ChildProcess

    /// Each login writes several lines at the level debug.
    package init(binary: String? = nil) async throws {
        let settings = """
            log: {level: debug}
            limits: {create_per_address_per_minute: 0, create_per_app_per_minute: 0}
            \(DurableStage.immediate)
            """
        self.stage = try DurableStage(settings, store: "store: memory")
        self.pipe = try LogPipe("\(self.stage.folder)/output")
        let arguments = ["serve", "--config", "\(self.stage.folder)/switchback.yaml"]
        let process = try ChildProcess(
            path: binary ?? DurableStage.binary, arguments, in: self.stage.folder, output: "\(self.stage.folder)/output"
        )
        self.process = try await DurableStage.ready(process, self.stage.operations)
    }

    /// Returns the sum of a metric's series.
    private func sum(of names: [String]) async throws -> Int {
        let text = try await TestClient.send("GET", "\(self.stage.operations)/metrics").text
        return text.split(separator: "\n").reduce(0) { sum, line in
            guard names.contains(String(line.prefix { $0 != "{" && $0 != " " })) else { return sum }
            return sum + (line.split(separator: " ").last.flatMap { Int($0) } ?? 0)
        }
    }

    package func dropped() async throws -> Int { try await self.sum(of: ["switchback_log_lines_dropped_total"]) }

    /// How many lines about logins and requests were logged, dropped or not.
    private func logged() async throws -> Int {
        try await self.sum(of: [
            "switchback_logins_created_total", "switchback_logins_finished_total", "switchback_login_steps_total",
            "switchback_http_requests_total",
        ])
    }

    /// A whole login, with a browser.
    package func login() async throws {
        let app = PhoneApp(self.stage.url)
        var browser = try await ScriptedBrowser(opening: try #require(try await app.create("demo").nextURL))
        try await browser.submit(button: "approve")
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
    }

    private static func isCounted(_ line: JSON) -> Bool {
        let event = line["event"]?.string ?? ""
        return event == "request" || event.hasPrefix("login_")
    }

    /// The reader is back: every line is there, or was counted as dropped, and a line says how many were. Returns how
    /// many lines there are.
    @discardableResult
    package func endWithReader() async throws -> Int {
        let isWhole = try await eventually {
            self.pipe.read()
            let lines = self.pipe.lines
            let told = lines.filter { $0["event"]?.string == "log_lines_dropped" }.compactMap { $0["count"]?.integer }
            let (dropped, logged) = (try await self.dropped(), try await self.logged())
            return told.reduce(0, +) == dropped && lines.count(where: Self.isCounted) + dropped == logged
        }
        let lines = self.pipe.lines
        let counted = lines.count(where: Self.isCounted)
        let (dropped, logged) = (try await self.dropped(), try await self.logged())
        #expect(isWhole, "\(counted) lines and \(dropped) dropped of \(logged)")
        let ended = try await self.sum(of: ["switchback_logins_finished_total"])
        let told = lines.count { $0["event"]?.string == "login_ended" }
        // As many as fit: a login's end is dropped after what strangers cause.
        #expect(told > 0 && told <= ended)
        self.process.send(SIGTERM)
        #expect(self.process.end())
        self.pipe.read()
        #expect(self.pipe.lines.last?["event"]?.string == "stopped")
        await self.stage.stop()
        return counted
    }

    /// SIGTERM while nobody reads.
    package func endWithoutReader() async throws {
        self.process.send(SIGTERM)
        let isOver = try await eventually { !self.process.isRunning }
        #expect(isOver, "the log holds up the end")
        if !isOver { self.process.terminate() }
        #expect(self.process.status() == 0)
        await self.stage.stop()
    }
}

/// Starts logins and cancels them, several at the same time.
package final class StalledLogLoad: Sendable {
    package struct Tally {
        package var started = 0
        package var ended = 0
        package var longest = Duration.zero

        package var line: String { "\(self.started) logins, the longest request \(self.longest)" }
    }

    private static let atOnce = 4
    private let url: String
    private let counts = Mutex(Tally())

    package init(_ url: String) { self.url = url }

    package var tally: Tally { self.counts.withLock { $0 } }

    /// Runs until `isOver` says so of the number of logins.
    package func run(until isOver: @escaping @Sendable (Int) -> Bool) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.atOnce {
                group.addTask {
                    while !isOver(self.tally.started) { try await self.one() }
                }
            }
            try await group.waitForAll()
        }
    }

    private func one() async throws {
        let app = PhoneApp(self.url)
        self.counts.withLock { $0.started += 1 }
        let statuses = [
            try await self.timed { try await app.create("demo").status },
            try await self.timed { try await app.cancel().status },
        ]
        #expect(statuses == [201, 200])
        self.counts.withLock { $0.ended += 1 }
    }

    private func timed(_ work: () async throws -> Int) async throws -> Int {
        let start = ContinuousClock.now
        let result = try await work()
        let time = ContinuousClock.now - start
        self.counts.withLock { $0.longest = max($0.longest, time) }
        return result
    }
}
