import EndToEndSupport
import Foundation
import Synchronization
import TestSupport
import Testing

/// One server process of a soak, which can be killed, stopped and started again on the same ports.
final class SoakServer: Sendable {
    let port: UInt16
    var url: String { "http://127.0.0.1:\(self.port)" }
    /// The file with the output of its processes, one after the other.
    let log: String
    let operations: UInt16
    private let folder: String
    private let configuration: String
    private let process = Mutex<ChildProcess?>(nil)
    private let killed = Mutex<[Date]>([])
    /// When its processes were killed.
    var kills: [Date] { self.killed.withLock { $0 } }

    /// `yaml` is the configuration that all servers share.
    init(number: Int, port: UInt16? = nil, in folder: String, yaml: String) throws {
        self.port = try port ?? FreePort.find()
        self.operations = try FreePort.find()
        self.folder = folder
        self.log = "\(folder)/server-\(number).log"
        self.configuration = "\(folder)/server-\(number).yaml"
        let own = "listen: 127.0.0.1:\(self.port)\noperations_listen: 127.0.0.1:\(self.operations)\n"
        try (own + yaml).write(toFile: self.configuration, atomically: true, encoding: .utf8)
    }

    /// Starts the process, and returns when it is ready.
    func start() async throws {
        let beside = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "switchback")
        let process = try ChildProcess(
            path: TestTier.soakProgram ?? beside.path, ["serve", "--config", self.configuration], in: self.folder,
            output: self.log)
        self.process.withLock { $0 = process }
        let deadline = Patience.end
        while ContinuousClock.now < deadline, process.isRunning {
            let ready = "http://127.0.0.1:\(self.operations)/readyz"
            if let answer = try? await TestClient.send("GET", ready, within: 2), answer.status == 200 { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        self.kill()
        throw TestClient.Failure(description: "the server does not start: \(self.lastWords)")
    }

    /// Sends SIGKILL. Records an issue if the process has already ended on its own.
    func kill() {
        guard let process = self.take() else { return }
        self.killed.withLock { $0.append(Date()) }
        if !process.isRunning { Issue.record("the server ended on its own: \(self.lastWords)") }
        process.terminate()
        _ = process.end()
    }

    /// Sends SIGTERM, and waits until the process has ended.
    func stop() async throws {
        self.beginToStop()
        try await self.waitForEnd()
    }

    /// Sends SIGTERM, and does not wait.
    func beginToStop() { self.process.withLock { $0?.send(SIGTERM) } }

    /// Waits until the process has ended after `beginToStop`, and checks its status.
    func waitForEnd() async throws {
        guard let process = self.take() else { return }
        let deadline = Patience.end
        while process.isRunning, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(5)) }
        if process.isRunning {
            Issue.record("it does not stop: \(self.lastWords)")
            process.terminate()
        }
        #expect(process.end(), "it ended with an error: \(self.lastWords)")
    }

    /// Waits until `/metrics` counts this many long polls.
    func polls(areHeld count: Int) async throws {
        let deadline = Patience.end
        while ContinuousClock.now < deadline {
            if try await self.metrics().contains("switchback_held_polls \(count)\n") { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw TestClient.Failure(description: "never \(count) held polls")
    }

    /// Returns how many requests to the broker waited in this queue, and how many of them no longer than `bound`: seconds,
    /// as the metric writes them.
    func brokerQueue(_ queue: String, within bound: String) async throws -> (fast: Int, count: Int) {
        let metrics = try await self.metrics()
        func value(_ start: String) -> Int {
            let line = metrics.split(separator: "\n").first { $0.hasPrefix(start) }
            return line.flatMap { Int($0.dropFirst(start.count)) } ?? 0
        }
        let name = "switchback_broker_queue_duration_seconds"
        let labels = "broker=\"main\",queue=\"\(queue)\""
        return (value("\(name)_bucket{\(labels),le=\"\(bound)\"} "), value("\(name)_count{\(labels)} "))
    }

    private func metrics() async throws -> String {
        try await TestClient.send("GET", "http://127.0.0.1:\(self.operations)/metrics").text
    }

    /// Returns the log lines of these events, in their order.
    func events(_ names: String...) -> [[String: Any]] {
        self.text.split(separator: "\n").filter { line in names.contains { line.contains("\"\($0)\"") } }.compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
        }
    }

    /// Returns the seconds to the end of each login that this server took over, from the last of these times before
    /// the takeover. The default is when the server started.
    func takeOverTimes(since times: [Date]? = nil) -> [Double] {
        let reader = ISO8601DateFormatter()
        reader.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        let starts = times ?? self.events("listening").compactMap { ($0["time"] as? String).flatMap(reader.date) }
        var (taken, seconds) = ([:] as [String: Date], [] as [Double])
        for event in self.events("login_taken_over", "login_ended") {
            guard let time = (event["time"] as? String).flatMap(reader.date), let login = event["login"] as? String
            else { continue }
            if event["event"] as? String == "login_taken_over" {
                taken[login] = starts.last { $0 < time }
            } else if let start = taken.removeValue(forKey: login) {
                seconds.append(time.timeIntervalSince(start))
            }
        }
        return seconds
    }

    private var text: String { (try? String(contentsOfFile: self.log, encoding: .utf8)) ?? "" }

    private var lastWords: String { self.text.split(separator: "\n").suffix(5).joined(separator: "\n") }

    private func take() -> ChildProcess? {
        self.process.withLock { $0.take() }
    }
}
