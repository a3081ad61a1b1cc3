import EndToEndSupport
import Foundation
import Sandbox
import TestSupport
import Testing

/// Stopping loses nothing: long polls get the true status, code exchanges finish, and readiness fails first.
@Suite(.blocking) struct StoppingTests {
    @Test func `long polls are answered and exchanges finish`() async throws {
        let server = try await RunningServer.start([.query])
        let waiting = try await Self.apps(20, of: server).map { app in Task { try await app.poll(wait: 25) } }
        let inExchange = try await Self.apps(5, of: server)
        server.sandbox.pauseTokenEndpoint()
        for app in inExchange {
            let created = try await app.create(BrokerVariant.query.name)
            var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
            // The test does not follow the redirect: the page would wait for the end.
            _ = try await ScriptedBrowser.send(try await browser.callback(of: .query))
        }
        try await server.sandbox.waitForHeldTokenRequests(5)
        try await server.polls(areHeld: 20)

        async let stopped: Void = server.stopServing()
        for poll in waiting {
            let answer = try await poll.value
            #expect(answer.status == 200)
            #expect(answer.json?["status"]?.string == "pending", "the true status, with no wait")
        }
        server.sandbox.resumeTokenEndpoint()
        await stopped
        let ends = server.log.text.split(separator: "\n").filter {
            $0.contains("login_ended") && $0.contains("completed")
        }
        #expect(ends.count == 5)
        await server.sandbox.close()
    }

    /// A request that is half sent when the stop begins gets its response, and its login finishes.
    @Test func `a callback that comes late is completed`() async throws {
        let server = try await RunningServer.start([.formPost])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.formPost.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        let callback = try await browser.callback(of: .formPost)
        let head = """
            POST \(callback.url.dropFirst(server.url.count)) HTTP/1.1\r
            Host: 127.0.0.1\r
            Connection: close\r
            Content-Type: application/x-www-form-urlencoded\r
            Content-Length: \(callback.body.count)\r
            Expect: 100-continue\r
            \r

            """
        let connection = try TestClient.connect(port: server.port)
        defer { close(connection) }
        try TestClient.write(Array(head.utf8), to: connection)
        var first: UInt8 = 0
        #expect(recv(connection, &first, 1, 0) == 1, "100 Continue: the head has been read")
        server.sandbox.pauseTokenEndpoint()
        async let stopped: Void = server.stopServing()
        try await server.refusesConnections()
        try TestClient.write(callback.body, to: connection)
        try await server.sandbox.waitForHeldTokenRequests()
        server.sandbox.resumeTokenEndpoint()
        await stopped
        let ends = server.log.text.split(separator: "\n").filter { $0.contains("login_ended") }
        #expect(ends.count == 1 && ends.allSatisfy { $0.contains("completed") }, "\(ends)")
        await server.sandbox.close()
    }

    @Test func `readiness fails while connections are still served`() async throws {
        let server = try await RunningServer.start([.query], drainDelay: 1)
        #expect(try await TestClient.send("GET", "\(server.operations)/readyz").status == 200)
        async let stopped: Void = server.stopServing()
        try await server.readiness(becomes: 503)
        let app = PhoneApp(server.url)
        #expect(try await app.create(BrokerVariant.query.name).status == 201)
        #expect(try await TestClient.send("GET", "\(server.operations)/livez").status == 200)
        await stopped
        await #expect(throws: TestClient.Failure.self) { try await app.poll() }
        await server.sandbox.close()
    }

    /// The delay is five minutes of the server's own clock, and ends when that clock says so.
    @Test(arguments: [-3600, 0, 3600])
    func `the time of day does not change how long a stop lasts`(_ step: Int) async throws {
        let waiting = ManualClock()
        let server = try await RunningServer.start([.query], drainDelay: 300, waiting: waiting)
        async let stopped: Void = server.stopServing()
        try #require(try await waiting.sleepers(reach: 1))
        server.clock.advance(by: .seconds(step))
        #expect(try await TestClient.send("GET", "\(server.operations)/readyz").status == 503)
        waiting.advance(by: .seconds(299))
        #expect(try await TestClient.send("GET", "\(server.url)/v1/providers").status == 200, "it still serves")
        waiting.advance(by: .seconds(1))
        await stopped
        await #expect(throws: TestClient.Failure.self) {
            try await TestClient.send("GET", "\(server.url)/v1/providers")
        }
        await server.sandbox.close()
    }

    private static func apps(_ count: Int, of server: RunningServer) async throws -> [PhoneApp] {
        var apps: [PhoneApp] = []
        for _ in 0..<count {
            let app = PhoneApp(server.url)
            _ = try await app.create(BrokerVariant.query.name)
            apps.append(app)
        }
        return apps
    }
}
