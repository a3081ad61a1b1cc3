import Foundation
import TestSupport
import Testing

/// A proxy with the sample of `docs/how-to/behind-a-proxy.md` as it stands there: only addresses, names of files and
/// what every installation has around it are added.
package struct ProxySample: Sendable, CustomTestStringConvertible {
    package enum Kind: String, Sendable {
        case nginx
        case apache
        case haproxy
    }

    package let kind: Kind
    /// Lines that turn compression on; empty for the sample as it is.
    package var compression = ""
    /// The coding that then comes in spite of `no-transform`.
    package var coding: String?
    /// What is appended to the version in the `ETag`.
    package var suffix = ""

    package var testDescription: String { "\(self.kind.rawValue) \(self.compression)" }

    package static let all = [
        ProxySample(kind: .nginx),
        ProxySample(
            kind: .nginx, compression: "gzip on; gzip_proxied any; gzip_min_length 0; gzip_types application/json;",
            coding: "gzip"),
        ProxySample(kind: .apache),
        ProxySample(kind: .apache, compression: "SetOutputFilter DEFLATE", coding: "gzip", suffix: "-gzip"),
        ProxySample(kind: .apache, compression: "SetOutputFilter BROTLI_COMPRESS", coding: "br", suffix: "-br"),
        ProxySample(kind: .haproxy),
        ProxySample(kind: .haproxy, compression: "compression algo gzip\n    compression type application/json"),
    ]

    private static func page() throws -> String {
        try SourceFile.text("docs/how-to/behind-a-proxy.md")
    }

    /// The sample of the page.
    private func text() throws -> String {
        let parts = try Self.page().components(separatedBy: "```\(self.kind.rawValue)\n")
        guard parts.count == 2, let end = parts[1].range(of: "```") else {
            throw MissingTool(description: "no sample for \(self.kind.rawValue)")
        }
        return String(parts[1][..<end.lowerBound])
    }

    /// Starts the proxy in front of `upstream`. Returns when it listens.
    package func start(_ port: UInt16, upstream: UInt16, _ certificates: TestCertificates) throws -> ChildProcess {
        let home = certificates.folder
        let both = "\(home)/both.pem"
        let pems = try [certificates.certificate(.good), certificates.key(.good)].map {
            try String(contentsOfFile: $0, encoding: .utf8)
        }
        try pems.joined().write(toFile: both, atomically: true, encoding: .utf8)
        var sample = try self.text()
        for (old, new) in [
            ("127.0.0.1:8080", "127.0.0.1:\(upstream)"), ("/etc/ssl/private/login.example.com.both.pem", both),
            ("/etc/ssl/private/login.example.com.pem", certificates.certificate(.good)),
            ("/etc/ssl/private/login.example.com.key", certificates.key(.good)),
            ("listen 443", "listen 127.0.0.1:\(port)"), ("*:443", "127.0.0.1:\(port)"),
            ("bind :443", "bind 127.0.0.1:\(port)"),
            ("login.example.com", "localhost"),
        ] { sample = sample.replacing(old, with: new) }
        let process = try self.run(sample, in: home, port)
        for _ in 0..<1000 where process.isRunning {
            if FreePort.isTaken(port) { return process }
            usleep(10_000)
        }
        let log = (try? String(contentsOfFile: "\(home)/output", encoding: .utf8)) ?? ""
        process.terminate()
        throw MissingTool(description: "\(self.kind.rawValue) does not start: \(log)")
    }

    private func run(_ sample: String, in home: String, _ port: UInt16) throws -> ChildProcess {
        let (tool, arguments, text): (String, [String], String)
        switch self.kind {
        case .nginx:
            let server = sample.replacing("server_name", with: "\(self.compression)\n    server_name")
            let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(home)/\($0);" }
            text = """
                daemon off; master_process off; pid \(home)/nginx.pid; error_log stderr;
                events { worker_connections 1024; }
                http { access_log off; \(paths.joined(separator: " "))
                \(server) }
                """
            (tool, arguments) = ("nginx", ["-p", home, "-c", "proxy.conf", "-e", "stderr"])
        case .apache:
            let modules = [
                "mpm_event", "authz_core", "ssl", "http2", "proxy", "proxy_http", "filter", "deflate", "brotli",
                "socache_shmcb",
            ].map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" }
            let host = sample.replacing("SSLEngine on", with: "SSLEngine on\n\(self.compression)")
            text = """
                ServerRoot \(home)
                PidFile \(home)/apache.pid
                ErrorLog \(home)/output
                Mutex sem
                ServerName localhost
                Listen 127.0.0.1:\(port)
                \(modules.joined(separator: "\n"))
                \(getuid() == 0 ? "User www-data\nGroup www-data" : "")
                \(host)
                """
            (tool, arguments) = ("apache2", ["-DFOREGROUND", "-f", "\(home)/proxy.conf"])
        case .haproxy:
            let backend = sample.replacing(
                "backend switchback\n    mode http", with: "backend switchback\n    mode http\n    \(self.compression)")
            (tool, arguments, text) = ("haproxy", ["-db", "-f", "proxy.conf"], "\(backend)\n")
        }
        try text.write(toFile: "\(home)/proxy.conf", atomically: true, encoding: .utf8)
        return try ChildProcess(tool: tool, arguments, in: home, output: "\(home)/output")
    }
}
