import EndToEndSupport
import Foundation
import HTTPWire
import Sandbox
import TestSupport
import Testing

/// A login as an event stream, from its first state to its last: over sockets, by curl, and through nginx.
@Suite(.blocking) struct EventStreamTests {
    @Test(arguments: ["HTTP/1.1", "HTTP/1.0"]) func `a whole login is told in events`(_ version: String) async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        let reader = try EventReader(app, port: server.port, version: version)
        #expect(await reader.state() == "1 pending")
        let head = try #require(await reader.head.next())
        #expect(head.fields[.contentType] == "text/event-stream")
        #expect(head.fields[.transferEncoding] == (version == "HTTP/1.1" ? "chunked" : nil))
        #expect(head.fields[.contentEncoding] == nil)
        #expect(head.fields[.xAccelBuffering] == "no")
        try await Self.logIn(at: created.nextURL, of: server, seenBy: reader)
        let again = try EventReader(app, port: server.port, lastEventID: "3")
        #expect(await again.head.next()?.status == .noContent)
        await server.stop()
    }

    /// A reader that was cut off continues where it stopped.
    @Test func `a reader that returns misses nothing`() async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        let first = try EventReader(app, port: server.port)
        #expect(await first.state() == "1 pending")
        try await server.polls(areHeld: 1)
        first.leave()
        try await server.polls(areHeld: 0)
        let second = try EventReader(app, port: server.port, lastEventID: "1")
        #expect(await second.head.next()?.status == .ok)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await browser.submit(button: "approve")
        let states = await second.states()
        #expect(states.last == "3 completed" && !states.contains("1 pending"))
        #expect(await (try EventReader(app, port: server.port, lastEventID: "2")).states() == ["3 completed"])
        await server.stop()
    }

    @Test func `a server that stops ends the stream`() async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        _ = try await app.create(BrokerVariant.query.name)
        let reader = try EventReader(app, port: server.port)
        #expect(await reader.state() == "1 pending")
        try await server.polls(areHeld: 1)
        await server.stopServing()
        let last = await reader.blocks.take(2)
        #expect(last.first?.hasPrefix("retry: ") == true, "\(last)")
        #expect(last.last == "end")
        await server.sandbox.close()
    }

    /// What curl shows in a terminal, event by event.
    @Test(.enabled(if: TestTier.isWhole)) func `curl reads the stream`() async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        _ = try await app.create(BrokerVariant.query.name)
        let folder = NSTemporaryDirectory() + "switchback-curl-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let curl = try ChildProcess(
            tool: "curl",
            [
                "-sN", "--max-time", "30", "-H", "Accept: text/event-stream", "-H",
                "Authorization: Bearer \(app.secret)", "\(server.url)/v1/logins/\(app.id ?? "")",
            ], in: folder, output: "\(folder)/output")
        #expect(try await eventually { Self.text(folder).contains("\"status\":\"pending\"") })
        _ = try await app.cancel()
        #expect(curl.end())
        #expect(Self.text(folder).hasPrefix("retry: 2000\n\nid: 1\ndata: {"))
        #expect(Self.text(folder).contains("\n\nid: 2\ndata: {"))
        await server.stop()
    }

    /// nginx with its default buffering on: the response itself tells nginx not to buffer.
    @Test(.enabled(if: TestTier.isWhole)) func `nginx passes the stream on`() async throws {
        let certificates = try TestCertificates()
        let server = try await RunningServer.start([.query])
        let port = try FreePort.find()
        let nginx = try Nginx(
            in: certificates.folder,
            servers: [
                """
                server {
                    listen 127.0.0.1:\(port);
                    location / {
                        proxy_pass http://127.0.0.1:\(server.port);
                        proxy_http_version 1.1;
                        proxy_set_header Connection "";
                        proxy_set_header Host $http_host;
                    }
                }
                """
            ])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        let reader = try EventReader(app, port: port)
        #expect(await reader.state() == "1 pending", "it arrives at once, not when a buffer is full")
        try await Self.logIn(at: created.nextURL, of: server, seenBy: reader)
        nginx.stop()
        await server.stop()
    }

    /// Goes through all states that a reader sees of a login.
    private static func logIn(at url: String?, of server: RunningServer, seenBy reader: EventReader) async throws {
        server.sandbox.pauseTokenEndpoint()
        var browser = try await ScriptedBrowser(opening: try #require(url))
        _ = try await ScriptedBrowser.send(try await browser.callback(of: .query))
        #expect(await reader.state() == "2 exchanging")
        try await server.sandbox.waitForHeldTokenRequests()
        server.sandbox.resumeTokenEndpoint()
        #expect(await reader.states() == ["3 completed"])
    }

    private static func text(_ folder: String) -> String {
        (try? String(contentsOfFile: "\(folder)/output", encoding: .utf8)) ?? ""
    }
}
