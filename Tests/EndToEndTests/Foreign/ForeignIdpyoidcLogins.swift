/// Logins at idpyoidc: a library's provider with one plain page, which answers by query and by form.
import JOSE
import Testing

@Suite(
    .enabled(if: ForeignTools.areWanted, "\(ForeignTools.howToGetThem)"), .serialized,
    WithForeignProvider(.idpyoidc))
struct ForeignIdpyoidcLogins {
    let stage: ForeignStage

    init() throws { self.stage = try #require(ForeignStage.current) }

    @Test(arguments: ForeignVariant.all(for: .idpyoidc)) func logsIn(_ variant: ForeignVariant) async throws {
        var browser = CookieBrowser()
        for provider in [variant.name, variant.prompting] {
            let login = try await self.stage.logIn(provider, with: &browser)
            self.stage.expectErika(login, provider)
            #expect(login["identity"]?["subject"]?.string?.isEmpty == false)
        }
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
}
