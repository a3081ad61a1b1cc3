import Base
import EndToEndSupport
import Sandbox
import StrictJSON
import Testing

/// Logins in the forms of the brokers' documents, where the sandbox plays newer ones.
@Suite(.blocking) struct DocumentLoginTests {
    private static let launchLinks = FailingBroker(
        kind: "idura", system: .idura,
        provider: ", flow: launch_links, acr_values: [\"urn:grn:authn:se:bankid:same-device\"]",
        settings: "client_secret: secret, response_mode: json, poll_interval: 0")

    /// Criipto's launch links as both documents have them: `launchLinks`, `cancelUrl` and `completeUrl`, and no more. The
    /// app is opened by a link without parameters, and `completeUrl` is fetched as it is, whatever its query looks like.
    ///
    /// Sources: A16, A22, A23, B5.
    @Test(arguments: ["", "&keep=%C3%A6+x", "&&a", "&a=%2f%2F&a=", "&%7Eq=~"])
    func `Criipto's launch links complete a login`(_ query: String) async throws {
        let stage = try await FailingStage(Self.launchLinks)
        stage.front.conduct(
            at: "/authorize",
            .changesDocument { document in
                document["pollUrl"] = nil
                document["completeUrl"] = .string((document["completeUrl"]?.string ?? "") + query)
            })
        let app = PhoneApp(stage.url)
        let created = try await app.create(FailingStage.provider, ["platform": "ios"])
        #expect(created.json?["next"]?["action"]?.string == "open_app")
        let link = try #require(created.json?["next"]?["universal_link"]?.string)
        var browser = try await ScriptedBrowser(opening: link)
        try await browser.submit(button: "approve")
        #expect(try await app.reportReturn(["url": .null]).status == 200)
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        let asked = try #require(stage.front.heard.first { $0.path.hasSuffix("complete") }?.request)
        let target = try #require(asked.split(separator: " ").dropFirst().first)
        #expect(target.wholeMatch(of: /\/[a-z\/]*complete\?order=[^&]+(.*)/)?.1 ?? "" == query, "\(target)")
        await stage.stop()
    }

    /// Signaturgruppen: only the backend has tokens.
    ///
    /// Sources: D12.
    @Test func `no token leaves the backend`() async throws {
        let stage = try await FailingStage()
        let app = PhoneApp(stage.url)
        var browser = try await stage.open(app)
        try await browser.submit(button: "approve")
        let login = try await app.waitForEnd()
        #expect(login["status"]?.string == "completed")
        let answer = try #require(stage.front.heard.first { $0.path == "/token" }?.answer)
        let body = try #require(answer.firstMatch(of: /\r\n\r\n(.*)/)?.1)
        let tokens = try JSON(parsing: Array(body.utf8))
        let told = [
            String(decoding: login.encoded(), as: UTF8.self), try await app.poll().text, browser.page.text,
            stage.log.text,
        ]
        for name in ["access_token", "id_token"] {
            let token = try #require(tokens[name]?.string)
            #expect(!told.contains { $0.contains(token) }, "\(name)")
        }
        await stage.stop()
    }
}
