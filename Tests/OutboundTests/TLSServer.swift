// nginx on loopback with certificates of a private authority, each on a port of its own.

import Foundation
import Glibc
import Testing

final class TLSServer: Sendable {
    /// What is wrong with the server, if anything.
    enum Port: String, CaseIterable {
        case good, unknownAuthority, otherName, expired, notYet, selfSigned, oldProtocol, oldest, plain
    }

    struct Unavailable: Error, CustomStringConvertible { let description: String }

    let folder: String
    private let ports: [Port: UInt16]
    private let nginx: ChildProcess

    var authority: String { "\(self.folder)/authority.pem" }

    init() throws {
        let folder = NSTemporaryDirectory() + "switchback-tls-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        self.folder = folder
        do {
            try Certificates(folder: folder).make()
            (self.ports, self.nginx) = try Self.launch(folder)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    func url(_ port: Port, host: String = "localhost") -> String { "https://\(host):\(self.ports[port] ?? 0)/" }

    func stop() {
        self.nginx.terminate()
        _ = self.nginx.end()
        try? FileManager.default.removeItem(atPath: self.folder)
    }

    // MARK: - Start

    /// Both, or why not.
    static var missing: String? {
        let tools = ["nginx", "openssl"].filter { Self.path($0) == nil }
        return tools.isEmpty ? nil : "not installed: \(tools.joined(separator: ", "))"
    }

    private static func path(_ tool: String) -> String? {
        ["/usr/sbin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + tool }
            .first { access($0, X_OK) == 0 }
    }

    static func start(_ tool: String, _ arguments: [String], in folder: String) throws -> ChildProcess {
        guard let path = self.path(tool) else { throw Unavailable(description: "\(tool) is not installed") }
        return try ChildProcess(path, arguments, in: folder)
    }

    /// On ports that the system gives nobody unasked, so that no other test takes one in between.
    private static func launch(_ folder: String) throws -> ([Port: UInt16], ChildProcess) {
        for _ in 0..<5 {
            let first = UInt16.random(in: 20_000..<32_000)
            let ports = Dictionary(uniqueKeysWithValues: zip(Port.allCases, first...))
            let text = self.configuration(folder, ports)
            try text.write(toFile: "\(folder)/nginx.conf", atomically: true, encoding: .utf8)
            let nginx = try self.start("nginx", ["-p", folder, "-c", "nginx.conf", "-e", "error.log"], in: folder)
            if self.isReady(nginx, folder) { return (ports, nginx) }
            nginx.terminate()
            _ = nginx.end()
        }
        let log = (try? String(contentsOfFile: "\(folder)/error.log", encoding: .utf8)) ?? ""
        throw Unavailable(description: "nginx does not start: \(log)")
    }

    /// nginx writes its number once it listens.
    private static func isReady(_ nginx: ChildProcess, _ folder: String) -> Bool {
        for _ in 0..<1000 where nginx.isRunning {
            if access("\(folder)/nginx.pid", F_OK) == 0 { return true }
            usleep(10_000)
        }
        return false
    }

    private static func configuration(_ folder: String, _ ports: [Port: UInt16]) -> String {
        let servers = ports.map { port, number in
            let tls = port == .plain ? "" : "ssl"
            let certificate = [.oldProtocol, .oldest, .plain].contains(port) ? "good" : port.rawValue
            let protocols =
                switch port {
                case .oldProtocol: "TLSv1.1"
                case .oldest: "TLSv1"
                default: "TLSv1.2 TLSv1.3"
                }
            return """
                server {
                    listen 127.0.0.1:\(number) \(tls);
                    ssl_certificate \(folder)/\(certificate).pem;
                    ssl_certificate_key \(folder)/\(certificate).key;
                    ssl_protocols \(protocols);
                    ssl_ciphers DEFAULT@SECLEVEL=0;
                    location / { return 200 "fine"; }
                }
                """
        }
        return """
            daemon off;
            master_process off;
            worker_processes 1;
            pid \(folder)/nginx.pid;
            error_log \(folder)/error.log;
            events { worker_connections 1024; }
            http {
                access_log off;
                client_body_temp_path \(folder)/body;
                proxy_temp_path \(folder)/proxy;
                fastcgi_temp_path \(folder)/fastcgi;
                uwsgi_temp_path \(folder)/uwsgi;
                scgi_temp_path \(folder)/scgi;
                \(servers.joined(separator: "\n"))
            }
            """
    }
}

/// Starts one for a suite and stops it afterwards.
struct WithTLSServer: SuiteTrait, TestScoping {
    @TaskLocal static var current: Result<TLSServer, any Error>?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let server = Result { try TLSServer() }
        defer { try? server.get().stop() }
        try await Self.$current.withValue(server) { try await function() }
    }
}
