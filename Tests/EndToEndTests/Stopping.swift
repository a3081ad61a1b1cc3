/// Stopping loses nothing: held polls are answered with what is true, exchanges finish, readiness fails first.
import JOSE
import Sandbox
import Testing

@Suite struct Stopping {
    @Test func heldPollsAreAnsweredAndExchangesFinish() async throws {
        let server = try await RunningServer.start([.query])
        let waiting = try await Self.apps(20, of: server).map { app in Task { try await app.poll(wait: 25) } }
        let inExchange = try await Self.apps(5, of: server)
        server.sandbox.pauseTokenEndpoint()
        for app in inExchange {
            let created = try await app.create(BrokerVariant.query.name)
            var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
            // The page is not followed: it would wait a while for the end.
            _ = try await ScriptedBrowser.send(try await browser.callback(of: .query))
        }
        await server.sandbox.tokenRequestsAreHeld(5)
        try await server.polls(areHeld: 20)

        async let stopped: Void = server.stopServing()
        for poll in waiting {
            let answer = try await poll.value
            #expect(answer.status == 200)
            #expect(answer.json?["status"]?.string == "pending", "what is true, and ask again")
        }
        server.sandbox.resumeTokenEndpoint()
        await stopped
        let ends = server.log.text.split(separator: "\n").filter {
            $0.contains("login_ended") && $0.contains("completed")
        }
        #expect(ends.count == 5)
        await server.sandbox.close()
    }

    @Test func readinessFailsWhileConnectionsAreStillServed() async throws {
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

extension RunningServer {
    /// Returns when so many polls are held, as the metrics tell it.
    func polls(areHeld count: Int) async throws {
        try await self.eventually("\(count) held polls") {
            try await TestClient.send("GET", "\(self.operations)/metrics").text.contains(
                "switchback_held_polls \(count)\n")
        }
    }

    func readiness(becomes status: Int) async throws {
        try await self.eventually("readyz \(status)") {
            try await TestClient.send("GET", "\(self.operations)/readyz").status == status
        }
    }

    private func eventually(_ what: String, _ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            if try await condition() { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw TestClient.Failure(description: "never: \(what)")
    }
}
