import EndToEndSupport
import TestSupport
import Testing

/// `kill -9` of a server between the callback and the outcome: another server on the same file finishes the login, and
/// the app's poll gets its result. The next server takes over within seconds, because the file shows that the first is
/// dead.
@Suite(.blocking) struct KilledServerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The endpoint that the server is waiting for when it is killed.
        let path: String
        let conduct: FaultyFront.Conduct
        let status: String
        var reason: String?
        /// The number of token requests that the broker gets in total.
        let tokenRequests: Int
    }

    private static let rows = [
        Row(
            testDescription: "the broker has not seen the code", path: "/token", conduct: .neverAnswers,
            status: "completed", tokenRequests: 1),
        Row(
            testDescription: "the broker has redeemed it, and its response is lost", path: "/token",
            conduct: .losesTheAnswer, status: "failed", reason: "interrupted", tokenRequests: 2),
        Row(
            testDescription: "the response is stored, and the userinfo is missing", path: "/userinfo",
            conduct: .neverAnswers, status: "completed", tokenRequests: 1),
    ]

    @Test(arguments: TestTier.few(rows, oneOf: 3))
    func `an exchange is completed after a kill`(_ row: Row) async throws {
        let stage = try DurableStage()
        stage.front.conduct(at: row.path, row.conduct)
        let first = try await stage.serve()
        let app = PhoneApp(stage.url)
        let created = try await app.create("demo")
        let etag = try #require(created[.etag])
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        _ = try await ScriptedBrowser.send(try await browser.callback(of: .query))
        #expect(await stage.front.reached.next() == true)
        first.terminate()
        _ = first.end()
        stage.front.conduct(nil)

        let second = try await stage.serve()
        let between = try await app.poll(etag: etag)
        let status = between.json?["status"]?.string
        #expect(status == "exchanging" || status == row.status, "the login is known, with its true status")
        let end = try await app.waitForEnd()
        #expect(end["status"]?.string == row.status)
        #expect(end["reason"]?["code"]?.string == row.reason)
        if row.reason != nil { #expect(end["reason"]?["retryable"]?.bool == true) }
        if row.reason == nil { #expect(end["identity"]?["subject"]?.string != nil) }
        #expect(stage.sandbox.count(of: .token) == row.tokenRequests)
        second.terminate()
        _ = second.end()
        await stage.stop()
    }

    /// What was created, opened or ended before the kill is there afterwards, byte for byte as the app saw it.
    @Test func `what was told before a kill is still true`() async throws {
        let stage = try DurableStage()
        let first = try await stage.serve()
        let (pending, done) = (PhoneApp(stage.url), PhoneApp(stage.url))
        let created = try await pending.create("demo")
        var opened = try await ScriptedBrowser(opening: try #require(created.nextURL))
        var browser = try await ScriptedBrowser(opening: try #require(try await done.create("demo").nextURL))
        try await browser.submit(button: "approve")
        let before = try await done.waitForEnd()
        first.terminate()
        _ = first.end()

        let second = try await stage.serve()
        let after = try #require(try await done.poll().json)
        for name in ["id", "status", "version", "identity", "reference", "proof"] {
            #expect(after[name] == before[name])
        }
        #expect(try await pending.poll().json?["status"]?.string == "pending")
        try await opened.submit(button: "approve")
        #expect(try await pending.waitForEnd()["status"]?.string == "completed", "the earlier attempt is good")
        #expect(try await done.acknowledge().status == 204)
        second.terminate()
        _ = second.end()
        await stage.stop()
    }

    /// A repeated create with its secret returns the same login, even when the server was killed in between.
    @Test func `a repeated create is the same login`() async throws {
        let stage = try DurableStage()
        let first = try await stage.serve()
        let (pending, done) = (PhoneApp(stage.url), PhoneApp(stage.url))
        let created = try #require(try await pending.create("demo").json)
        var browser = try await ScriptedBrowser(opening: try #require(try await done.create("demo").nextURL))
        try await browser.submit(button: "approve")
        let identity = try await done.waitForEnd()["identity"]
        first.terminate()
        _ = first.end()

        let second = try await stage.serve()
        let again = try await pending.create("demo")
        #expect(again.status == 200)
        for name in ["id", "version", "reference"] {
            #expect(again.json?[name] == created[name])
        }
        #expect(again.nextURL == created["next"]?["url"]?.string, "the link is the same too")
        let other = try await pending.create("demo", ["locale": "da"])
        #expect(other.status == 422)
        #expect(other.json?["code"]?.string == "different_body")
        #expect(try await done.create("demo").json?["identity"] == identity, "also after its end")
        #expect(try await done.acknowledge().status == 204)
        second.terminate()
        _ = second.end()

        let third = try await stage.serve()
        #expect(try await done.create("demo").status == 410)
        #expect(try await done.poll().status == 410)
        #expect(stage.sandbox.count(of: .token) == 1)
        third.terminate()
        _ = third.end()
        await stage.stop()
    }
}
