import EndToEndSupport
import Sandbox
import Testing

/// Brokers that never respond, or that show no page.
@Suite struct SilentBrokerTests {
    @Test func `a login ends though a response never comes`() async throws {
        let server = try await RunningServer.start()
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await app.finish(&browser, .query, fault: "never-returns")
        #expect(try await app.poll().json?["status"]?.string == "pending")
        server.clock.advance(by: .seconds(601))
        let login = try await app.waitForEnd()
        #expect(login["status"]?.string == "expired")
        #expect(login["reason"]?["code"]?.string == "timeout")
        #expect(server.sandbox.count(of: .token) == 0)
        await server.stop()
    }

    /// A provider that demands a fresh login gets the page even with a session at the broker.
    static let sessions: [(settings: String, isAsked: Bool)] = [
        ("", false), (", max_age: 7200", false), (", prompt: login", true), (", max_age: 60", true),
    ]

    @Test(arguments: sessions)
    func `a session at the broker is used where it may be`(row: (settings: String, isAsked: Bool)) async throws {
        let server = try await RunningServer.start(
            [.query], providers: row.settings.isEmpty ? ", prompt: consent" : row.settings, release: "return_link")
        try server.sandbox.setFault("session-reused", for: BrokerVariant.query.name)
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        let browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        #expect((browser.form != nil) == row.isAsked)
        #expect(browser.url.contains("/done/") == !row.isAsked)
        await server.stop()
    }
}
