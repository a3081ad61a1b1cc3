import Foundation
import BenchmarkSupport
import TestSupport

/// A server in a separate process, and the resources that the process has used.
final class RunningServer {
    let peer: Peer
    let port: UInt16
    let folder: String
    let process: ChildProcess
    /// From the start of the process until it accepts a connection.
    private(set) var startSeconds = Double.nan
    private var isStopped = false

    /// The paths of the programs that are built rather than installed.
    struct Programs {
        let switchback: String
        /// Nil in the short form, which does not build it.
        let hummingbird: String?
        /// This program, which runs Switchback with a clock that can be moved.
        let own: String
    }

    /// `cores` is in the format of taskset(1). With `isClocked`, SIGUSR1 moves the clock of Switchback.
    init(
        _ peer: Peer, _ programs: Programs, cores: String = "0,1", store: String = "memory", isClocked: Bool = false,
        isTLS: Bool = false
    ) throws {
        self.peer = peer
        self.port = try FreePort.find()
        self.folder = NSTemporaryDirectory() + "switchback-benchmark-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
        if isTLS { try Settings.certificate(in: self.folder) }
        let command: [String]
        switch peer {
        case .switchback:
            try Settings.switchback(
                self.port, operations: try FreePort.find(), in: self.folder, store: store, isTLS: isTLS)
            let file = "\(self.folder)/switchback.yaml"
            command = isClocked ? [programs.own, "serve", file] : [programs.switchback, "serve", "--config", file]
        case .nginx:
            try Settings.nginx(self.port, in: self.folder, isTLS: isTLS)
            command = [Peer.nginxPath, "-p", self.folder, "-c", "nginx.conf", "-e", "error.log"]
        case .hummingbird:
            guard let program = programs.hummingbird else {
                throw Wires.Failure(description: "the Hummingbird app is not built")
            }
            command = [program, "\(self.port)"]
        }
        let start = CPUTime.wallSeconds
        self.process = try ChildProcess(
            tool: "taskset", ["-c", cores] + command, in: self.folder, output: "\(self.folder)/log")
        try self.waitUntilOpen()
        self.startSeconds = CPUTime.wallSeconds - start
    }

    private func waitUntilOpen() throws {
        for _ in 0..<20_000 where self.process.isRunning {
            if (try? Wires(port: self.port).connect()) != nil { return }
            usleep(500)
        }
        let log = (try? String(contentsOfFile: "\(self.folder)/log", encoding: .utf8)) ?? ""
        self.stop()
        throw Wires.Failure(description: "\(self.peer.rawValue) does not start: \(log)")
    }

    /// After an error nobody calls `stop`.
    deinit { self.stop() }

    func stop() {
        guard !self.isStopped else { return }
        self.isStopped = true
        self.process.terminate()
        _ = self.process.end()
        try? FileManager.default.removeItem(atPath: self.folder)
    }

    /// In steps of 10 ms.
    var cpuSeconds: Double { ProcessStat(self.process.id)?.cpuSeconds ?? .nan }

    /// The process's own memory, and its share of shared memory.
    var pssBytes: Double { self.memory("Pss:") }

    /// The memory that is no part of a file.
    var anonymousBytes: Double { self.memory("Pss_Anon:") }

    private func memory(_ kind: String) -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(self.process.id)/smaps_rollup", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(kind) } ?? ""
        return (Double(line.dropFirst(kind.count).dropLast(2).filter { $0.isNumber }) ?? .nan) * 1024
    }

    /// Waits until the process has used no CPU time for half a second.
    func waitUntilIdle() {
        var (before, quiet) = (self.cpuSeconds, 0)
        for _ in 0..<300 where quiet < 5 {
            usleep(100_000)
            let now = self.cpuSeconds
            quiet = now == before ? quiet + 1 : 0
            before = now
        }
    }
}
