/// What a broker, or somebody in its name, can do wrong: each leaves the app a final status with a stable code, and no
/// right answer that comes later revives the login.
import HTTPWire
import JOSE
import Sandbox
import Testing

@Suite struct Refusals {
    struct Row: Sendable, CustomTestStringConvertible {
        let fault: SandboxFault
        let code: String
        /// Whether the provider may have been asked for tokens, and for the userinfo.
        var tokens = 1
        var userinfo = 0
        /// What the provider's settings need to make the fault one.
        var settings = ""

        var testDescription: String { self.fault.rawValue }
    }

    static let rows: [Row] = [
        Row(fault: .repeatedCode, code: "invalid_response", tokens: 0),
        Row(fault: .missingCode, code: "invalid_response", tokens: 0),
        Row(fault: .wrongResponseIssuer, code: "invalid_response", tokens: 0),
        Row(fault: .missingResponseIssuer, code: "invalid_response", tokens: 0),
        Row(fault: .accessDenied, code: "user_cancelled", tokens: 0),
        Row(fault: .serverError, code: "broker_error", tokens: 0),
        Row(fault: .loginRequired, code: "broker_error", tokens: 0),
        Row(fault: .wrongIssuer, code: "invalid_token"),
        Row(fault: .missingIssuer, code: "invalid_token"),
        Row(fault: .wrongAudience, code: "invalid_token"),
        Row(fault: .missingAudience, code: "invalid_token"),
        Row(fault: .secondAudience, code: "invalid_token"),
        Row(fault: .wrongAuthorizedParty, code: "invalid_token"),
        Row(fault: .wrongNonce, code: "invalid_token"),
        Row(fault: .missingNonce, code: "invalid_token"),
        Row(fault: .expired, code: "invalid_token"),
        Row(fault: .missingExpiry, code: "invalid_token"),
        Row(fault: .missingIssuedAt, code: "invalid_token"),
        Row(fault: .issuedInTheFuture, code: "invalid_token"),
        Row(fault: .issuedLongAgo, code: "invalid_token"),
        Row(fault: .missingSubject, code: "invalid_token"),
        Row(fault: .badSignatureRS256, code: "invalid_token"),
        Row(fault: .unsigned, code: "invalid_token"),
        Row(fault: .publicKeyAsSecret, code: "invalid_token"),
        Row(fault: .unknownKeyID, code: "invalid_token"),
        Row(fault: .noKeyIDSeveralKeys, code: "invalid_token"),
        Row(fault: .wrongAccessTokenHash, code: "invalid_token"),
        Row(fault: .accessTokenType, code: "invalid_token"),
        Row(fault: .staleAuthentication, code: "not_fresh", settings: ", prompt: login"),
        Row(fault: .missingAuthenticationTime, code: "not_fresh", settings: ", max_age: 60"),
        Row(fault: .wrongContextClass, code: "assurance_too_low", settings: ", acr_values: [substantial]"),
        Row(fault: .userinfoWrongSubject, code: "invalid_token", userinfo: 1),
        Row(fault: .userinfoMissingSubject, code: "invalid_token", userinfo: 1),
        Row(fault: .userinfoServerError, code: "broker_unavailable", userinfo: 1),
        Row(fault: .tokenInvalidGrant, code: "broker_error"),
        Row(fault: .tokenServerError, code: "broker_unavailable"),
        Row(fault: .tokenWrongContentType, code: "broker_unavailable"),
        Row(fault: .tokenBrokenJSON, code: "broker_unavailable"),
        Row(fault: .tokenHuge, code: "broker_unavailable"),
        Row(fault: .tokenDead, code: "broker_unavailable"),
        Row(fault: .tokenWithoutIDToken, code: "invalid_token"),
        Row(fault: .tokenTypeUnknown, code: "invalid_token"),
    ]

    @Test(arguments: rows, [BrokerVariant.query, .formPost])
    func aRefusalIsFinal(_ row: Row, _ variant: BrokerVariant) async throws {
        let server = try await RunningServer.start([variant], providers: row.settings)
        let app = PhoneApp(server.url)
        let created = try await app.create(variant.name)
        // A second tab, whose right answer comes afterwards.
        let other = try await ScriptedBrowser(opening: try #require(created.nextURL))
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await browser.submit(["fault": row.fault.rawValue], button: "approve")
        if variant.responseMode == "form_post", browser.form != nil { try await browser.submit() }

        let login = try await app.waitForEnd()
        #expect(login["reason"]?["code"]?.string == row.code)
        #expect(login["status"]?.string == (row.code == "user_cancelled" ? "cancelled" : "failed"))
        #expect(login["identity"] == nil || login["identity"] == .null)
        #expect(server.sandbox.count(of: .token) == row.tokens)
        #expect(server.sandbox.count(of: .userinfo) == row.userinfo)

        var late = other
        try await late.submit(button: "approve")
        if variant.responseMode == "form_post", late.form != nil { try await late.submit() }
        let after = try await app.poll(wait: 1)
        #expect(after.json?["status"] == login["status"], "nothing revives it")
        #expect(after.json?["version"] == login["version"])
        #expect(server.sandbox.count(of: .token) == row.tokens)
        await server.stop()
    }

    /// Every fault of the sandbox is a row, or harmless, or tested by itself.
    @Test func everyFaultIsARow() {
        let elsewhere: Set<SandboxFault> = [
            .wrongState, .missingState, .repeatedState, .errorWithWrongState, .errorWithoutIssuer, .tokenSlow,
            .badSignatureES256, .otherAlgorithm, .discoveryIssuerMismatch,
        ]
        let rows = Set(Self.rows.map(\.fault)).union(elsewhere)
        #expect(SandboxFault.allCases.filter { !rows.contains($0) && !$0.isHarmless } == [])
    }

    /// Without a state that is ours nobody can say whose login it is: nothing changes, and time ends it.
    @Test(arguments: [SandboxFault.wrongState, .missingState, .repeatedState, .errorWithWrongState])
    func aForgedStateTouchesNoLogin(_ fault: SandboxFault) async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        let other = try await ScriptedBrowser(opening: try #require(created.nextURL))
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await browser.submit(["fault": fault.rawValue], button: "approve")
        #expect(browser.url.hasSuffix("/done/unknown"))
        #expect(!browser.page.text.contains("code="))
        #expect(try await app.poll().json?["version"]?.integer == 1)
        #expect(server.sandbox.count(of: .token) == 0)

        // One is logged in by the right answer in the other tab; a second one is ended by time, for good.
        let second = PhoneApp(server.url)
        let createdSecond = try await second.create(BrokerVariant.query.name)
        var lateBrowser = try await ScriptedBrowser(opening: try #require(createdSecond.nextURL))
        var right = other
        try await right.submit(button: "approve")
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        server.clock.advance(by: .seconds(601))
        #expect(try await second.poll().json?["reason"]?["code"]?.string == "timeout")
        try await lateBrowser.submit(button: "approve")
        #expect(try await second.poll().json?["status"]?.string == "expired")
        await server.stop()
    }

    /// Before it, with it and after it: keys that change are noticed by the next login, not by the one before.
    @Test(arguments: SandboxFault.allCases.filter(\.isHarmless))
    func whatIsHarmlessLogsIn(_ fault: SandboxFault) async throws {
        let server = try await RunningServer.start([.query])
        for choice in ["", fault.rawValue, ""] {
            let app = PhoneApp(server.url)
            let created = try await app.create(BrokerVariant.query.name)
            var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
            try await browser.submit(["fault": choice], button: "approve")
            // `answered-twice` shows a page that sends the answer, twice.
            if let form = browser.form, form.action.contains("/callback/") {
                let callback = try browser.submission()
                _ = try await ScriptedBrowser.send(callback)
                try await browser.perform(callback)
            }
            let login = try await app.waitForEnd()
            #expect(login["status"]?.string == "completed", "\(choice): \(server.log.text.suffix(400))")
        }
        await server.stop()
    }

    @Test(arguments: [SandboxFault.badSignatureES256, .otherAlgorithm])
    func aTokenOfAnotherAlgorithmIsRefused(_ fault: SandboxFault) async throws {
        let variant = BrokerVariant(idTokenAlgorithm: "ES256")
        let server = try await RunningServer.start([variant], algorithms: "ES256")
        let app = PhoneApp(server.url)
        let created = try await app.create(variant.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await browser.submit(["fault": fault.rawValue], button: "approve")
        #expect(try await app.waitForEnd()["reason"]?["code"]?.string == "invalid_token")
        await server.stop()
    }

    @Test func aSlowTokenEndpointIsNotWaitedForForever() async throws {
        let server = try await RunningServer.start([.query], brokerTimeout: 1)
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await browser.submit(["fault": SandboxFault.tokenSlow.rawValue], button: "approve")
        #expect(try await app.waitForEnd()["reason"]?["code"]?.string == "broker_unavailable")
        await server.stop()
    }

    /// After the real code has been taken, junk is let fall, and the real one sees its page again.
    @Test func junkAfterTheRealCodeChangesNothing() async throws {
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
            #expect(answer[.location]?.hasSuffix("/done/unknown") == true, "\(query)")
        }
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        #expect(try await ScriptedBrowser.send(callback)[.location] == real[.location])
        #expect(server.sandbox.count(of: .token) == 1)
        await server.stop()
    }

    @Test func aCallbackThatOnlyLooksChangesNothing() async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        let callback = try await browser.callback(of: .query)
        _ = try await TestClient.send("HEAD", callback.url)
        for purpose in ["Sec-Purpose", "Purpose"] {
            let answer = try await TestClient.send("GET", callback.url, fields: [(purpose, "prefetch")])
            #expect(answer.status == 503)
            #expect(answer[.cacheControl] == "no-store")
        }
        #expect(try await app.poll().json?["status"]?.string == "pending")
        #expect(server.sandbox.count(of: .token) == 0)
        _ = try await ScriptedBrowser.send(callback)
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        await server.stop()
    }
}
