/// The pages: every kind in every language, escaped, strict, and readable without script.
import Brokers
import HTTPWire
import Logins
import Testing

@testable import Switchback

@Suite struct PageTests {
    static let folder = PublicFolder(HandlerBench.publicFolder)
    static let languages = ["da", "en"]
    static let kinds: [PageView.Kind] =
        [
            .completing, .awaitingReturn, .completed, .cancelled, .expired, .unavailable, .openElsewhere, .neutral,
            .linkOpened,
        ]
        + Reason.allCases.map { .failed($0) }

    static func page(
        _ view: PageView, _ languages: [String] = [],
        app: AppSurface = AppSurface(
            names: ["en": "Demo", "da": "Prøven"], returnPrefixes: ["https://link.example.com/r/"])
    ) throws -> Response {
        try Pages(Self.folder, apps: ["demo": app]).response(view, languages: languages)
    }

    @Test(arguments: kinds, languages) func everyKindInEveryLanguage(_ kind: PageView.Kind, _ language: String) throws {
        let isOurs = kind != .neutral
        var view = PageView(
            kind, reference: isOurs ? "K7QX-2M4P" : nil, app: isOurs ? "demo" : nil, locale: language)
        if isOurs { view.returnURL = "https://link.example.com/r/" }
        let page = try Self.page(view)
        let text = page.text
        #expect(page.fields[.contentType] == "text/html; charset=utf-8")
        #expect(page.fields[.cacheControl] == "no-store")
        #expect(page.fields[.contentLanguage] == language)
        #expect((page.fields[.refresh] == "2") == view.mayChange)
        #expect(text.contains("<html lang=\"\(language)\" dir=\"ltr\">"))
        #expect(text.contains("<title>") && text.contains("<h1>") && text.contains("role=\"status\""))
        #expect(!text.contains("{{") && !text.contains("{app}"))
        #expect(text.contains("K7QX-2M4P") == isOurs)
        #expect(text.contains("href=\"https://link.example.com/r/\"") == isOurs)
        #expect(text.contains(language == "da" ? "Prøven" : "Demo") == isOurs)
        #expect(!text.contains("class=\"code\""))
    }

    /// The proofs are there for this browser only.
    @Test func thePageOfALoginThatWaitsForItsProof() throws {
        var view = PageView(.awaitingReturn, reference: "K7QX-2M4P", app: "demo")
        view.returnURL = "https://link.example.com/r/?login=abc&proof=def"
        view.code = "012345"
        let page = try Self.page(view)
        #expect(page.text.contains("href=\"https://link.example.com/r/?login=abc&amp;proof=def\""))
        #expect(page.text.contains("<strong class=\"code\"><span>012</span><span>345</span></strong>"))
        #expect(page.text.contains("Never tell it to anyone"))
        #expect(page.fields[.refresh] == nil)
        #expect(page.fields[.cacheControl] == "no-store")
    }

    /// What the policy forbids is not there, so nobody notices that it is forbidden.
    @Test(arguments: kinds) func nothingThatThePolicyForbids(_ kind: PageView.Kind) throws {
        let text = try Self.page(PageView(kind, reference: "K7QX-2M4P", app: "demo")).text.lowercased()
        for forbidden in [
            "<script", "<style", "style=", " onclick", "<form", "<iframe", "<base", "src=\"http", "@import",
        ] {
            #expect(!text.contains(forbidden))
        }
    }

    @Test func theStyleSheetLoadsNothing() throws {
        let style = try Self.folder.text(of: "assets/switchback.css")
        #expect(!style.contains("url(") && !style.contains("@import"))
        #expect(style.contains("prefers-color-scheme: dark"))
        #expect(!(try Self.folder.text(of: "assets/favicon.svg")).contains("<script"))
    }

    /// Names and links come from a configuration, and still nothing of them is markup.
    @Test func hostileTextsAreText() throws {
        let hostile = "<script>alert('1')</script>\"&{app}{{title}}"
        var view = PageView(.completed, reference: "\"><b>", app: "demo")
        view.returnURL = "com.example:/\"onclick=\"x"
        let page = try Self.page(view, app: AppSurface(names: ["en": hostile], returnPrefixes: []))
        #expect(!page.text.contains("<script") && !page.text.contains("<b>") && !page.text.contains("\"onclick"))
        #expect(page.text.contains("&lt;script&gt;"))
        #expect(page.text.contains("&amp;{app}{{title}}"))
    }

    @Test func statusesSayTheSameAsThePage() throws {
        #expect(try Self.page(PageView(.completed)).status == .ok)
        #expect(try Self.page(PageView(.failed(.brokerError))).status == .ok)
        #expect(try Self.page(PageView(.openElsewhere)).status == .conflict)
        #expect(try Self.page(PageView(.neutral)).status == .notFound)
        let unavailable = try Self.page(PageView(.unavailable))
        #expect(unavailable.status == .serviceUnavailable)
        #expect(unavailable.fields[.retryAfter] == "5")
    }

    /// The login's own language first, then the browser's, then English (RFC 4647 §3.4).
    @Test(
        arguments: [
            (nil, [], "en"), (nil, ["da"], "da"), (nil, ["da-DK", "en"], "da"), (nil, ["fr", "da"], "da"),
            (nil, ["fr"], "en"),
            ("da", ["en"], "da"), ("da-DK", [], "da"), ("DA", [], "da"), ("sv", ["da"], "da"),
            ("da-Latn-DK", ["en"], "da"),
            ("", ["da"], "da"),
        ] as [(String?, [String], String)]) func choosesTheLanguage(
            _ locale: String?, _ wanted: [String], _ language: String
        ) throws
    {
        let page = try Self.page(PageView(.completed, locale: locale), wanted)
        #expect(page.fields[.contentLanguage] == language)
    }

    @Test func withoutALinkThereIsAHintAndNoButton() throws {
        let page = try Self.page(PageView(.completed, app: "demo"), app: AppSurface(names: [:], returnPrefixes: []))
        #expect(!page.text.contains("class=\"button\""))
        #expect(page.text.contains("You can close this page."))
        #expect(page.text.contains("Go back to the app"))
    }
}
