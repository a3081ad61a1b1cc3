import Base
import EndToEndSupport
import HTTPWire
import Sandbox
import TestSupport
import Testing

/// Cases that a row of `ConformanceTests` cannot express: a wait that ends, and junk in between.
@Suite struct RefusalTests {
    @Test func `a slow token endpoint is not waited for forever`() async throws {
        let server = try await RunningServer.start([.query], lateness: .seconds(600))
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await browser.submit(["fault": "token-slow"], button: "approve")
        #expect(try await app.waitForEnd()["reason"]?["code"]?.string == "broker_unavailable")
        await server.stop()
    }

    /// After the real code, junk is discarded, and the real callback sees its page again.
    @Test func `junk after the real code changes nothing`() async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        let callback = try await browser.callback(of: .query)
        let real = try await ScriptedBrowser.send(callback)
        let state = try #require(callback.url.firstMatch(of: /[?&](state=[^&]+)/)?.1)
        let junk = "\(server.url)/callback/\(BrokerVariant.query.name)?\(state)"
        for query in ["&code=junk", "&error=access_denied", "&code=a&code=b", ""] {
            let answer = try await TestClient.send("GET", junk + query)
            #expect(answer[.location]?.hasSuffix("/done/continued") == true, "\(query)")
        }
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        #expect(try await ScriptedBrowser.send(callback)[.location] == real[.location])
        #expect(server.sandbox.count(of: .token) == 1)
        await server.stop()
    }

    /// A client that knows only a login's id tries every request. The app's long polls continue.
    @Test func `a client that knows only an ID ends no poll`() async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        let etag = try #require(created[.etag])
        async let first = app.poll(wait: 20, etag: etag)
        async let second = app.poll(wait: 20, etag: etag)
        func held() async throws -> Bool {
            try await TestClient.send("GET", "\(server.operations)/metrics").text.contains("switchback_held_polls 2\n")
        }
        #expect(try await eventually { try await held() })
        let stranger = PhoneApp(server.url, knowing: try #require(app.id))
        for _ in 0..<5 {
            #expect(try await stranger.poll(wait: 20).status == 404)
            #expect(try await stranger.poll(wait: 20, [Parameter("Accept", "text/event-stream")]).status == 404)
            #expect(try await stranger.reportReturn(["url": .null]).status == 404)
            #expect(try await stranger.cancel(wait: 20).status == 404)
            let page = Base64URL.encode((Base64URL.decode(app.id ?? "") ?? []) + RandomBytes.make(32))
            #expect(try await TestClient.send("GET", "\(server.url)/done/\(page)").status == 404)
        }
        #expect(try await held(), "both are still waiting")
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await browser.submit(button: "approve")
        #expect(try await [first.status, second.status] == [200, 200])
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        await server.stop()
    }
}
