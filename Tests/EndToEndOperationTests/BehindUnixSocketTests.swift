import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// The program on Unix sockets behind a proxy on the same machine: client addresses, readiness, and the socket files.
@Suite(.blocking) struct BehindUnixSocketTests {
    private static func settings(_ trusted: String = "unix") -> String {
        """
        proxy: {header: x-forwarded-for, trusted: [\(trusted)]}
        limits: {create_per_address_per_minute: 1, create_per_app_per_minute: 0}
        \(DurableStage.immediate)
        """
    }

    @Test func `clients are those that the proxy names`() async throws {
        try await Self.withStage { stage, folder in
            #expect(try !Self.isReady(folder, stage), "nothing listens yet")
            #expect(stage.log.contains("not ready: cannot connect to \(folder)/operations.sock: No such file"))
            let process = try await Self.serve(stage, folder)
            _ = try await stage.says("\"socket\":\"\(folder)/http.sock\"")
            _ = try await stage.says("\"operations_socket\":\"\(folder)/operations.sock\"")
            for (clients, status) in [
                ("192.0.2.7", 201), ("192.0.2.7", 429), ("192.0.2.7, 192.0.2.8", 201), ("2001:db8::7", 201),
                // The proxy names no client address, so all these clients share one limit.
                ("", 201), ("unknown", 429), ("192.0.2.9, unix:", 429),
            ] {
                let answer = try await RawExchange.send(Self.create(clients)) {
                    try TestClient.connect(path: "\(folder)/http.sock")
                }
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "behind \(clients)")
            }
            process.send(SIGTERM)
            #expect(process.end())
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        }
    }

    @Test func `a killed server is succeeded by the next`() async throws {
        try await Self.withStage { stage, folder in
            let first = try await Self.serve(stage, folder)
            let rival = try stage.start(Self.flags(folder))
            #expect(!rival.end())
            #expect(stage.log.contains("unix:\(folder)/http.sock is in use by another program"), "\(stage.log)")
            first.send(SIGKILL)
            #expect(!first.end())
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
            let second = try await Self.serve(stage, folder)
            second.send(SIGTERM)
            #expect(second.end())
        }
    }

    /// Nothing would tell the server who its clients are, so it does not start. `check` reports the same.
    @Test(arguments: ["check", "serve"])
    func `without trust in a proxy the server does not start`(_ command: String) async throws {
        try await Self.withStage(trusted: "127.0.0.1") { stage, folder in
            let words = [
                command, "--config", "\(stage.folder)/switchback.yaml", "--listen", "unix:\(folder)/http.sock",
            ]
            let process = try ChildProcess(
                path: DurableStage.binary, words, in: stage.folder, output: "\(stage.folder)/output")
            #expect(!process.end())
            #expect(stage.log.contains("listen: is a Unix socket, where no client has an address"), "\(stage.log)")
        }
    }

    @Test(.enabled(if: TestTier.isWhole, "takes nginx and curl"))
    func `nginx forwards to the Unix socket`() async throws {
        try await Self.withStage { stage, folder in
            let process = try await Self.serve(stage, folder)
            let nginx = try Nginx(
                in: folder,
                servers: [
                    """
                    server {
                        listen 127.0.0.1:\(stage.appPort);
                        location / {
                            proxy_pass http://unix:\(folder)/http.sock;
                            proxy_http_version 1.1;
                            proxy_set_header Host $http_host;
                            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                        }
                    }
                    """
                ])
            for (client, status) in [("127.0.0.5", "201"), ("127.0.0.5", "429"), ("127.0.0.6", "201")] {
                let curl = try ChildProcess(
                    tool: "curl",
                    [
                        "-s", "--interface", client, "-H", "X-Forwarded-For: 192.0.2.\(Int.random(in: 1...254))", "-H",
                        "Content-Type: application/json", "-d", "{\"provider\": \"demo\"}", "-o", "/dev/null", "-w",
                        "%{http_code}", "\(stage.url)/v1/logins",
                    ], in: folder, output: "\(folder)/status")
                #expect(curl.end())
                #expect(try String(contentsOfFile: "\(folder)/status", encoding: .utf8) == status, "from \(client)")
                try FileManager.default.removeItem(atPath: "\(folder)/status")
            }
            nginx.stop()
            process.send(SIGTERM)
            #expect(process.end())
        }
    }

    // MARK: Parts

    private static func withStage(
        trusted: String = "unix", _ body: (DurableStage, String) async throws -> Void
    ) async throws {
        let folder = try UnixSocket.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let stage = try DurableStage(Self.settings(trusted), store: "store: memory")
        try await body(stage, folder)
        await stage.stop()
    }

    private static func flags(_ folder: String) -> [String] {
        ["--listen", "unix:\(folder)/http.sock", "--operations-listen", "unix:\(folder)/operations.sock"]
    }

    private static func serve(_ stage: DurableStage, _ folder: String) async throws -> ChildProcess {
        let process = try stage.start(Self.flags(folder))
        #expect(try await eventually { try !process.isRunning || Self.isReady(folder, stage) })
        try #require(process.isRunning, "\(stage.log)")
        return process
    }

    /// Runs the readiness check of a container.
    private static func isReady(_ folder: String, _ stage: DurableStage) throws -> Bool {
        try ChildProcess(
            path: DurableStage.binary, ["health", "--operations-listen", "unix:\(folder)/operations.sock"], in: folder,
            output: "\(stage.folder)/output"
        ).end()
    }

    private static func create(_ clients: String) -> String {
        let body = "{\"provider\": \"demo\"}"
        return """
            POST /v1/logins HTTP/1.1\r
            Host: a\r
            Connection: close\r
            Content-Type: application/json\r
            X-Forwarded-For: \(clients)\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """
    }
}
