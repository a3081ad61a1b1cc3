/// Logins at canaille: a web application with pages, cookies, sessions and consent, on authlib.
import JOSE
import Testing

@Suite(
    .enabled(if: ForeignTools.areWanted, "\(ForeignTools.howToGetThem)"), .serialized,
    WithForeignProvider(.canaille))
struct ForeignCanailleLogins {
    let stage: ForeignStage

    init() throws { self.stage = try #require(ForeignStage.current) }

    @Test(arguments: ForeignVariant.all(for: .canaille)) func logsIn(_ variant: ForeignVariant) async throws {
        var browser = CookieBrowser()
        let login = try await self.stage.logIn(variant.name, with: &browser)
        self.stage.expectErika(login, variant.name)
        #expect(login["identity"]?["subject"]?.string == "erika")
        #expect(browser.url.contains("/done/") && !browser.url.contains("code="))
    }

    /// RFC 6749 §5.2: the code was good, the client was not.
    @Test(arguments: ForeignVariant.refused) func refusesAnotherClientsProof(_ variant: ForeignVariant) async throws {
        var browser = CookieBrowser()
        let login = try await self.stage.logIn(variant.name, with: &browser)
        #expect(login["status"]?.string == "failed")
        #expect(login["reason"]?["code"]?.string == "broker_error", "\(login["reason"] ?? .null)")
    }

    /// RFC 9101 §10.2: what others have signed goes no further than to the provider.
    @Test func refusesAnothersSignedRequest() async throws {
        var browser = CookieBrowser()
        await #expect(throws: TestClient.Failure.self) {
            try await self.stage.logIn(ForeignVariant.refusedRequest.name, with: &browser)
        }
        #expect(browser.page.status == 400)
        #expect(browser.url.hasPrefix(self.stage.provider.issuer))
    }

    /// Core 3.1.2.1: `prompt=login` asks also those who are logged in at the provider.
    @Test func whoIsLoggedInIsAskedAgain() async throws {
        let twice = ForeignVariant.twice
        var browser = CookieBrowser()
        self.stage.expectErika(try await self.stage.logIn(twice.name, with: &browser), twice.name)
        let count = browser.submissions.count

        try await self.stage.waitForNextSecond()
        self.stage.expectErika(try await self.stage.logIn(twice.prompting, with: &browser), twice.prompting)
        #expect(browser.submissions.dropFirst(count).map { $0.suffix(14) } == ["/auth/password"])
    }

    /// canaille does not see `prompt=login` in a signed request, and lets the person through: we do not.
    @Test func whoWasNotAskedAgainIsNotBelieved() async throws {
        let twice = ForeignVariant.signedTwice
        var browser = CookieBrowser()
        self.stage.expectErika(try await self.stage.logIn(twice.name, with: &browser), twice.name)
        let count = browser.submissions.count

        try await self.stage.waitForNextSecond()
        let login = try await self.stage.logIn(twice.prompting, with: &browser)
        #expect(browser.submissions.count == count)
        #expect(login["status"]?.string == "failed")
        #expect(login["reason"]?["code"]?.string == "not_fresh")
    }
}
