import HTTPWire
import Sandbox
import StrictJSON
import Testing

/// The faults of logins that are decided outside the browser do what their names say.
@Suite struct OrderFaultTests {
    // MARK: - Launch links

    @Test func `a complete URL may fail`() async throws {
        let stage = try Stage(system: .idura)
        let walk = BankIDWalk(stage: stage)
        let launch = try await walk.launch()
        try await walk.decide(launch.universalLink, fault: "complete-400")
        for _ in 0..<2 { #expect(try await walk.get(launch.complete).status == 400) }
        await stage.end()
    }

    @Test func `a complete URL may be too early once`() async throws {
        let stage = try Stage(system: .idura)
        let walk = BankIDWalk(stage: stage)
        try stage.provider.setFault("complete-too-early", for: "test app")
        let launch = try await walk.launch()
        try await walk.decide(launch.universalLink)
        #expect(try await walk.get(launch.complete).text == "Native app driven authentication is not done")
        #expect(try await walk.location(launch)["code"] != nil)
        await stage.end()
    }

    static let polls: [(fault: String, status: Int, body: String)] = [
        ("poll-error-bare", 400, "access_denied"), ("poll-error-quoted", 400, "\"access_denied\""),
        ("expired-order", 400, "Collect failed: expiredTransaction"), ("cancel", 400, "access_denied"),
        ("never-returns", 202, ""),
    ]

    @Test(arguments: polls)
    func `each fault of polling does what it says`(row: (fault: String, status: Int, body: String)) async throws {
        let stage = try Stage(system: .idura)
        let walk = BankIDWalk(stage: stage)
        let launch = try await walk.launch()
        try await walk.decide(launch.universalLink, fault: row.fault)
        let answer = try await walk.get(try #require(launch.poll))
        #expect(answer.status == row.status)
        #expect(answer.text == row.body)
        await stage.end()
    }

    @Test func `the target is the redirect URI already`() async throws {
        let stage = try Stage(system: .idura)
        let walk = BankIDWalk(stage: stage)
        let launch = try await walk.launch()
        try await walk.decide(launch.universalLink, fault: "poll-target-is-final")
        let answer = try JSON(parsing: try await walk.get(try #require(launch.poll)).body)
        #expect(answer["targetUrl"]?.string?.hasPrefix(Stage.redirectURI + "?code=") == true)
        await stage.end()
    }

    typealias Check = @Sendable (RawClient.Answer) throws -> Bool

    static let launches: [(fault: String, check: Check)] = [
        ("launch-status-500", { $0.status == 500 }),
        ("launch-without-links", { try JSON(parsing: $0.body)["launchLinks"] == nil }),
        ("launch-without-poll-url", { try JSON(parsing: $0.body)["pollUrl"] == nil }),
        (
            "launch-at-a-stranger",
            { try JSON(parsing: $0.body)["pollUrl"]?.string == "https://somebody-else.example/pollUrl" }
        ),
    ]

    @Test(arguments: launches)
    func `each fault of launching does what it says`(row: (fault: String, check: Check)) async throws {
        let stage = try Stage(system: .idura)
        let request = stage.request(BankIDWalk.sameDevice)
        #expect(try row.check(try await stage.walk.open(request)) == false)
        try stage.provider.setFault(row.fault, for: "test app")
        for _ in 0..<2 { #expect(try row.check(try await stage.walk.open(request))) }
        await stage.end()
    }

    /// A fault of the authorization response also changes `location`.
    @Test func `the location may have an error`() async throws {
        let stage = try Stage(system: .idura)
        let walk = BankIDWalk(stage: stage)
        let launch = try await walk.launch()
        try await walk.decide(launch.universalLink, fault: "error-after-state")
        #expect(try await walk.location(launch).parameters.map(\.name) == ["state", "iss", "error"])
        await stage.end()
    }

    // MARK: - Polls of the token endpoint

    static let tokens: [(fault: String, errors: [String?])] = [
        ("slow-down", ["slow_down", nil, "invalid_grant"]), ("cancel", ["access_denied", "access_denied"]),
        ("expired-order", ["expired_token", "expired_token"]), ("token-invalid-grant", ["invalid_grant"]),
        ("never-returns", ["authorization_pending", "authorization_pending"]),
    ]

    @Test(arguments: tokens)
    func `each fault of a headless login does what it says`(row: (fault: String, errors: [String?])) async throws {
        let stage = try Stage(system: .idura)
        let client = Headless(stage: stage)
        let (id, link) = try await client.order()
        try await BankIDWalk(stage: stage).decide(link, fault: row.fault)
        for error in row.errors { #expect(try await client.poll(id).json["error"]?.string == error) }
        await stage.end()
    }

    @Test(arguments: tokens)
    func `each fault of a backchannel login does what it says`(row: (fault: String, errors: [String?])) async throws {
        let stage = try Stage(system: .signaturgruppen, pollInterval: .zero)
        let client = Backchannel(stage: stage)
        let id = try await client.order()
        _ = try await client.press("approve", on: try await client.page(id), fault: row.fault)
        for error in row.errors { #expect(try await client.error(id) == error) }
        await stage.end()
    }

    // MARK: - In a browser

    @Test func `the user cancels by a fault`() async throws {
        let stage = try Stage()
        #expect(try await stage.walk.login(stage.request(), fault: "cancel")["error"] == "access_denied")
        let page = try await stage.walk.decide(
            try await stage.walk.open(stage.request()), fault: "never-returns")
        #expect(page.status == 200)
        #expect(HTMLForm.forms(in: page.text).isEmpty)
        await stage.end()
    }

    /// Vipps documents both. The second one goes to the address to which its app returns.
    @Test(arguments: [true, false])
    func `an error may stand after a second question mark`(hasCallback: Bool) async throws {
        let stage = try Stage(system: .vipps)
        let state = "a-state-for-vipps"
        var changes: [String: String?] = ["state": state]
        if hasCallback {
            changes["requested_flow"] = "app_to_app"
            changes["app_callback_uri"] = "https://app.example/r/"
        }
        let page = try await stage.walk.open(stage.request(changes))
        let answer = try await stage.walk.decide(page, fault: "error-after-second-question-mark")
        let uri = hasCallback ? "https://app.example/r/" : Stage.redirectURI
        #expect(answer["location"] == uri + "?state=\(state)?error=unknown_error")
        #expect(page["content-security-policy"]?.contains("https://app.example") == hasCallback)
        await stage.end()
    }

    static let sessions: [(system: SandboxSystem, changes: [String: String?], isReused: Bool)] = [
        (.oidc, [:], true), (.oidc, ["prompt": "login"], false), (.oidc, ["max_age": "60"], false),
        (.signaturgruppen, ["idp_values": "mitid"], true), (.signaturgruppen, ["prompt": "login"], false),
        (.vipps, ["state": "a-state-for-vipps"], true),
        (.vipps, ["state": "a-state-for-vipps", "acr_values": "urn:vipps:acr:app_auth"], false),
        (.idura, ["acr_values": "urn:grn:authn:dk:mitid:low"], true),
    ]

    @Test(arguments: sessions)
    func `a reused session skips the page where the request allows it`(
        row: (system: SandboxSystem, changes: [String: String?], isReused: Bool)
    ) async throws {
        let stage = try Stage(system: row.system)
        try stage.provider.setFault("session-reused", for: "test app")
        let answer = try await stage.walk.open(stage.request(row.changes))
        #expect((answer.status == 303) == row.isReused)
        guard row.isReused else { return await stage.end() }
        // Vipps reads the secret unencoded.
        let proof = stage.basic(raw: row.system == .vipps)
        let code = try #require(try Walk.arrival(answer)["code"])
        let claims = try await Tokens(stage, code: code, fields: [proof]).claims(allowing: .rs256)
        #expect(claims["auth_time"]?.integer == stage.clock.now.seconds - 3600)
        await stage.end()
    }

    @Test func `a reused session skips the page of CIBA`() async throws {
        let stage = try Stage(system: .signaturgruppen, pollInterval: .zero)
        let client = Backchannel(stage: stage)
        try stage.provider.setFault("session-reused", for: "test app")
        let fresh = try await client.page(try await client.order())
        #expect(fresh.status == 200)
        let hint: JSON.Object = ["flow_type": "broker_oidc", "idp_values": "mitid"]
        let started = try JSON(parsing: try await client.start(hint).body)
        let id = try #require(started["auth_req_id"]?.string)
        #expect(try await client.page(id).status == 303)
        #expect(try await client.poll(id).status == 200)
        await stage.end()
    }

    /// Other names, which a page does not show.
    @Test(arguments: [
        "slow-token-endpoint", "dead-token-endpoint", "key-rotation", "duplicate-callback", "error-before-state",
    ])
    func `other names of faults are known`(_ name: String) throws { #expect(SandboxFault.named(name) != nil) }
}
