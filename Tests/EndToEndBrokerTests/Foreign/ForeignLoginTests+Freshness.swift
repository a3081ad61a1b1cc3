// Repeated logins at canaille, the only foreign provider that keeps users logged in.
import EndToEndSupport
import Testing

extension ForeignLoginTests {

    /// `prompt=login` also asks users who are logged in at the provider (Core 3.1.2.1).
    @Test func `a user who is logged in is asked again`() async throws {
        let twice = ForeignVariant.twice
        var browser = CookieBrowser()
        let first = try await self.stage.logIn(twice.name, with: &browser)
        self.stage.expectErika(first, twice.name, at: .canaille)
        let count = browser.submissions.count

        try await self.stage.waitForNextSecond()
        let second = try await self.stage.logIn(twice.prompting, with: &browser)
        self.stage.expectErika(second, twice.prompting, at: .canaille)
        #expect(browser.submissions.dropFirst(count).map { $0.suffix(14) } == ["/auth/password"])
    }

    /// Canaille ignores `prompt=login` in a signed request and lets the user through; we refuse the login.
    @Test func `a user who was not asked again is not believed`() async throws {
        let twice = ForeignVariant.signedTwice
        var browser = CookieBrowser()
        let first = try await self.stage.logIn(twice.name, with: &browser)
        self.stage.expectErika(first, twice.name, at: .canaille)
        let count = browser.submissions.count

        try await self.stage.waitForNextSecond()
        let login = try await self.stage.logIn(twice.prompting, with: &browser)
        #expect(browser.submissions.count == count)
        #expect(login["status"]?.string == "failed")
        #expect(login["reason"]?["code"]?.string == "not_fresh")
    }
}

extension ForeignVariant {
    /// For a user who logs in twice in one browser.
    static let twice = Self(program: .canaille, suffix: "twice")
    static let signedTwice = Self(program: .canaille, how: BrokerVariant(requestStyle: "jar"), suffix: "twice")
}
