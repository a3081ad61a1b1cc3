import EndToEndSupport
import Testing

/// Logins at third-party OpenID providers.
@Suite(
    .enabled(if: ForeignTools.areWanted, ForeignTools.howToGetThem), .serialized, WithForeignProviders())
struct ForeignLoginTests {
    let stage: ForeignStage

    init() throws { self.stage = try #require(ForeignStage.current) }

    @Test func `no foreign tool is missing`() {
        #expect(ForeignTools.missing == nil)
    }

    @Test(arguments: ForeignVariant.all)
    func `a login completes at each foreign provider`(_ variant: ForeignVariant) async throws {
        var browser = CookieBrowser()
        for provider in [variant.name] + (variant.program.takesPrompt ? [variant.prompting] : []) {
            var login = try await self.stage.logIn(provider, with: &browser)
            for _ in 1..<variant.tries where login["reason"]?["code"]?.string == "invalid_token" {
                login = try await self.stage.logIn(provider, with: &browser)
            }
            self.stage.expectErika(login, provider, at: variant.program)
        }
        #expect(browser.url.contains("/done/") && !browser.url.contains("code="))
    }

    @Test(arguments: ForeignRefusal.all) func `each wrong response is refused`(_ refusal: ForeignRefusal) async throws {
        let provider = try #require(self.stage.providers[refusal.variant.program])
        let asked = provider.tokenRequests
        let said = self.stage.server.log.text.utf8.count
        let ignored = try await self.ignoredCallbacks()
        var browser = CookieBrowser()
        let login =
            if refusal.reason == nil {
                try await self.stage.strand(refusal.variant.name, with: &browser)
            } else {
                try await self.stage.logIn(refusal.variant.name, with: &browser)
            }
        #expect(login["status"]?.string == (refusal.reason == nil ? "pending" : "failed"))
        #expect(login["reason"]?["code"]?.string == refusal.reason)
        if refusal.stop == .state {
            // The log names one ignored callback a minute; the metric counts them all.
            #expect(try await self.ignoredCallbacks() == ignored + 1)
        } else {
            let errors = try await self.stage.server.log.brokerErrors(
                after: said, expected: refusal.brokerErrors.count)
            #expect(errors.count == refusal.brokerErrors.count)
            #expect(zip(errors, refusal.brokerErrors).allSatisfy { $0.hasPrefix($1) }, "\(errors)")
        }
        #expect(provider.tokenRequests - asked == refusal.tokenRequests)
        self.expect(browser, at: refusal.stop, of: provider)
    }

    private func ignoredCallbacks() async throws -> Int {
        let metrics = try await TestClient.send("GET", "\(self.stage.server.operations)/metrics").text
        let found = metrics.firstMatch(of: /switchback_callbacks_ignored_total{cause="state_missing"} ([0-9]+)/)
        return found.flatMap { Int($0.1) } ?? 0
    }

    /// Checks where the browser ends, and the status of its page.
    private func expect(_ browser: CookieBrowser, at stop: ForeignRefusal.Stop, of provider: ForeignProvider) {
        let (place, status) =
            switch stop {
            case .push(let error):
                ("\(self.stage.server.url)/go/", ForeignRefusal.isForGood(error) ? 200 : 503)
            case .page: (provider.issuer, 400)
            case .state: ("\(self.stage.server.url)/done/unknown", 404)
            case .answer, .token: ("\(self.stage.server.url)/done/", 200)
            }
        #expect(browser.url.hasPrefix(place), "\(browser.url)")
        #expect(browser.page.status == status)
    }
}
