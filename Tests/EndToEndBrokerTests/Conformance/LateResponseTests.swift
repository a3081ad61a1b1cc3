import Base
import EndToEndSupport
import HTTPWire
import Sandbox
import Testing

/// Correct responses at the wrong time, and requests that only look like responses (the last table in `MODULES.md`): a
/// final login stays as it is, and an open one is not disturbed.
@Suite struct LateResponseTests {
    /// One login whose response is on its way to the server.
    struct Stage {
        let server: RunningServer
        let app: PhoneApp
        let delivery: Delivery
        let callback: ScriptedBrowser.Submission

        init(_ delivery: Delivery) async throws {
            self.delivery = delivery
            self.server = try await RunningServer.start([delivery.variant])
            self.app = PhoneApp(self.server.url)
            let created = try await self.app.create(delivery.variant.name)
            var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
            self.callback = try await browser.callback(of: delivery.variant)
        }

        /// Sends the response, by the browser or by the app.
        @discardableResult func deliver() async throws -> Answer {
            guard self.delivery == .app else { return try await ScriptedBrowser.send(self.callback) }
            return try await self.app.reportReturn(["url": .string(self.callback.url)])
        }
    }

    @Test(arguments: Delivery.allCases)
    func `a duplicate callback leads to the same page`(_ delivery: Delivery) async throws {
        let stage = try await Stage(delivery)
        let first = try await stage.deliver()
        let login = try await stage.app.waitForEnd()
        let second = try await stage.deliver()
        #expect(second[.location] == first[.location], "both lead to the same page")
        #expect(login["status"]?.string == "completed")
        #expect(try await stage.app.poll().json?["version"] == login["version"])
        #expect(stage.server.sandbox.count(of: .token) == 1)
        await stage.server.stop()
    }

    /// The app hands in a link while a browser opens it: one of them wins, and both succeed.
    @Test func `a link and a browser may come at once`() async throws {
        let stage = try await Stage(.app)
        async let byBrowser = ScriptedBrowser.send(stage.callback)
        async let byApp = stage.deliver()
        #expect(try await byBrowser.status == 303)
        #expect(try await byApp.status == 200)
        #expect(try await stage.app.waitForEnd()["status"]?.string == "completed")
        #expect(stage.server.sandbox.count(of: .token) == 1)
        await stage.server.stop()
    }

    @Test(arguments: Delivery.allCases)
    func `a callback after expiry sends no code`(_ delivery: Delivery) async throws {
        let stage = try await Stage(delivery)
        stage.server.clock.advance(by: .seconds(601))
        let answer = try await stage.deliver()
        #expect(answer.status == (delivery == .app ? 200 : 303))
        #expect(try await stage.app.poll().json?["status"]?.string == "expired")
        #expect(stage.server.sandbox.count(of: .token) == 0)
        await stage.server.stop()
    }

    @Test(arguments: Delivery.allCases)
    func `a callback of an acknowledged login sends no code`(_ delivery: Delivery) async throws {
        let stage = try await Stage(delivery)
        try await stage.deliver()
        _ = try await stage.app.waitForEnd()
        #expect(try await stage.app.acknowledge().status == 204)
        let answer = try await stage.deliver()
        #expect(answer.status == (delivery == .app ? 410 : 303))
        #expect(try await stage.app.poll().status == 410)
        #expect(stage.server.sandbox.count(of: .token) == 1)
        await stage.server.stop()
    }

    /// Both methods are allowed for every broker: browsers turn one into the other, and only `state` matters.
    @Test func `a GET is accepted where a POST is expected`() async throws {
        let stage = try await Stage(.formPost)
        let query = String(decoding: stage.callback.body, as: UTF8.self)
        let answer = try await TestClient.send("GET", "\(stage.callback.url)?\(query)")
        #expect(answer.status == 303)
        #expect(try await stage.app.waitForEnd()["status"]?.string == "completed")
        await stage.server.stop()
    }

    @Test func `an oversized body is refused`() async throws {
        let stage = try await Stage(.formPost)
        let body = stage.callback.body + Array("&padding=".utf8) + [UInt8](repeating: 0x78, count: 70_000)
        let answer = try await TestClient.send(
            "POST", stage.callback.url, fields: [Parameter("Content-Type", "application/x-www-form-urlencoded")],
            body: body)
        #expect(answer.status == 413)
        try await self.expectUntouched(stage)
    }

    @Test(arguments: ["application/json", "text/plain", "multipart/form-data; boundary=x"])
    func `a wrong content type is refused`(_ type: String) async throws {
        let stage = try await Stage(.formPost)
        let answer = try await TestClient.send(
            "POST", stage.callback.url, fields: [Parameter("Content-Type", type)], body: stage.callback.body)
        #expect(answer.status == 415)
        try await self.expectUntouched(stage)
    }

    @Test(arguments: [Delivery.query, .app])
    func `HEAD and prefetch change nothing`(_ delivery: Delivery) async throws {
        let stage = try await Stage(delivery)
        _ = try await TestClient.send("HEAD", stage.callback.url)
        for purpose in ["Sec-Purpose", "Purpose"] {
            let answer = try await TestClient.send("GET", stage.callback.url, fields: [Parameter(purpose, "prefetch")])
            #expect(answer.status == 503)
            #expect(answer[.cacheControl] == "no-store")
        }
        try await self.expectUntouched(stage)
    }

    /// Checks that the request changed nothing, and that the correct response still logs in.
    private func expectUntouched(_ stage: Stage) async throws {
        #expect(try await stage.app.poll().json?["status"]?.string == "pending")
        #expect(stage.server.sandbox.count(of: .token) == 0)
        try await stage.deliver()
        #expect(try await stage.app.waitForEnd()["status"]?.string == "completed")
        await stage.server.stop()
    }
}
