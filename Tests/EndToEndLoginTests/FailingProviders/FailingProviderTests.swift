import EndToEndSupport
import TestSupport
import Testing

/// A broker that is down, slow, huge or wrong: logins get a clear response in time, the server stays ready, and
/// everything works again as soon as the broker does.
@Suite(.blocking) struct FailingProviderTests {
    @Test(arguments: TestTier.few(FailingRow.discovery, oneOf: 3))
    func `a user who opens the link is told to return later`(_ row: FailingRow)
        async throws
    {
        let stage = try await FailingStage(FailingBroker(timeout: row.timeout))
        stage.front.conduct(at: row.path, row.conduct)
        let app = PhoneApp(stage.url)
        let start = ContinuousClock.now
        let browser = try await stage.open(app)
        #expect(start.duration(to: .now) < .seconds(8), "the timeout of one request must end it")
        #expect(browser.page.status == 503)
        #expect(browser.page.text.contains("We cannot continue right now"))
        #expect(try await stage.brokerErrors("login_open_failed") == [row.detail])

        let direct = try await PhoneApp(stage.url).create(FailingStage.directProvider)
        #expect(direct.status == 502)
        #expect(direct.json?["code"]?.string == "broker_unreachable")
        #expect(try await app.poll().json?["status"]?.string == "pending", "the login stays open")
        try await self.expectWatched(stage, row)
        try await self.expectRecovery(stage, app, browser)
        await stage.stop()
    }

    @Test(arguments: TestTier.few(FailingRow.exchange, oneOf: 3))
    func `a login in progress ends in time`(_ row: FailingRow)
        async throws
    {
        let stage = try await FailingStage(FailingBroker(timeout: row.timeout))
        let app = PhoneApp(stage.url)
        var browser = try await stage.open(app)
        stage.front.conduct(at: row.path, row.conduct)
        let start = ContinuousClock.now
        try await browser.submit(button: "approve")
        let login = try await app.waitForEnd()
        #expect(start.duration(to: .now) < .seconds(8), "the timeout of one request must end it")
        #expect(login["status"]?.string == "failed")
        #expect(login["reason"]?["code"]?.string == row.reason)
        #expect(login["reason"]?["retryable"]?.bool == true)
        #expect(try await stage.brokerErrors("login_exchange_failed") == [row.detail])
        try await self.expectWatched(stage, row)

        stage.front.conduct(nil)
        stage.clock.advance(by: .seconds(6))
        #expect(try await stage.logIn()["status"]?.string == "completed")
        #expect(try await stage.metric("up") == 1)
        await stage.stop()
    }

    private static let refusal = FaultyFront.Conduct.says(
        "HTTP/1.1 401 \r\nContent-Type: application/json\r\nContent-Length: 26\r\n\r\n{\"error\":\"invalid_client\"}")

    /// A client secret that ended, or that only one side has changed.
    @Test func `a broker that refuses our credentials counts as down until it accepts them`() async throws {
        let stage = try await FailingStage()
        stage.front.conduct(at: "/token", Self.refusal)
        #expect(try await stage.logIn()["reason"]?["code"]?.string == "broker_error")
        #expect(try await stage.metric("up") == 0)
        // Its discovery and keys still respond, and say nothing about our credentials.
        stage.clock.advance(by: .seconds(7200))
        _ = try await stage.open(PhoneApp(stage.url))
        #expect(try await stage.metric("up") == 0)
        stage.front.conduct(nil)
        #expect(try await stage.logIn()["status"]?.string == "completed")
        #expect(try await stage.metric("up") == 1)
        await stage.stop()
    }

    @Test func `a broker that is down keeps nobody from starting`() async throws {
        let stage = try await FailingStage(FailingBroker(isUp: false))
        #expect(try await stage.metric("up") == nil, "the server has not called the broker yet")
        let app = PhoneApp(stage.url)
        let browser = try await stage.open(app)
        #expect(browser.page.status == 503)
        #expect(try await stage.brokerErrors("login_open_failed") == ["directory_unreachable"])
        let direct = try await PhoneApp(stage.url).create(FailingStage.directProvider)
        #expect(direct.status == 502)
        #expect(direct.json?["code"]?.string == "broker_unreachable")
        #expect(try await stage.isReady())
        #expect(try await stage.metric("up") == 0)
        #expect(try await stage.metric("last_success_timestamp_seconds") == nil)
        #expect(try await stage.metric("metadata_age_seconds") == nil)
        #expect(try #require(try await stage.requests("discovery", "unreachable")) >= 1)
        try stage.front.start()
        try await self.expectRecovery(stage, app, browser)
        await stage.stop()
    }

    @Test func `one bad key among good ones is skipped`() async throws {
        let stage = try await FailingStage()
        stage.front.conduct(
            at: "/jwks",
            .changes {
                $0.replacing("{\"keys\":[", with: #"{"keys":[1,{"kty":"RSA","n":"","e":"AQAB"},{"kty":"AKP"},"#)
            })
        #expect(try await stage.logIn()["status"]?.string == "completed")
        await stage.stop()
    }

    /// File servers send key sets with all kinds of content types.
    @Test(arguments: ["text/plain", "application/octet-stream", "application/jwk-set+json"])
    func `keys may have any type`(_ type: String) async throws {
        let stage = try await FailingStage()
        stage.front.conduct(at: "/jwks", .changes(type: type) { $0 })
        #expect(try await stage.logIn()["status"]?.string == "completed")
        await stage.stop()
    }

    /// We ask for no encoding, but some providers and proxies encode everything (RFC 9110 §8.4).
    @Test(arguments: [FailingRow.metadata, "/jwks", "/token", "/userinfo"])
    func `what is encoded all the same is read`(_ path: String) async throws {
        let stage = try await FailingStage()
        stage.front.conduct(at: path, .encodes)
        #expect(try await stage.logIn()["status"]?.string == "completed")
        #expect(await stage.front.reached.next() == true)
        await stage.stop()
    }

    // MARK: - The last good copy

    @Test(arguments: TestTier.few(FailingRow.discovery + FailingRow.keys, oneOf: 3))
    func `the last good copy serves when it is old`(_ row: FailingRow) async throws {
        let stage = try await FailingStage(FailingBroker(timeout: row.timeout))
        #expect(try await stage.logIn()["status"]?.string == "completed")
        stage.front.conduct(at: row.path, row.conduct)
        stage.clock.advance(by: .seconds(2 * 3600))
        let asked = stage.front.requests(at: row.path)
        let start = ContinuousClock.now
        for _ in 0..<2 { #expect(try await stage.logIn()["status"]?.string == "completed") }
        let times = stage.front.requests(at: row.path) - asked
        #expect(times >= 1 && times <= Self.attempts(since: start))
        #expect(try #require(try await stage.requests(row.purpose, row.outcome)) >= 1)
        await stage.stop()
    }

    @Test(arguments: [FailingRow.metadata, "/jwks"])
    func `the last good copy serves for a day`(_ path: String) async throws {
        let stage = try await FailingStage()
        #expect(try await stage.logIn()["status"]?.string == "completed")
        stage.front.conduct(at: path, FailingRow.outOfOrder)
        let age = path == "/jwks" ? "keys_age_seconds" : "metadata_age_seconds"
        stage.clock.advance(by: .seconds(23 * 3600))
        #expect(try await stage.logIn()["status"]?.string == "completed")
        #expect(try #require(try await stage.metric(age)) >= 23 * 3600)

        stage.clock.advance(by: .seconds(3600))
        if path == "/jwks" {
            #expect(try await stage.logIn()["reason"]?["code"]?.string == "broker_unavailable")
        } else {
            #expect(try await stage.open(PhoneApp(stage.url)).page.status == 503)
        }
        #expect(try await stage.isReady())
        stage.front.conduct(nil)
        stage.clock.advance(by: .seconds(6))
        #expect(try await stage.logIn()["status"]?.string == "completed")
        #expect(try #require(try await stage.metric(age)) < 60)
        await stage.stop()
    }

    // MARK: - Few requests to a broken broker

    @Test(arguments: [FaultyFront.Conduct.neverAnswers, FailingRow.outOfOrder])
    func `many apps ask a broken broker once`(_ conduct: FaultyFront.Conduct) async throws {
        let stage = try await FailingStage(FailingBroker(timeout: 1))
        stage.front.conduct(at: FailingRow.metadata, conduct)
        let start = ContinuousClock.now
        try await withThrowingTaskGroup { group in
            for _ in 0..<30 {
                group.addTask { try await PhoneApp(stage.url).create(FailingStage.directProvider).status }
            }
            for try await status in group { #expect(status == 502) }
        }
        #expect(stage.front.requests(at: FailingRow.metadata) <= Self.attempts(since: start))
        await stage.stop()
    }

    /// The tokens name a key that the broker does not publish: the server fetches the keys again once in five seconds,
    /// for all waiting logins. On a slow machine a login may have no time left to wait for that.
    @Test func `an unknown key is looked for once`() async throws {
        let stage = try await FailingStage(FailingBroker(timeout: 30))
        #expect(try await stage.logIn()["status"]?.string == "completed")
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<5 {
                group.addTask { try await stage.logIn(fault: Self.unknownKey)["reason"]?["code"]?.string }
            }
            for try await reason in group { #expect(["invalid_token", "broker_unavailable"].contains(reason)) }
        }
        let times = stage.front.requests(at: "/jwks")
        #expect(times >= 2 && times <= 1 + Self.attempts(since: start, every: .seconds(5)))
        let errors = Set(try await stage.brokerErrors("login_exchange_failed"))
        let late = ["keys_throttled", "exchange_deadline", "directory_timed_out"]
        #expect(errors.subtracting(late).isSubset(of: ["id_token_unknown_key"]), "\(errors)")
        #expect(!errors.isEmpty)
        #expect(try await stage.logIn()["status"]?.string == "completed")
        await stage.stop()
    }

    /// The keys cannot be fetched either: the other logins use the copy that is there.
    @Test func `an unknown key of a broken broker hurts nobody else`() async throws {
        let stage = try await FailingStage()
        #expect(try await stage.logIn()["status"]?.string == "completed")
        stage.front.conduct(at: "/jwks", FailingRow.outOfOrder)
        let start = ContinuousClock.now
        for _ in 0..<3 {
            let login = try await stage.logIn(fault: Self.unknownKey)
            #expect(login["reason"]?["code"]?.string == "broker_unavailable")
            #expect(try await stage.logIn()["status"]?.string == "completed")
        }
        #expect(stage.front.requests(at: "/jwks") <= 1 + Self.attempts(since: start))
        await stage.stop()
    }

    @Test func `a clock that is off shows in the metrics`() async throws {
        let stage = try await FailingStage()
        stage.front.conduct(
            at: "/userinfo", .says("HTTP/1.1 401 \r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0\r\n\r\n"))
        _ = try await stage.logIn()
        #expect(try #require(try await stage.metric("clock_skew_seconds")) < -86_400 * 365 * 30)
        await stage.stop()
    }
}

// MARK: - Parts

extension FailingProviderTests {
    /// The sandbox's name for the fault of an unpublished key.
    private static let unknownKey = "id-token-unknown-kid"

    /// Returns how many failing requests the server may send in this time.
    private static func attempts(
        since start: ContinuousClock.Instant, every interval: Duration = .seconds(5)
    ) -> Int {
        1 + Int(start.duration(to: .now) / interval)
    }

    private func expectWatched(_ stage: FailingStage, _ row: FailingRow) async throws {
        #expect(try await stage.isReady(), "other brokers may work")
        #expect(try await stage.metric("up") == (row.isUp ? 1 : 0))
        #expect(try #require(try await stage.requests(row.purpose, row.outcome)) >= 1)
        if row.givesUp { #expect(await stage.front.givenUp.next() == true, "the server closes the connection") }
    }

    /// Checks that the same login completes when it is opened again.
    private func expectRecovery(_ stage: FailingStage, _ app: PhoneApp, _ browser: ScriptedBrowser) async throws {
        var browser = browser
        stage.front.conduct(nil)
        stage.clock.advance(by: .seconds(6))
        try await browser.reload()
        try await browser.submit(button: "approve")
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        #expect(try await stage.metric("up") == 1)
        #expect(try await stage.metric("last_success_timestamp_seconds") != nil)
        #expect(abs(try #require(try await stage.metric("clock_skew_seconds"))) < 60)
    }
}
