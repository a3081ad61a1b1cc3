import Foundation

/// HAProxy on loopback in front of a server, which it connects to with `options`.
package final class HAProxyFront: Sendable {
    package let port: UInt16
    private let folder: String
    private let process: ChildProcess

    /// Returns when HAProxy accepts connections. `options` belong to its `server` line, such as `send-proxy`.
    package init(upstream: UInt16, options: String) throws {
        self.port = try FreePort.find()
        self.folder = NSTemporaryDirectory() + "haproxy-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
        let text = """
            defaults
                mode tcp
                timeout connect 5s
                timeout client 30s
                timeout server 30s
            listen front
                bind 127.0.0.1:\(self.port)
                server behind 127.0.0.1:\(upstream) \(options)

            """
        try text.write(toFile: "\(self.folder)/haproxy.cfg", atomically: true, encoding: .utf8)
        self.process = try ChildProcess(tool: "haproxy", ["-db", "-f", "haproxy.cfg"], in: self.folder)
        guard self.listens() else {
            self.stop()
            throw MissingTool(description: "haproxy does not start")
        }
    }

    package func stop() {
        self.process.terminate()
        _ = self.process.end()
        try? FileManager.default.removeItem(atPath: self.folder)
    }

    private func listens() -> Bool {
        for _ in 0..<1000 where self.process.isRunning {
            if FreePort.isTaken(self.port) { return true }
            usleep(10_000)
        }
        return false
    }
}
