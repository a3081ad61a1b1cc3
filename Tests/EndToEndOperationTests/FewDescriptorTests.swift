import EndToEndSupport
import EventLoop
import Foundation
import TestSupport
import Testing

/// The program with few file descriptors, or none left: it answers probes, code exchanges finish, and the log names the
/// shortage.
@Suite(.blocking) struct FewDescriptorTests {
    /// 400 idle connections to a server that may have 256 descriptors.
    @Test func `probes and an exchange are answered among idle connections`() async throws {
        _ = Descriptors.raiseLimit()
        let stage = try DurableStage()
        let process = try await stage.serve(by: ["/bin/sh", "-c", "ulimit -n 256; exec \"$@\"", "sh"])
        let app = PhoneApp(stage.url)
        var browser = try await ScriptedBrowser(opening: try #require(try await app.create("demo").nextURL))
        stage.sandbox.pauseTokenEndpoint()
        _ = try await ScriptedBrowser.send(try await browser.callback(of: .query))
        try await stage.sandbox.waitForHeldTokenRequests()
        let poll = Task { try await app.poll(wait: 25) }
        #expect(try await eventually { try await Self.metrics(stage).contains("switchback_held_polls 1\n") })

        let idle = try (0..<400).map { _ in try TestClient.connect(port: stage.appPort) }
        defer { for descriptor in idle { close(descriptor) } }
        #expect(try await eventually { try await Self.metrics(stage).contains("cause=\"too_many_connections\"") })
        for path in ["livez", "readyz", "livez"] {
            #expect(try await TestClient.send("GET", "\(stage.operations)/\(path)").status == 200)
        }
        stage.sandbox.resumeTokenEndpoint()
        #expect(try await poll.value.json?["status"]?.string == "completed")
        let metrics = try await Self.metrics(stage)
        #expect(metrics.contains("process_max_fds 256\n"))
        let exhausted = metrics.split(separator: "\n").filter {
            $0.hasPrefix("switchback_descriptors_exhausted_total") && !$0.hasSuffix(" 0")
        }
        #expect(exhausted == [], "the descriptor budget prevents that")
        _ = try await stage.says("descriptors_limited")
        process.send(SIGTERM)
        #expect(process.end())
        await stage.stop()
    }

    /// Without a free descriptor no request reaches the broker, and that does not count as the broker's outage.
    @Test func `a shortage is not the broker's outage`() async throws {
        let stage = try DurableStage()
        try stage.configure(DurableStage.immediate, broker: ", timeout: 1, request_style: par")
        let process = try await stage.serve()
        let app = PhoneApp(stage.url)
        let link = try #require(try await app.create("demo").nextURL)
        let browser = try Self.connect(to: stage)
        defer { close(browser) }
        try await Self.takeDescriptors(of: process)
        let answer = try Self.get(link, on: browser, stage)
        #expect(answer.hasPrefix("HTTP/1.1 503"))
        #expect(answer.contains("Retry-After: "))
        for _ in 0..<3 {
            #expect(try await TestClient.send("GET", "\(stage.operations)/livez").status == 200)
        }
        let metrics = try await Self.metrics(stage)
        #expect(metrics.contains("switchback_descriptors_exhausted_total{opener=\"broker\"}"))
        #expect(!metrics.contains("switchback_broker_up{broker=\"main\"} 0"), "no request reached it")
        _ = try await stage.says("descriptors_exhausted")
        #expect(!stage.log.contains("unreachable"))
        try Self.giveDescriptors(to: process)
        #expect(try await eventually { try await TestClient.send("GET", link).status == 303 })
        process.send(SIGTERM)
        #expect(process.end())
        await stage.stop()
    }

    /// This create sends a request to the broker before it responds.
    @Test func `a shortage during a create is our own`() async throws {
        let stage = try DurableStage()
        try stage.configure(
            DurableStage.immediate, provider: ", authorize: direct", broker: ", timeout: 1, request_style: par")
        let process = try await stage.serve()
        let connection = try Self.connect(to: stage)
        defer { close(connection) }
        try await Self.takeDescriptors(of: process)
        let body = "{\"provider\":\"demo\"}"
        let head = "POST /v1/logins HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n"
        let answer = try Self.ask(head, body, on: connection)
        #expect(answer.hasPrefix("HTTP/1.1 503"))
        #expect(answer.contains("Retry-After: ") && answer.contains("\"temporarily_unavailable\""), "\(answer)")
        try Self.giveDescriptors(to: process)
        #expect(try await PhoneApp(stage.url).create("demo").status == 201)
        process.send(SIGTERM)
        #expect(process.end())
        await stage.stop()
    }

    /// The code has arrived, and for a while there is no descriptor to send it with.
    @Test func `an exchange waits for a descriptor`() async throws {
        let stage = try DurableStage()
        let first = try await stage.serve()
        let app = PhoneApp(stage.url)
        var browser = try await ScriptedBrowser(opening: try #require(try await app.create("demo").nextURL))
        let callback = try await browser.callback(of: .query)
        first.send(SIGTERM)
        #expect(first.end())
        // A new process has no connection to the broker yet.
        let process = try await stage.serve()
        let connection = try Self.connect(to: stage)
        defer { close(connection) }
        try await Self.takeDescriptors(of: process)
        let answered = Task.detached { try Self.get(callback.url, on: connection, stage) }
        #expect(try await eventually { stage.log.contains("descriptors_exhausted") })
        try Self.giveDescriptors(to: process)
        #expect(try await answered.value.hasPrefix("HTTP/1.1 303"))
        let answer = try await app.poll(wait: 25)
        #expect(answer.json?["status"]?.string == "completed", "\(answer.text)\n\(stage.log)")
        process.send(SIGTERM)
        #expect(process.end())
        await stage.stop()
    }

    // MARK: - The limit of another process

    /// Lowers the limit until every number below it is taken, also after lingering connections are gone.
    private static func takeDescriptors(of process: ChildProcess) async throws {
        var (limit, since) = (Int.max, ContinuousClock.now)
        // The server keeps a connection that it closes for at most one second.
        while ContinuousClock.now < since + .seconds(2) {
            let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.id)/fd")
            let taken = Set(names.compactMap(Int.init))
            let free = (0...).first { !taken.contains($0) } ?? 0
            if free < limit {
                try Self.limit(process, to: free)
                (limit, since) = (free, .now)
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private static func giveDescriptors(to process: ChildProcess) throws { try Self.limit(process, to: 1024) }

    /// Changes the soft limit only, so that the test can raise it again.
    private static func limit(_ process: ChildProcess, to count: Int) throws {
        let tool = try ChildProcess(tool: "prlimit", ["--pid", "\(process.id)", "--nofile=\(count):"], in: "/")
        #expect(tool.end())
    }

    // MARK: - Requests

    private static func metrics(_ stage: DurableStage) async throws -> String {
        try await TestClient.send("GET", "\(stage.operations)/metrics").text
    }

    /// Sends a request on an open connection.
    private static func get(_ url: String, on connection: Int32, _ stage: DurableStage) throws -> String {
        try Self.ask("GET \(url.dropFirst(stage.url.count)) HTTP/1.1\r\n", on: connection)
    }

    /// Returns a connection that the server has accepted: it has responded to a request on it.
    private static func connect(to stage: DurableStage) throws -> Int32 {
        let connection = try TestClient.connect(port: stage.appPort)
        try TestClient.write(Array("HEAD /v1/providers HTTP/1.1\r\nHost: a\r\n\r\n".utf8), to: connection)
        var head = ""
        var byte: UInt8 = 0
        while !head.hasSuffix("\r\n\r\n"), recv(connection, &byte, 1, 0) == 1 {
            head.unicodeScalars.append(Unicode.Scalar(byte))
        }
        #expect(head.hasPrefix("HTTP/1.1 200"))
        return connection
    }

    private static func ask(_ head: String, _ body: String = "", on connection: Int32) throws -> String {
        try TestClient.write(Array("\(head)Host: a\r\nConnection: close\r\n\r\n\(body)".utf8), to: connection)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(connection, &buffer, buffer.count, 0), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
