import EndToEndSupport
import Sandbox
import StrictJSON
import Testing

/// Plays one module with a server, a provider, an app and two tabs; the second tab brings a correct response later.
struct ConformanceStage {
    let server: RunningServer
    private let variant: BrokerVariant
    private let app: PhoneApp

    init(_ variant: BrokerVariant, _ row: ConformanceRow) async throws {
        self.variant = variant
        let algorithms = variant.idTokenAlgorithm == "ES256" ? "ES256" : nil
        self.server = try await RunningServer.start([variant], providers: row.settings, algorithms: algorithms)
        self.app = PhoneApp(self.server.url)
    }

    /// Logs in before the fault, with it and after it: the next login notices changed keys, not the one before.
    func accepts(_ name: String, standing: Bool) async throws {
        if standing { try self.server.sandbox.setFault(name, for: self.variant.name) }
        for choice in standing ? ["", ""] : ["", name, ""] {
            let app = PhoneApp(self.server.url)
            var browser = try await self.open(app)
            if self.variant.requestStyle.hasPrefix("par") { self.expectOnlyTheRequestURI(browser.url) }
            try await app.finish(&browser, self.variant, fault: choice)
            // `answered-twice` shows a page that sends the response; we send it twice.
            if self.variant.callback == "backend", let form = browser.form, form.action.contains("/callback/") {
                let callback = try browser.submission()
                _ = try await ScriptedBrowser.send(callback)
                try await browser.perform(callback)
            }
            let login = try await app.waitForEnd()
            #expect(login["status"]?.string == "completed", "\(choice): \(self.server.log.text.suffix(600))")
        }
        #expect(self.server.sandbox.count(of: .userinfo) == (standing ? 2 : 3), "the token was in the header")
    }

    func refuses(_ name: String, standing: Bool, _ reason: String, tokens: Int, userinfo: Int) async throws {
        let late = try await self.openFirst()
        var browser = try await self.open(self.app, late.cookies)
        let mayRetry = self.server.sandbox.count(of: .token)
        if standing { try self.server.sandbox.setFault(name, for: self.variant.name) }
        try await self.app.finish(&browser, self.variant, fault: standing ? "" : name)
        let login = try await self.app.waitForEnd()
        if standing { try self.server.sandbox.setFault(nil, for: self.variant.name) }

        #expect(login["reason"]?["code"]?.string == reason, "\(self.server.log.text.suffix(600))")
        #expect(login["status"]?.string == (reason == "user_cancelled" ? "cancelled" : "failed"))
        #expect(login["identity"] == nil)
        #expect(login["assertion"] == nil)
        #expect(self.server.sandbox.count(of: .token) == mayRetry + tokens)
        #expect(self.server.sandbox.count(of: .userinfo) == userinfo)
        if self.variant.callback == "backend" {
            let page = try await self.reloaded(browser)
            #expect(page.url.contains("/done/"))
            self.expectFixedText(on: page, reason)
        }
        try await self.expectNothingRevives(late, login)
        #expect(self.server.sandbox.count(of: .token) == mayRetry + tokens)
    }

    func letsFall(_ name: String) async throws {
        let late = try await self.openFirst()
        var browser = try await self.open(self.app, late.cookies)
        if self.variant.callback == "app" {
            let answer = try await self.handIn(browser, fault: name)
            #expect(answer.status == 422)
            #expect(answer.json?["code"]?.string == "not_ours")
        } else {
            try await self.app.finish(&browser, self.variant, fault: name)
            #expect(browser.url.hasSuffix("/done/unknown"))
            #expect(browser.page.text.contains("No login is in progress"))
        }
        #expect(try await self.app.poll().json?["version"]?.integer == 1, "no login changed")
        #expect(self.server.sandbox.count(of: .token) == 0)

        self.server.clock.advance(by: .seconds(601))
        let login = try #require(try await self.app.poll().json)
        #expect(login["status"]?.string == "expired")
        #expect(login["reason"]?["code"]?.string == "timeout")
        try await self.expectNothingRevives(late, login)
        #expect(self.server.sandbox.count(of: .token) == 0)
    }

    func doesNotAsk(_ name: String) async throws {
        try self.server.sandbox.setFault(name, for: self.variant.name)
        let created = try await self.app.create(self.variant.name)
        let browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        #expect(browser.page.status == 503)
        #expect(browser.page.text.contains("We cannot continue right now"))
        #expect(self.server.sandbox.count(of: .authorize) == 0)
        #expect(try await self.app.poll().json?["status"]?.string == "pending", "the login stays open")
    }

    func cannotAsk(_ name: String, _ reason: String) async throws {
        try self.server.sandbox.setFault(name, for: self.variant.name)
        let browser = try await self.open(self.app)
        self.expectFixedText(on: browser, reason)
        #expect(self.server.sandbox.count(of: .authorize) == 0)
        let login = try #require(try await self.app.poll().json)
        #expect(login["status"]?.string == "failed")
        #expect(login["reason"]?["code"]?.string == reason)
    }
}

// MARK: - Parts

extension ConformanceStage {
    private func openFirst() async throws -> ScriptedBrowser {
        _ = try await self.app.create(self.variant.name)
        return try await self.open(self.app)
    }

    /// With the cookies of another window it is the same authorization attempt, so its response is the login's only
    /// one.
    private func open(_ app: PhoneApp, _ cookies: CookieJar = CookieJar()) async throws -> ScriptedBrowser {
        let created = try await app.create(self.variant.name)
        return try await ScriptedBrowser(opening: try #require(created.nextURL), cookies: cookies)
    }

    private func handIn(_ browser: ScriptedBrowser, fault: String) async throws -> Answer {
        let answer = try await ScriptedBrowser.send(try browser.submission(["fault": fault], button: "approve"))
        return try await self.app.reportReturn(["url": .string(try #require(answer[.location]))])
    }

    private func reloaded(_ browser: ScriptedBrowser) async throws -> ScriptedBrowser {
        var browser = browser
        try await browser.reload()
        return browser
    }

    /// Checks that the page has our own text, and none of the provider's.
    private func expectFixedText(on browser: ScriptedBrowser, _ reason: String) {
        let title = reason == "user_cancelled" ? "The login was cancelled" : "You are not logged in"
        #expect(browser.page.text.contains(title))
        for word in ["code=", "error=", "access_denied", "server_error", "somebody-else"] {
            #expect(!browser.page.text.contains(word), "\(word)")
        }
    }

    /// Checks that the parameters are only those of a pushed request (RFC 9126 §4).
    private func expectOnlyTheRequestURI(_ url: String) {
        let names = url.split(separator: "?").last?.split(separator: "&").compactMap { $0.split(separator: "=").first }
        #expect(names == ["client_id", "request_uri"])
    }

    /// Checks that a correct response in the second tab changes nothing.
    private func expectNothingRevives(_ late: ScriptedBrowser, _ login: JSON) async throws {
        var late = late
        try await self.app.finish(&late, self.variant)
        let after = try await self.app.poll(wait: 1)
        #expect(after.json?["status"] == login["status"], "a late response does not revive it")
        #expect(after.json?["version"] == login["version"])
    }
}
