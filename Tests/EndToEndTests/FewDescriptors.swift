/// The program with few file descriptors, or none left: probes are answered, exchanges end, and the log says what is short.
import EventLoop
import Foundation
import TestSupport
import Testing

@Suite(.blocking) struct FewDescriptors {
    /// 400 idle connections at a server that may have 256 descriptors.
    @Test func probesAndAnExchangeAnswerAmongIdleConnections() async throws {
        _ = Descriptors.raiseLimit()
        let stage = try DurableStage()
        let process = try await stage.serve(by: ["/bin/sh", "-c", "ulimit -n 256; exec \"$@\"", "sh"])
        let app = PhoneApp(stage.url)
        var browser = try await ScriptedBrowser(opening: try #require(try await app.create("demo").nextURL))
        stage.sandbox.pauseTokenEndpoint()
        _ = try await ScriptedBrowser.send(try await browser.callback(of: .query))
        await stage.sandbox.tokenRequestsAreHeld()
        let poll = Task { try await app.poll(wait: 25) }
        #expect(try await eventually { try await Self.metrics(stage).contains("switchback_held_polls 1\n") })

        let idle = try (0..<400).map { _ in try TestClient.connect(port: stage.appPort) }
        defer { for descriptor in idle { close(descriptor) } }
        #expect(try await eventually { try await Self.metrics(stage).contains("cause=\"too_many_connections\"") })
        for path in ["livez", "readyz", "livez"] {
            #expect(try await TestClient.send("GET", "\(stage.operations)/\(path)", within: 5).status == 200)
        }
        stage.sandbox.resumeTokenEndpoint()
        #expect(try await poll.value.json?["status"]?.string == "completed")
        let metrics = try await Self.metrics(stage)
        #expect(metrics.contains("process_max_fds 256\n"))
        #expect(!metrics.contains("switchback_descriptors_exhausted_total{"), "the budget keeps it from that")
        #expect(stage.log.contains("descriptors_limited"))
        process.send(SIGTERM)
        #expect(process.end())
        await stage.stop()
    }

    /// No descriptor is left at all, and none of them is the broker's fault.
    @Test func aShortageIsNotTheBrokersOutage() async throws {
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
            #expect(try await TestClient.send("GET", "\(stage.operations)/livez", within: 5).status == 200)
        }
        let metrics = try await Self.metrics(stage)
        #expect(metrics.contains("switchback_descriptors_exhausted_total{opener=\"broker\"}"))
        #expect(!metrics.contains("switchback_broker_up{broker=\"main\"} 0"), "nobody asked it")
        #expect(stage.log.contains("descriptors_exhausted"))
        #expect(!stage.log.contains("unreachable"))
        try Self.giveDescriptors(to: process)
        #expect(try await eventually { try await TestClient.send("GET", link).status == 303 })
        process.send(SIGTERM)
        #expect(process.end())
        await stage.stop()
    }

    /// A create that asks the broker first.
    @Test func aShortageDuringACreateIsOurs() async throws {
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

    /// The code has come, and there is nothing to send it with for a while.
    @Test func anExchangeWaitsForADescriptor() async throws {
        let stage = try DurableStage()
        let first = try await stage.serve()
        let app = PhoneApp(stage.url)
        var browser = try await ScriptedBrowser(opening: try #require(try await app.create("demo").nextURL))
        let callback = try await browser.callback(of: .query)
        first.send(SIGTERM)
        #expect(first.end())
        // A process that has no connection to the broker yet.
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

    /// Lowers the limit so that every number below it is taken, also when connections that linger have gone.
    private static func takeDescriptors(of process: ChildProcess) async throws {
        var (limit, since) = (Int.max, ContinuousClock.now)
        // The server keeps a connection that it closes for a second at most.
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

    /// The soft limit only, so that it can be raised again.
    private static func limit(_ process: ChildProcess, to count: Int) throws {
        let tool = try ChildProcess(tool: "prlimit", ["--pid", "\(process.id)", "--nofile=\(count):"], in: "/")
        #expect(tool.end())
    }

    // MARK: - Requests

    private static func metrics(_ stage: DurableStage) async throws -> String {
        try await TestClient.send("GET", "\(stage.operations)/metrics", within: 5).text
    }

    /// On a connection that is there already.
    private static func get(_ url: String, on connection: Int32, _ stage: DurableStage) throws -> String {
        try Self.ask("GET \(url.dropFirst(stage.url.count)) HTTP/1.1\r\n", on: connection)
    }

    /// A connection that the server has accepted: it has answered a request on it.
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
