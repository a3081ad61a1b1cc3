import EndToEndSupport
import Sandbox
import Testing

/// Whole logins over real sockets: the app polls, the browser presses buttons, and the provider checks everything.
@Suite struct WholeLoginTests {
    /// Sources: D6, K8.
    @Test(arguments: BrokerVariant.all + BrokerVariant.more) func `every variant logs in`(_ variant: BrokerVariant)
        async throws
    {
        let server = try await RunningServer.start([variant])
        let app = PhoneApp(server.url)
        let created = try await app.create(variant.name)
        #expect(created.status == 201)
        #expect(created.json?["status"]?.string == "pending")
        #expect(created[.etag] == "W/\"1\"")

        async let end = app.waitForEnd()
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await app.finish(&browser, variant)

        let login = try await end
        #expect(login["status"]?.string == "completed", "\(login["reason"] ?? .null) \(server.log.text.suffix(600))")
        #expect(login["identity"]?["subject"]?.string == "sandbox-dk-freja")
        #expect(login["identity"]?["name"]?.string == "Freja Lindegaard")
        #expect(login["identity"]?["provider"]?.string == variant.name)
        #expect(login["identity"]?["claims"]?["given_name"]?.string == "Freja")
        #expect(login["identity"]?["claims"]?["email"] == nil, "only the configured claims")
        #expect(login["proof"]?.string == "none")
        if variant.callback == "backend" { #expect(browser.url.contains("/done/")) }
        #expect(!browser.url.contains("code="))
        #expect(server.sandbox.count(of: .token) == 1)

        #expect(try await app.acknowledge().status == 204)
        #expect(try await app.acknowledge().status == 204)
        #expect(try await app.poll().status == 410)
        #expect(try await app.create(variant.name).status == 410)
        await server.stop()
    }

    @Test(arguments: [BrokerVariant.query, .formPost]) func `a user who cancels at the broker cancels the login`(
        _ variant: BrokerVariant
    )
        async throws
    {
        let server = try await RunningServer.start([variant])
        let app = PhoneApp(server.url)
        let created = try await app.create(variant.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await browser.submit(button: "cancel")
        if variant.isForm { try await browser.submit() }
        let login = try await app.waitForEnd()
        #expect(login["status"]?.string == "cancelled")
        #expect(login["reason"]?["code"]?.string == "user_cancelled")
        #expect(login["reason"]?["retryable"]?.bool == true)
        #expect(server.sandbox.count(of: .token) == 0)
        await server.stop()
    }

    /// The server starts while the provider is down. A login created then succeeds once the provider is back.
    @Test func `a provider that is down costs no login`() async throws {
        let server = try await RunningServer.start([.query])
        try server.sandbox.setFault("oidcc-client-test-discovery-issuer-mismatch", for: BrokerVariant.query.name)
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        #expect(created.status == 201)
        let unavailable = try await ScriptedBrowser(opening: try #require(created.nextURL))
        #expect(unavailable.page.status == 503)
        #expect(unavailable.page[.retryAfter] != nil)
        #expect(try await app.poll().json?["status"]?.string == "pending")

        try server.sandbox.setFault(nil, for: BrokerVariant.query.name)
        server.clock.advance(by: .seconds(30))
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await browser.submit(button: "approve")
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        await server.stop()
    }

    /// Sources: D7, E25.
    @Test func `direct makes the authorize URL with the login`() async throws {
        let server = try await RunningServer.start([.query], providers: ", authorize: direct")
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        let url = try #require(created.nextURL)
        #expect(url.hasPrefix(server.sandbox.issuer))
        #expect(url.contains("state=") && url.contains("nonce=") && url.contains("code_challenge_method=S256"))
        #expect(try await app.create(BrokerVariant.query.name).nextURL == url, "a retry is the same login")
        var browser = try await ScriptedBrowser(opening: url)
        try await browser.submit(button: "approve")
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        await server.stop()
    }

    @Test func `each attempt is a request of its own`() async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        let url = try #require(created.nextURL)
        let first = try await ScriptedBrowser(opening: url)
        var second = try await ScriptedBrowser(opening: url)
        #expect(first.url != second.url, "state and nonce are new")
        try await second.submit(button: "approve")
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        // The first tab is too late: its page says so, and nothing changes.
        var late = first
        try await late.submit(button: "approve")
        #expect(late.url.hasSuffix("/done/continued"))
        #expect(server.sandbox.count(of: .token) == 1)
        await server.stop()
    }

    @Test func `a login that nobody finishes in time is expired`() async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        server.clock.advance(by: .seconds(601))
        let expired = try await app.poll()
        #expect(expired.json?["status"]?.string == "expired")
        #expect(expired.json?["reason"]?["code"]?.string == "timeout")
        #expect(expired.json?["next"] == nil || expired.json?["next"] == .null)
        // A correct response does not revive the login, and the page says that it is too late.
        try await browser.submit(button: "approve")
        #expect(browser.page.status == 200)
        #expect(try await app.poll().json?["status"]?.string == "expired")
        #expect(server.sandbox.count(of: .token) == 0)

        server.clock.advance(by: .seconds(601))
        #expect(try await app.poll().status == 410)
        server.clock.advance(by: .seconds(25 * 60 * 60))
        #expect(try await app.poll().status == 404)
        await server.stop()
    }

    @Test func `nothing secret is logged`() async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name, ["nonce": "the-app-s-own-nonce"])
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        let state = try #require(browser.url.firstMatch(of: /state=([^&]+)/)?.1)
        try await browser.submit(button: "approve")
        _ = try await app.waitForEnd()
        let codes = server.sandbox.requestLog.tokenRequests.keys
        await server.stop()
        let log = server.log.text
        #expect(log.contains("login_ended"))
        for secret in [app.secret, String(state), "the-app-s-own-nonce", "Freja", "sandbox-dk-freja", "s3cret"] + codes
        {
            #expect(!log.contains(secret), "\(secret)")
        }
    }
}
