import Base
import EndToEndSupport
import Sandbox
import StrictJSON
import Testing

/// Many logins, callbacks and polls at the same time.
@Suite struct ManyAtOnceTests {
    @Test func `of a hundred apps, each gets its own result`() async throws {
        let people = SandboxIdentity.all
        let server = try await RunningServer.start([.query])
        let results = try await withThrowingTaskGroup(of: (Int, JSON).self) { group in
            for number in 0..<100 {
                group.addTask {
                    let app = PhoneApp(server.url)
                    let created = try await app.create(BrokerVariant.query.name)
                    async let end = app.waitForEnd()
                    var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
                    try await browser.submit(["person": people[number % people.count].id], button: "approve")
                    let login = try await end
                    #expect(login["id"]?.string == app.id)
                    return (number, login)
                }
            }
            return try await group.reduce(into: [(Int, JSON)]()) { $0.append($1) }
        }
        #expect(results.count == 100)
        for (number, login) in results {
            #expect(login["identity"]?["subject"]?.string == people[number % people.count].subject)
        }
        #expect(server.sandbox.count(of: .token) == 100)
        await server.stop()
    }

    /// A long poll ends when its login becomes final, long before its own time is up.
    /// Sources: D11, D31.
    @Test func `a long poll is answered when its login is final`() async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        let etag = created[.etag]
        server.sandbox.pauseTokenEndpoint()
        async let held = app.poll(wait: 25, etag: etag)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await browser.submit(button: "approve")
        let exchanging = try await held
        #expect(exchanging.json?["status"]?.string == "exchanging", "a change that the app can see ends the long poll")

        let start = ContinuousClock.now
        async let final = app.poll(wait: 25, etag: exchanging[.etag])
        try await server.sandbox.waitForHeldTokenRequests()
        server.sandbox.resumeTokenEndpoint()
        #expect(try await final.json?["status"]?.string == "completed")
        #expect(start.duration(to: .now) < .seconds(20))
        await server.stop()
    }

    @Test(arguments: [BrokerVariant.query, .formPost])
    func `of fifty callbacks, one makes a token request`(_ variant: BrokerVariant) async throws {
        let server = try await RunningServer.start([variant])
        let app = PhoneApp(server.url)
        let created = try await app.create(variant.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        let callback = try await browser.callback(of: variant)
        let pages = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<50 { group.addTask { try await ScriptedBrowser.send(callback)[.location] } }
            return try await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(Set(pages).count == 1, "all of them see the same page")
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        #expect(server.sandbox.count(of: .token) == 1)
        await server.stop()
    }

    /// Sources: D16, D33.
    @Test func `a tab closed in mid-exchange changes nothing`() async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        let callback = try await browser.callback(of: .query)
        server.sandbox.pauseTokenEndpoint()
        try TestClient.sendAndHangUp("GET", callback.url)
        try await server.sandbox.waitForHeldTokenRequests()
        #expect(try await app.poll().json?["status"]?.string == "exchanging")
        server.sandbox.resumeTokenEndpoint()
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        await server.stop()
    }

    @Test func `a response that was lost is fetched again`() async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await browser.submit(button: "approve")
        let login = try await app.waitForEnd()
        for _ in 0..<3 {
            try TestClient.sendAndHangUp(
                "GET", "\(server.url)/v1/logins/\(app.id ?? "")",
                fields: [Parameter("Authorization", "Bearer \(app.secret)")])
        }
        let again = try await app.poll(wait: 1)
        #expect(again.json?["identity"] == login["identity"])
        await server.stop()
    }

    @Test func `a create that is repeated is the same login`() async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        let first = try await app.create(BrokerVariant.query.name)
        let second = try await app.create(BrokerVariant.query.name)
        #expect([first.status, second.status] == [201, 200])
        #expect(first.json?["id"] == second.json?["id"])
        #expect(second.json?["poll_secret"] == nil, "a response never contains it")
        let other = try await app.create(BrokerVariant.query.name, ["locale": "da"])
        #expect(other.status == 422)
        await server.stop()
    }

    @Test func `cancelling waits for the outcome first`() async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        server.sandbox.pauseTokenEndpoint()
        try await browser.submit(button: "approve")
        try await server.sandbox.waitForHeldTokenRequests()
        async let cancelled = app.cancel(wait: 20)
        // The outcome arrives while the cancel waits for it.
        try await server.polls(areHeld: 1)
        server.sandbox.resumeTokenEndpoint()
        #expect(try await cancelled.json?["status"]?.string == "completed")
        await server.stop()
    }

    @Test func `a cancelled login drops a later success`() async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        server.sandbox.pauseTokenEndpoint()
        try await browser.submit(button: "approve")
        try await server.sandbox.waitForHeldTokenRequests()
        let cancelled = try await app.cancel()
        #expect(cancelled.json?["reason"]?["code"]?.string == "app_cancelled")
        server.sandbox.resumeTokenEndpoint()
        await server.stop()
        #expect(server.log.text.contains("app_cancelled"))
    }
}
