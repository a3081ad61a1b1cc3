import Base
import Foundation
import Logging
import ServerConfiguration
import StrictJSON
import Switchback
import Synchronization
import Telemetry
import TestSupport

/// The server that is recorded: made from a configuration file, with a clock that a recording moves, on a real port and
/// a SQLite file. Only this file knows how a server is made.
final class RecordedServer: Sendable {
    let port: UInt16
    let database: String
    let time: PlayedTime
    let lines: LogLines
    private let server: SwitchbackServer

    /// `yaml` is what the configuration says besides where to listen and what to store.
    init(_ yaml: String, _ time: PlayedTime, folder: String) throws {
        let (port, operations) = (try FreePort.find(), try FreePort.find())
        self.port = port
        self.time = time
        self.database = "\(folder)/switchback.db"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let source = """
            public_url: https://login.example.com
            listen: 127.0.0.1:\(port)
            operations_listen: 127.0.0.1:\(operations)
            sqlite: {path: \(self.database)}
            server_keys: [server.key]
            drain_delay: 0
            \(yaml)
            """
        let names = SourceFile.names(in: "Tests/RecordingTests/Keys")
        let files = try names.map { name in
            (name, Array(try SourceFile.text("Tests/RecordingTests/Keys/\(name)").utf8))
        }
        let configuration = try Configuration(
            ConfigurationSource(
                name: "recorded.yaml", yaml: Array(source.utf8), flags: [],
                files: FileAccess(
                    Dictionary(uniqueKeysWithValues: files), isFolder: FileAccess.system.isFolder)))
        let lines = LogLines()
        let logger = Logger(label: "recording") { _ in
            LineLogHandler(.json, level: .debug, now: time.now, write: { lines.add($0) })
        }
        self.lines = lines
        self.server = try SwitchbackServer(
            configuration: configuration, logger: logger, now: time.now, clock: TestSupport.ManualClock())
        _ = try self.server.start()
    }

    /// How many exchanges of a code have ended, by the server's metrics. The log leaves out what repeats.
    var settledCount: Int {
        let counters = [
            "switchback_login_steps_total{step=\"identified\"", "switchback_login_steps_total{step=\"exchange_failed\"",
            "switchback_callbacks_ignored_total",
        ]
        let lines = String(decoding: self.server.exposition(), as: UTF8.self).split(separator: "\n")
        return lines.filter { line in counters.contains { line.hasPrefix($0) } }.reduce(0) { sum, line in
            sum + Int(line.split(separator: " ").last.flatMap { Double($0) } ?? 0)
        }
    }

    func stop() async { await self.server.stop() }
}

/// The log of a recorded server.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    /// The last lines, for the message of a recording that cannot go on.
    var end: String { self.lines.withLock { $0.suffix(12).joined() } }

    func add(_ line: [UInt8]) {
        self.lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
    }
}

/// A time of day that stands still until a recording moves it.
final class PlayedTime: Sendable {
    private let moment = Mutex(Timestamp(seconds: 1_772_366_400))

    var now: @Sendable () -> Timestamp { { self.moment.withLock { $0 } } }

    func move(by seconds: Int) { self.moment.withLock { $0 = $0 + .seconds(seconds) } }
}
