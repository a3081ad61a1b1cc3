import Foundation

/// nginx on loopback, as one process, with its files in a given folder.
package final class Nginx: Sendable {
    private let process: ChildProcess
    private let log: String

    /// Returns when nginx listens. `servers` are its server blocks.
    package init(in folder: String, servers: [String]) throws {
        let name = "nginx-\(UInt32.random(in: 0 ... .max))"
        let home = "\(folder)/\(name)"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        let text = Self.configuration(home, servers)
        try text.write(toFile: "\(home)/nginx.conf", atomically: true, encoding: .utf8)
        self.log = "\(home)/error.log"
        self.process = try ChildProcess(tool: "nginx", ["-p", home, "-c", "nginx.conf", "-e", "error.log"], in: home)
        guard self.listens(home) else {
            let log = (try? String(contentsOfFile: self.log, encoding: .utf8)) ?? ""
            self.stop()
            throw MissingTool(description: "nginx does not start: \(log)")
        }
    }

    package func stop() {
        self.process.terminate()
        _ = self.process.end()
    }

    /// nginx writes its pid file once it listens.
    private func listens(_ home: String) -> Bool {
        for _ in 0..<1000 where self.process.isRunning {
            if access("\(home)/nginx.pid", F_OK) == 0 { return true }
            usleep(10_000)
        }
        return false
    }

    private static func configuration(_ home: String, _ servers: [String]) -> String {
        """
        daemon off;
        master_process off;
        worker_processes 1;
        pid \(home)/nginx.pid;
        error_log \(home)/error.log;
        events { worker_connections 1024; }
        http {
            access_log off;
            client_body_temp_path \(home)/body;
            proxy_temp_path \(home)/proxy;
            fastcgi_temp_path \(home)/fastcgi;
            uwsgi_temp_path \(home)/uwsgi;
            scgi_temp_path \(home)/scgi;
            \(servers.joined(separator: "\n"))
        }
        """
    }
}
