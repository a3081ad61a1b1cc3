import Base
import EndToEndSupport
import Preflight
import Sandbox
import StrictJSON
import Testing

/// DigiD by its app, with OneWelcome's two steps: whole logins, and every error of its app and of the resolver.
@Suite struct DigiDLoginTests {
    /// The variant where the resolver makes the request.
    static let resolvers = BrokerVariant(kind: "digid", callback: "app")
    /// The variant where we make the request, and the sandbox verifies it.
    static let own = BrokerVariant.digid

    /// Later than the server waits for a broker, however slow the machine is.
    private static let tooLate = Duration.seconds(600)

    static func start(
        _ variants: [BrokerVariant] = [Self.own], _ more: String = "", release: String = "return_link",
        lateness: Duration = .seconds(3), isOneClock: Bool = false
    ) async throws -> RunningServer {
        try await RunningServer.start(
            variants, providers: ", national_id_claim: bsn, national_id_type: \"nl:bsn\"" + more, release: release,
            system: .digid, lateness: lateness, isOneClock: isOneClock)
    }

    /// Opens DigiD's app, which shows its page.
    private static func begin(
        _ server: RunningServer, _ variant: BrokerVariant = Self.own, platform: String = "ios"
    ) async throws -> (PhoneApp, ScriptedBrowser) {
        let app = PhoneApp(server.url)
        let created = try await app.create(variant.name, ["platform": .string(platform)])
        let next = try #require(created.json?["next"])
        #expect(next["action"]?.string == "open_app")
        return (app, try await ScriptedBrowser(opening: try #require(next["universal_link"]?.string)))
    }

    /// Returns the link by which DigiD's app returns.
    static func back(
        _ browser: inout ScriptedBrowser, fault: String = "", button: String = "approve"
    ) async throws -> String {
        let decision = try browser.submission(["fault": fault], button: button)
        return try #require(try await browser.links(after: decision).first)
    }

    // MARK: - Whole logins

    /// Sources: C1, C8, C13.
    @Test(arguments: [resolvers, own], ["ios", "android"])
    func `a login completes by DigiD's app`(_ variant: BrokerVariant, _ platform: String) async throws {
        let server = try await Self.start([variant])
        var (app, browser) = try await Self.begin(server, variant, platform: platform)
        let link = try await Self.back(&browser)
        #expect(link.hasPrefix("\(server.link)/callback/\(variant.name)?app-app="))
        #expect(try await app.reportReturn(["url": .string(link)]).status == 200)
        let login = try await app.waitForEnd()
        #expect(login["status"]?.string == "completed", "\(server.log.text.suffix(600))")
        #expect(login["proof"]?.string == "callback_link")

        let identity = try #require(login["identity"])
        #expect(identity["subject"]?.string == "sandbox-nl-sanne")
        #expect(identity["eid"]?.string == "digid")
        #expect(identity["country"]?.string == "NL")
        #expect(identity["assurance"]?.string == "low")
        #expect(identity["acr"]?.string == "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract")
        let nationalID = try #require(SandboxIdentity.named("sanne")?.nationalID)
        #expect(identity["national_id"] == ["type": "nl:bsn", "value": .string(nationalID)])

        // The app can continue with the registration.
        let registration = try #require(login["registration"]?.object)
        #expect(registration.names == ["access_token", "token_type", "expires_in", "scope"])
        #expect(registration["expires_in"] == 900 && registration["scope"] == "read")

        #expect(server.sandbox.count(of: .initiate) == 1)
        #expect(server.sandbox.count(of: .complete) == 1)
        let artifact = try #require(try Self.answer(in: link)["SAMLart"]?.string)
        for secret in [artifact, nationalID, RunningServer.secret] {
            #expect(!server.log.text.contains(secret), "in the log")
        }
        await server.stop()
    }

    private static func answer(in link: String) throws -> JSON {
        let text = try #require(link.split(separator: "app-app=").last)
        return try JSON(parsing: try #require(Base64.decode(text)))
    }

    private static func link(_ answer: String, to server: RunningServer, _ variant: BrokerVariant = Self.own) -> String
    {
        "\(server.link)/callback/\(variant.name)?app-app=\(Base64.encode(Array(answer.utf8)))"
    }

    // MARK: - What goes wrong

    struct Row: Sendable, CustomTestStringConvertible {
        let fault: String
        let outcome: String
        var completes = 1

        var testDescription: String { "\(self.fault) \(self.outcome)" }
    }

    static let rows = [
        Row(fault: "relay-state-null", outcome: "completed"),
        Row(fault: "session-id-in-other-letters", outcome: "completed"),
        Row(fault: "session-missing", outcome: "completed"),
        Row(fault: "resolver-compares-nothing", outcome: "completed"),
        Row(fault: "resolver-delayed", outcome: "completed"),
        Row(fault: "refresh-token", outcome: "completed"),
        // The response belongs to another login, or its login is unknown. It has no effect, and the login continues.
        Row(fault: "request-missing", outcome: "pending"),
        Row(fault: "resolver-echoes", outcome: "pending"),
        Row(fault: "session-and-request-missing", outcome: "pending"),
        Row(fault: "resolver-compares-and-names-nothing", outcome: "pending"),
        Row(fault: "session-of-another", outcome: "pending"),
        Row(fault: "request-of-another", outcome: "pending"),
        Row(fault: "artifact-used-twice", outcome: "broker_unavailable"),
        Row(fault: "artifact-unknown", outcome: "broker_unavailable"),
        Row(fault: "artifact-demo", outcome: "invalid_response", completes: 0),
        Row(fault: "app-not-activated", outcome: "pending", completes: 0),
        Row(fault: "app-icon-missing", outcome: "pending", completes: 0),
        Row(fault: "app-free-text", outcome: "pending", completes: 0),
        Row(fault: "app-timeout", outcome: "pending", completes: 0),
        Row(fault: "resolver-script-4001", outcome: "broker_error"),
        Row(fault: "resolver-script-5001", outcome: "broker_unavailable"),
        Row(fault: "resolver-status-500", outcome: "broker_unavailable"),
        Row(fault: "resolver-broken-json", outcome: "broker_unavailable"),
        Row(fault: "resolver-dead", outcome: "broker_unavailable"),
        Row(fault: "resolver-slow", outcome: "broker_unavailable"),
        Row(fault: "profile-missing", outcome: "invalid_token"),
        Row(fault: "acr-too-low", outcome: "assurance_too_low"),
    ]

    @Test(arguments: rows) func `each login ends as it should`(_ row: Row) async throws {
        let server = try await Self.start(lateness: row.fault == "resolver-slow" ? Self.tooLate : .seconds(3))
        var (app, browser) = try await Self.begin(server)
        let link = try await Self.back(&browser, fault: row.fault)
        #expect(try await app.reportReturn(["url": .string(link)]).status == 200)
        let login = try await Self.outcome(of: app, row, at: server)
        #expect(
            login["reason"]?["code"]?.string ?? login["status"]?.string == row.outcome, "\(server.log.text.suffix(600))"
        )
        if row.outcome == "pending" {
            #expect(login["next"]?["action"]?.string == "open_app")
            #expect(try await app.cancel().json?["reason"]?["code"]?.string == "app_cancelled")
        }
        #expect(server.sandbox.count(of: .complete) == row.completes, "an artifact is for one use")
        #expect(login["registration"]?["refresh_token"] == nil)
        await server.stop()
        #expect(!server.log.text.contains("misgegaan"), "the broker's text stays out of the log")
        #expect(server.log.text.contains("resolver_token_dropped") == (row.fault == "refresh-token"))
    }

    /// Waits until the resolver has got its requests, where the row has some.
    private static func outcome(of app: PhoneApp, _ row: Row, at server: RunningServer) async throws -> JSON {
        guard row.outcome == "pending" else { return try await app.waitForEnd() }
        return try await Self.untilPending(app, at: server, completes: row.completes)
    }

    private static func untilPending(_ app: PhoneApp, at server: RunningServer, completes: Int) async throws -> JSON {
        for _ in 0..<400 {
            let login = try await app.poll().json ?? .null
            if login["status"]?.string != "exchanging", server.sandbox.count(of: .complete) >= completes {
                return login
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw TestClient.Failure(description: "the code exchange does not end")
    }

    /// When the user presses Cancel in DigiD's app, its response names no login. The user cancels in our app too.
    @Test func `a cancel in DigiD's app ends nothing by itself`() async throws {
        let server = try await Self.start()
        var (app, browser) = try await Self.begin(server)
        let link = try await Self.back(&browser, button: "cancel")
        #expect(try await app.reportReturn(["url": .string(link)]).json?["status"]?.string == "pending")
        let login = try #require(try await app.cancel().json)
        #expect(login["status"]?.string == "cancelled")
        #expect(login["reason"]?["code"]?.string == "app_cancelled")
        #expect(server.sandbox.count(of: .complete) == 0)
        await server.stop()
    }

    /// Sources: C10.
    @Test func `a login whose user never returns times out`() async throws {
        let server = try await Self.start()
        var (app, browser) = try await Self.begin(server)
        _ = try await browser.submit(["fault": "never-returns"], button: "approve")
        #expect(try await app.reportReturn(["url": .null]).json?["status"]?.string == "pending")
        server.clock.advance(by: .seconds(601))
        #expect(try await app.waitForEnd()["reason"]?["code"]?.string == "timeout")
        await server.stop()
    }

    static let inits = ["init-dead", "init-slow", "init-status-5001", "init-without-session"]

    /// A login is not stored when there is nothing to open.
    @Test(arguments: inits) func `a resolver that does not begin creates no login`(_ fault: String) async throws {
        let server = try await Self.start(lateness: Self.tooLate)
        try server.sandbox.setFault(fault, for: Self.own.name)
        let created = try await PhoneApp(server.url).create(Self.own.name, ["platform": "ios"])
        #expect(created.status == 502)
        try server.sandbox.setFault(nil, for: Self.own.name)
        _ = try await Self.begin(server)
        await server.stop()
    }

    /// DigiD's app rejects a request older than a minute.
    @Test func `DigiD's app refuses an old request`() async throws {
        let server = try await Self.start()
        server.clock.advance(by: .seconds(-120))
        let app = PhoneApp(server.url)
        let created = try await app.create(Self.own.name, ["platform": "ios"])
        let answer = try await TestClient.send("GET", try #require(created.json?["next"]?["universal_link"]?.string))
        let link = try #require(answer[.location])
        #expect(try await app.reportReturn(["url": .string(link)]).json?["status"]?.string == "pending")
        #expect(try await app.cancel().json?["reason"]?["code"]?.string == "app_cancelled")
        await server.stop()
    }

    @Test func `a login without a phone is refused`() async throws {
        let server = try await Self.start()
        #expect(try await PhoneApp(server.url).create(Self.own.name).status == 400)
        await server.stop()
    }

    /// DigiD has no metadata to request.
    @Test func `the online check needs no metadata`() async throws {
        let server = try await Self.start()
        var lines: [String] = []
        try await OnlineCheck(server.configuration).run { lines += $0.map(\.description) }
        let own = lines.filter { $0.contains(": \(Self.own.name): ") }
        #expect(own == ["ok: \(Self.own.name): connection: \(server.sandbox.issuer) responds"])
        await server.stop()
    }

    // MARK: - Whose response it is

    /// Phones may open the same link twice: there is one code exchange and one outcome.
    @Test(arguments: ["", "relay-state-null"]) func `a repeated link is one exchange`(_ fault: String) async throws {
        let server = try await Self.start()
        var (app, browser) = try await Self.begin(server)
        let link = JSON.string(try await Self.back(&browser, fault: fault))
        for _ in 0..<3 { #expect(try await app.reportReturn(["url": link]).status == 200) }
        let login = try await app.waitForEnd()
        #expect(login["status"]?.string == "completed")
        #expect(try await app.reportReturn(["url": link]).json?["identity"] == login["identity"])
        #expect(server.sandbox.count(of: .complete) == 1)
        await server.stop()
    }

    /// An attacker opens the victim's app with the link of the attacker's own login, whose state belongs to that login.
    @Test func `another login's link is refused`() async throws {
        let server = try await Self.start()
        var (attacker, browser) = try await Self.begin(server)
        let (victim, _) = try await Self.begin(server)
        let link = JSON.string(try await Self.back(&browser))
        let answer = try await victim.reportReturn(["url": link])
        #expect(answer.status == 422)
        #expect(answer.json?["code"]?.string == "not_ours")
        for app in [victim, attacker] { #expect(try await app.poll().json?["version"]?.integer == 1) }
        #expect(server.sandbox.count(of: .complete) == 0)
        #expect(try await attacker.reportReturn(["url": link]).status == 200)
        #expect(try await attacker.waitForEnd()["status"]?.string == "completed")
        await server.stop()
    }

    /// The resolver refuses a foreign artifact, resolves it and names its login, or resolves it without a name.
    static let resolverFaults = ["", "resolver-compares-nothing", "resolver-compares-and-names-nothing"]

    /// The state in the link that opens DigiD's app, or none.
    enum State: CaseIterable, Sendable {
        case own
        case none
    }

    /// The artifact in the link belongs to another login, with the state of this login or none. So an attacker could
    /// send the victim's artifact to the attacker's app, or the attacker's artifact to the victim's app. Links are not
    /// signed, so the state proves nothing. Neither login gets an identity from it, and this login's own response still
    /// completes it.
    @Test(arguments: Self.resolverFaults, State.allCases)
    func `an artifact of another login completes nothing`(_ fault: String, _ state: State) async throws {
        let server = try await Self.start()
        var (attacked, ours) = try await Self.begin(server)
        var (other, theirs) = try await Self.begin(server)
        let theirLink = try await Self.back(&theirs, fault: fault)
        let artifact = try #require(try Self.answer(in: theirLink)["SAMLart"]?.string)
        let ourLink = try await Self.back(&ours)
        let ourState = try #require(try Self.answer(in: ourLink)["RelayState"]?.string)
        let text = state == .own ? "\"\(ourState)\"" : "null"
        let link = Self.link("{\"SAMLart\":\"\(artifact)\",\"RelayState\":\(text)}", to: server)
        _ = try await attacked.reportReturn(["url": .string(link)])
        let login = try await Self.untilPending(attacked, at: server, completes: 1)
        #expect(login["identity"] == nil)
        #expect(try await other.poll().json?["version"]?.integer == 1, "the other login is unchanged")
        // With our own state, a resolver that refuses the artifact has given the result of this login.
        let goesOn = state == .none || !fault.isEmpty
        #expect(login["status"]?.string == (goesOn ? "pending" : "failed"), "\(server.log.text.suffix(600))")
        if goesOn {
            #expect(try await attacked.reportReturn(["url": .string(ourLink)]).status == 200)
            #expect(try await attacked.waitForEnd()["status"]?.string == "completed", "\(server.log.text.suffix(600))")
        }
        await server.stop()
    }

    /// Anyone can make a link that opens the app, so an error without a state, or with another login's, ends nothing.
    @Test(arguments: ["_by_user", "timeout", "icon_missing", "anything"])
    func `an error ends nothing by its word alone`(_ message: String) async throws {
        let server = try await Self.start()
        var (app, browser) = try await Self.begin(server)
        let (_, theirs) = try await Self.begin(server)
        let theirState = try #require(try Self.state(in: theirs.url))
        for state in ["null", "\"\(theirState)\"", "\"x\""] {
            let link = Self.link("{\"ErrorMessage\":\"\(message)\",\"RelayState\":\(state)}", to: server)
            let answer = try await app.reportReturn(["url": .string(link)])
            #expect(answer.status == (state == "null" ? 200 : 422))
            let login = try #require(try await app.poll().json)
            #expect(login["status"]?.string == "pending" && login["next"]?["action"]?.string == "open_app")
        }
        let link = try await Self.back(&browser)
        #expect(try await app.reportReturn(["url": .string(link)]).status == 200)
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        await server.stop()
    }

    /// The state that DigiD's app was opened with.
    private static func state(in link: String) throws -> String? { try Self.answer(in: link)["RelayState"]?.string }

    /// Replacements for the response; the test replaces `{state}` with the login's own.
    static let tampered = [
        "?app-app=", "?app-app=%%%", "?app-app=e30", "?app-app=not base64", "?app-app=\u{E9}", "?app-app",
        "?code=AAQA&state={state}", "?error=access_denied&state={state}", "?app-app={null}&app-app={null}",
        "?app-app={deep}", "?app-app={long}", "?app-app={twice}", "?app-app={number}", "/?app-app={null}",
        "?app-app={other}",
    ]

    @Test(arguments: ["", "?", "?APP-APP=e30", "?utm_source=mail"])
    func `a link without a response says only that the user is back`(_ text: String) async throws {
        let server = try await Self.start()
        var (app, browser) = try await Self.begin(server)
        let right = try await Self.back(&browser)
        let answer = try await app.reportReturn(["url": .string("\(server.link)/callback/\(Self.own.name)\(text)")])
        #expect(answer.json?["status"]?.string == "pending")
        #expect(server.sandbox.count(of: .complete) == 0)
        #expect(try await app.reportReturn(["url": .string(right)]).status == 200)
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        await server.stop()
    }

    @Test(arguments: tampered) func `a malformed response ends nothing by itself`(_ text: String) async throws {
        let server = try await Self.start()
        var (app, browser) = try await Self.begin(server)
        let right = try await Self.back(&browser)
        let state = try #require(try Self.answer(in: right)["RelayState"]?.string)
        let answers = [
            "{null}": #"{"SAMLart":"AAQA","RelayState":null}"#,
            "{deep}": #"{"SAMLart":"AAQA","x":"# + String(repeating: "[", count: 500)
                + String(repeating: "]", count: 500) + "}",
            "{long}": #"{"SAMLart":"AAQA","x":""# + String(repeating: "x", count: 20_000) + "\"}",
            "{twice}": #"{"SAMLart":"AAQA","RelayState":"\#(state)","RelayState":null}"#,
            "{number}": #"{"SAMLart":"AAQA","RelayState":1}"#,
            "{other}": #"{"SAMLart":"AAQA","RelayState":"\#(String(state.reversed()))"}"#,
        ]
        let query = answers.reduce(text.replacing("{state}", with: state)) {
            $0.replacing($1.key, with: Base64.encode(Array($1.value.utf8)))
        }
        let path = "\(server.link)/callback/\(Self.own.name)"
        let answer = try await app.reportReturn(["url": .string(path + query)])
        #expect([400, 413, 422].contains(answer.status), "\(answer.text)")
        #expect(try await app.poll().json?["version"]?.integer == 1)
        #expect(server.sandbox.count(of: .complete) == 0)
        #expect(try await app.reportReturn(["url": .string(right)]).status == 200)
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        await server.stop()
    }

    /// The link opened in a browser instead. That is no proof, and the page has another one.
    @Test func `a link that a browser opens is no proof`() async throws {
        let server = try await Self.start()
        var (app, browser) = try await Self.begin(server)
        let page = try await ScriptedBrowser(opening: try await Self.back(&browser))
        #expect(page.url.hasPrefix("\(server.link)/done/"))
        let waiting = try await app.poll(wait: 2)
        #expect(["exchanging", "awaiting_return"].contains(waiting.json?["status"]?.string))
        #expect(waiting.json?["identity"] == nil)
        #expect(waiting.json?["registration"] == nil)
        await server.stop()
    }

    @Test func `a link without a state in a browser belongs to no login`() async throws {
        let server = try await Self.start()
        var (app, browser) = try await Self.begin(server)
        let link = try await Self.back(&browser, fault: "relay-state-null")
        _ = try await ScriptedBrowser(opening: link)
        #expect(try await app.poll().json?["version"]?.integer == 1)
        #expect(server.sandbox.count(of: .complete) == 0)
        await server.stop()
    }
}
