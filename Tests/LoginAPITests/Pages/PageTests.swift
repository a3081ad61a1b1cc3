import Base
import Brokers
import Cryptography
import HTTPWire
import Logins
import TestSupport
import Testing

@testable import LoginAPI

/// Tests the pages: every kind in every language, escaped, strict, and readable without script.
@Suite(.blocking) struct PageTests {
    static var folder: PublicFolder {
        get throws(OperatorError) { try PublicFolder() }
    }
    static let languages = ["da", "de", "en", "fi", "fo", "kl", "nb", "nl", "nn", "sv", "sv-FI"]
    static let provider = "MitID"
    static let kinds: [PageView.Kind] =
        [
            .completing, .awaitingReturn, .codeUsedUp, .completed, .acknowledged, .cancelled, .expired, .over,
            .unavailable, .busy, .providerOff, .openElsewhere, .continuedElsewhere, .neutral, .linkOpened,
        ]
        + PageView.Notice.allCases.map { .notice($0) } + Reason.allCases.map { .failed($0) }

    static var all: PageSettings {
        var settings = PageSettings()
        settings.allowsDraftLanguages = true
        return settings
    }

    static func page(
        _ view: PageView, _ languages: [String] = [], app: AppProfile? = nil, isWatched: Bool = false
    ) throws -> Response {
        let pages = try app.map { try Self.pages(of: $0) } ?? Self.usual.get()
        return pages.response(view, languages: languages, isWatched: isWatched)
    }

    /// Read once, because parsing all languages takes longer than most tests.
    private static let usual = Result {
        try Self.pages(
            of: AppProfile(
                names: ["en": "Demo", "da": "Prøven"], returnPrefixes: ["https://link.example.com/r/"]))
    }

    private static func pages(of app: AppProfile) throws -> Pages {
        try Pages(
            try Self.folder, apps: ["demo": app], providers: ["mitid": ["en": Self.provider]], settings: Self.all)
    }

    @Test(arguments: kinds, languages)
    func `every kind is rendered in every language`(_ kind: PageView.Kind, _ language: String) throws {
        let isOurs = kind != .neutral
        var view = PageView(
            kind, reference: isOurs ? "K7QX-2M4P" : nil, app: isOurs ? "demo" : nil,
            provider: isOurs ? "mitid" : nil, locale: language)
        if isOurs { view.returnURL = "https://link.example.com/r/" }
        let page = try Self.page(view)
        let text = page.text
        #expect(page.fields[.contentType] == "text/html; charset=utf-8")
        #expect(page.fields[.cacheControl] == "no-store")
        #expect(page.fields[.contentLanguage] == language)
        #expect(page.fields[.vary] == "accept-language")
        #expect((page.fields[.refresh] == "5") == view.mayChange)
        #expect(text.contains("<html lang=\"\(language)\" dir=\"ltr\">"))
        #expect(text.contains("<title>") && text.contains("<h1>") && text.contains("role=\"status\""))
        #expect(!text.contains("{") && !text.contains("}") && !text.contains("|"))
        #expect(text.contains("K7QX-2M4P") == view.isFailure)
        #expect(text.contains("class=\"good\"") == (kind == .completed || kind == .acknowledged))
        #expect(text.contains("href=\"https://link.example.com/r/\"") == (isOurs && kind != .continuedElsewhere))
        let name = ["da", "fo", "kl"].contains(language) ? "Prøven" : "Demo"
        #expect(text.contains(name) == isOurs)
        #expect(!text.contains("id=\"again\""))
        let title = try #require(text.firstMatch(of: /<title>(.*)<\/title>/)).1
        let heading = try #require(text.firstMatch(of: /<h1>(.*)<\/h1>/)).1
        let end = isOurs && !heading.contains(name) ? " – \(name)" : ""
        #expect(!title.contains("\u{AD}") && title == heading.replacing("\u{AD}", with: "") + end)
        #expect(!text.contains("class=\"code\""))
        #expect(!text.contains("data-state") && !text.contains("<script"))
    }

    /// Pages are rendered once where nothing in them varies: whatever was shown before, each view gets its own page.
    @Test func `no view gets the page of another`() throws {
        let apps = [
            "demo": AppProfile(names: ["en": "Demo"], returnPrefixes: []),
            "shop": AppProfile(names: ["en": "Shop", "da": "Butik"], returnPrefixes: []),
        ]
        let pages = try Pages(Self.folder, apps: apps, providers: ["mitid": ["en": "MitID"]])
        let strings = try PageStrings(Self.folder)
        var views: [PageView] = []
        for kind in Self.kinds {
            for app in [nil, "demo", "shop", "unknown"] {
                for bits in 0..<64 {
                    var view = PageView(
                        kind, reference: bits & 1 == 0 ? nil : "K7QX-2M4P", app: app,
                        provider: bits & 2 == 0 ? nil : "mitid")
                    view.isCodeOnly = bits & 2 != 0
                    view.isEnding = bits & 4 != 0
                    if bits & 8 != 0 { view.code = "012345" }
                    if bits & 16 != 0 { view.returnURL = "https://link.example.com/r/?login=\(bits)" }
                    view.canRetry = bits & 32 != 0
                    // `Pages.response` sets this time on such a page.
                    if view.canRetry, kind == .unavailable || kind == .busy { view.reloadsAfter = 10 }
                    views.append(view)
                }
            }
        }
        let some = TestTier.few(views.shuffled(), oneOf: 8)
        for view in (some + some).shuffled() {
            for (language, isWatched) in [("da", false), ("da", true), ("en", false), ("en", true)] {
                let page = pages.response(view, languages: [language], isWatched: isWatched).text
                let whole = pages.html(view, in: strings.language(for: [language]), isWatched: isWatched)
                #expect(Array(page.utf8) == whole)
            }
        }
    }

    /// Only this browser gets the proofs.
    @Test func `the page of a login that waits has its proofs`() throws {
        let page = try Self.page(Self.waiting)
        #expect(page.text.contains("href=\"https://link.example.com/r/?login=abc&amp;proof=def\""))
        let fold = try #require(page.text.firstMatch(of: /(?s)<details id="code">(.*)<\/details>/)).1
        #expect(fold.contains("<summary id=\"fold\">The button does nothing?</summary>"))
        #expect(fold.contains("<p class=\"code\" aria-hidden=\"true\"><span>012</span><wbr><span>345</span></p>"))
        #expect(fold.contains("<p class=\"spoken\">0, 1, 2, 3, 4, 5</p>"))
        #expect(fold.contains("Type it only in Demo on this phone. Never tell it to anyone, not even us."))
        #expect(page.text.contains("class=\"step\"") && page.text.contains("About 5 minutes are left."))
        #expect(page.fields[.cacheControl] == "no-store")
    }

    /// A web page may be open on a computer.
    @Test(arguments: languages) func `the page of a web login names no phone`(_ language: String) throws {
        func page(isOnWeb: Bool) throws -> String {
            var view = Self.waiting
            view.isOnWeb = isOnWeb
            return try Self.page(view, [language]).text.replacing("\u{AD}", with: "")
        }
        let phones = ["phone", "telefon", "Telefon", "telefoon", "puhelim", "oqarasuaa"]
        func namesPhone(_ text: String) -> Bool { phones.contains { text.contains($0) } }
        #expect(try !namesPhone(page(isOnWeb: true)))
        #expect(try namesPhone(page(isOnWeb: false)), "the words of this language")
    }

    @Test func `the code is open where nothing else leads back`() throws {
        var view = Self.waiting
        view.isCodeOnly = true
        view.returnURL = nil
        let text = try Self.page(view).text
        #expect(!text.contains("<details") && !text.contains("class=\"button\""))
        #expect(text.contains("<span>012</span><wbr><span>345</span>"))
        #expect(
            text.contains("Type the code in Demo, but only if you started this login there yourself.")
                && !text.contains("If it asks for a code"))
        #expect(text.contains("Never tell it to anyone, not even us."))
    }

    @Test(arguments: [
        (false, "One step left", "The button still does.", false),
        (true, "The code no longer works", "You are not logged in.", true),
    ]) func `a page says that its code is used up`(
        _ isCodeOnly: Bool, _ title: String, _ words: String, _ isFailure: Bool
    ) throws {
        var view = PageView(.codeUsedUp, reference: "K7QX-2M4P", app: "demo")
        view.isCodeOnly = isCodeOnly
        view.returnURL = "https://link.example.com/r/"
        let text = try Self.page(view).text
        #expect(text.contains("<h1>\(title)</h1>") && text.contains(words))
        #expect(text.contains("K7QX-2M4P") == isFailure)
    }

    @Test func `the last minute is announced`() throws {
        var view = Self.waiting
        view.isEnding = true
        #expect(try Self.page(view).text.contains("Less than a minute is left."))
    }

    private static var waiting: PageView {
        var view = PageView(.awaitingReturn, reference: "K7QX-2M4P", app: "demo")
        view.returnURL = "https://link.example.com/r/?login=abc&proof=def"
        view.code = "012345"
        view.timeLeft = .seconds(299)
        return view
    }

    /// The time has parts of its own, so that a change of it does not announce the rest once more.
    @Test(
        arguments: [
            (299.9, false, false, "data-left=\"299\"", "About 5 minutes are left.", nil),
            (240, false, false, "data-left=\"240\"", "About 4 minutes are left.", nil),
            (61, false, false, "data-left=\"61\"", "About 2 minutes are left.", nil),
            (590, false, true, "data-left=\"590\"", "About 10 minutes are left.", "You have more time now."),
            (59, true, false, "id=\"extend\"", "I need more time", "Less than a minute is left."),
            (59, true, true, "id=\"back\"", "Back to Demo", "Less than a minute is left."),
        ] as [(Double, Bool, Bool, String, String, String?)]) func `a page says how much time is left`(
            _ left: Double, _ isEnding: Bool, _ hasMore: Bool, _ mark: String, _ words: String, _ news: String?
        ) throws
    {
        var view = Self.waiting
        view.timeLeft = .seconds(left)
        view.isEnding = isEnding
        view.hasMoreTime = hasMore
        let text = try Self.page(view).text
        #expect(text.contains(mark) && text.contains(words))
        let region = try #require(text.firstMatch(of: /(?s)<div id="news" role="status" [^>]*>\n(.*?)<\/div>/)).1
        #expect(region == (news.map { "<p>\($0)</p>\n" } ?? ""))
        #expect(text.contains("<form method=\"post\">") == (isEnding && !hasMore))
        let said = try #require(text.firstMatch(of: /(?s)<div id="said" role="status">(.*?)<\/div>/)).1
        #expect(!said.contains("minute"))
        #expect(text.contains("If you did not start this login yourself, close this page."))
    }

    @Test func `a code that is used up is announced beside the rest`() throws {
        var view = PageView(.codeUsedUp, app: "demo")
        view.timeLeft = .seconds(200)
        view.returnURL = "https://link.example.com/r/"
        let text = try Self.page(view).text
        let region = try #require(text.firstMatch(of: /(?s)<div id="news"[^>]*>(.*?)<\/div>/)).1
        #expect(region.contains("so the code no longer works. The button still does."))
    }

    /// A page at its own URL asks for its state, or reloads itself if no script runs.
    @Test(arguments: kinds) func `a page that may change is watched`(_ kind: PageView.Kind) throws {
        let view = PageView(kind, reference: "K7QX-2M4P", app: "demo")
        let page = try Self.page(view, isWatched: true)
        let seconds = kind == .completing ? 5 : 30
        let refresh = "<noscript><meta http-equiv=\"refresh\" content=\"\(seconds)\"></noscript>"
        #expect(page.text.contains(refresh) == !view.isLast)
        #expect(page.text.contains("data-state=\"\(view.state)\"") == !view.isLast)
        #expect(page.text.contains("<script") == !view.isLast)
        #expect(page.fields[.refresh] == nil, "it would load the page again with script, too")
    }

    /// CSP Level 3 §6.7.3.3: the hash is of exactly the content of the element.
    @Test func `the policy names the script that is served`() throws {
        let text = try Self.page(PageView(.completed, app: "demo"), isWatched: true).text
        let scripts = text.matches(of: /(?s)<script>(.*?)<\/script>/).map { String($0.1) }
        #expect(scripts.count == 1)
        let hash = Base64.encode(Digest.sha256.hash(Array(try #require(scripts.first).utf8)))
        let policy = SecurityHeaders.policy(scriptSource: try PageScript(Self.folder).source)
        #expect(policy.contains("script-src 'sha256-\(hash)'; connect-src 'self';"))
        #expect(!policy.contains("unsafe") && !policy.contains("*") && !policy.contains("http"))
    }

    /// The page contains nothing that the policy forbids, so no user notices the policy.
    @Test(arguments: kinds) func `a page has nothing that the policy forbids`(_ kind: PageView.Kind) throws {
        let view = PageView(kind, reference: "K7QX-2M4P", app: "demo")
        let text = try Self.page(view, isWatched: true).text.replacing(/(?s)<script>.*?<\/script>/, with: "")
            .lowercased()
        for forbidden in [
            "<script", "<style", "style=", " onclick", "<form", "<iframe", "<base", "src=\"http", "@import",
        ] {
            #expect(!text.contains(forbidden))
        }
    }

    @Test func `the style sheet loads nothing`() throws {
        let style = try Self.folder.text(of: "assets/switchback.css")
        #expect(!style.contains("url(") && !style.contains("@import"))
        #expect(style.contains("prefers-color-scheme: dark"))
        #expect(!(try Self.folder.text(of: "assets/favicon.svg")).contains("<script"))
    }

    /// Names and links come from the configuration, but they are never markup.
    @Test func `hostile texts are text`() throws {
        let hostile = "<script>alert('1')</script>\"&{app}{{title}}"
        var view = PageView(.failed(.brokerError), reference: "\"><b>", app: "demo")
        view.returnURL = "com.example:/\"onclick=\"x"
        let page = try Self.page(view, app: AppProfile(names: ["en": hostile], returnPrefixes: []))
        #expect(!page.text.contains("<script") && !page.text.contains("<b>") && !page.text.contains("\"onclick"))
        #expect(page.text.contains("&lt;script&gt;"))
        #expect(page.text.contains("&amp;{app}{{title}}"))
    }

    @Test func `the status fits the kind of page`() throws {
        #expect(try Self.page(PageView(.completed)).status == .ok)
        #expect(try Self.page(PageView(.failed(.brokerError))).status == .ok)
        #expect(try Self.page(PageView(.openElsewhere)).status == .conflict)
        #expect(try Self.page(PageView(.continuedElsewhere)).status == .ok)
        #expect(try Self.page(PageView(.neutral)).status == .notFound)
        let unavailable = try Self.page(PageView(.unavailable))
        #expect(unavailable.status == .serviceUnavailable)
        #expect(unavailable.fields[.retryAfter] == "5")
    }

    /// A page names the e-ID. Where nobody knows a name, the sentence is still whole.
    @Test(
        arguments: [
            ("en", "mitid", "demo", "MitID has confirmed who you are. Go on only if you"),
            ("en", "mitid", "demo", "who you are. Go on only if you started this login yourself in Demo."),
            ("en", nil, nil, "Your e\u{2011}ID has confirmed who you are. Go on only if you"),
            ("en", nil, nil, "who you are. Go on only if you started this login yourself in the app."),
            ("da", "mitid", "demo", "hvem du er. Fortsæt kun, hvis du selv har startet dette login i Prøven."),
            ("da", nil, nil, "Dit eID har bekræftet, hvem du er. Fortsæt kun, hvis du selv har"),
            ("sv-FI", "mitid", "demo", "med MitID. Fortsätt endast om du själv har startat inlogg\u{AD}ningen i Demo."),
            ("sv-FI", "gone", "gone", "med ditt identi\u{AD}fierings\u{AD}verktyg. Fortsätt endast om du själv"),
            ("de", nil, nil, "mit Ihrer eID bestätigt. Fahren Sie nur fort, wenn Sie die Anmeldung selbst in der App"),
            ("fi", "mitid", "demo", "(MitID). Jatka vain, jos itse aloitit tämän kirjau\u{AD}tumisen sovel"),
            ("fi", "mitid", "demo", "kirjau\u{AD}tumisen sovel\u{AD}luk\u{AD}sessa Demo."),
            ("fi", nil, nil, "(sähköinen tunnistus). Jatka vain, jos itse aloitit tämän kirjau"),
        ] as [(String, String?, String?, String)]) func `names stand in the sentence`(
            _ language: String, _ provider: String?, _ app: String?, _ words: String
        ) throws
    {
        let view = PageView(.awaitingReturn, app: app, provider: provider, locale: language)
        #expect(try Self.page(view).text.contains(words))
    }

    /// The way back to the app is there too, but less prominent.
    @Test func `a page that can be retried offers that first`() throws {
        var view = PageView(.unavailable, app: "demo")
        view.returnURL = "https://link.example.com/r/"
        view.canRetry = true
        let text = try Self.page(view).text
        #expect(text.contains("<a id=\"again\" class=\"button\" href=\"\">Try again</a>"))
        #expect(text.contains("<a id=\"back\" class=\"button quiet\" href=\"https://link.example.com/r/\">"))
        #expect(!text.contains("You can close this page."))
    }

    /// The page, its `Retry-After` and its `Refresh`, and whether it is at its own URL.
    static let waits:
        [(kind: PageView.Kind, seconds: Double?, canRetry: Bool, isWatched: Bool, after: String?, reloads: Int?)] = [
            (.unavailable, nil, true, false, "5", 10), (.busy, nil, true, false, "5", 10),
            (.busy, 0.2, true, false, "1", 10), (.busy, 10, true, false, "10", 10),
            (.busy, 10.1, true, false, "11", 20), (.busy, 110, true, false, "110", 110),
            (.busy, 110.1, true, false, "111", 120), (.busy, 130, true, false, "130", 180),
            (.busy, 600, true, false, "600", 600),
            // A form would be lost, and nobody knows when a provider is on again.
            (.busy, 3, false, false, "3", nil), (.unavailable, nil, false, false, "5", nil),
            (.providerOff, nil, true, false, nil, nil), (.notice(.unreadable), nil, true, false, nil, nil),
            // Without script only, because the script asks by itself.
            (.unavailable, nil, true, true, "5", 10),
        ]

    /// Without script, too. The page says it, and its button is there at once.
    @Test(arguments: waits) func `a page that waits tries again by itself`(
        _ kind: PageView.Kind, _ seconds: Double?, _ canRetry: Bool, _ isWatched: Bool, _ after: String?,
        _ reloads: Int?
    ) throws {
        var view = PageView(kind, app: "demo")
        view.retryAfter = seconds.map { .seconds($0) }
        view.canRetry = canRetry
        let page = try Self.page(view, isWatched: isWatched)
        #expect(page.fields[.retryAfter] == after)
        #expect(page.fields[.refresh] == (isWatched ? nil : reloads.map { String($0) }))
        let words = reloads.map {
            "this page tries again by itself in about \($0 < 120 ? "\($0) seconds" : "\($0 / 60) minutes")."
        }
        #expect(page.text.contains("this page tries again") == (reloads != nil))
        if let words { #expect(page.text.contains(words)) }
        if let reloads, isWatched {
            #expect(page.text.contains("<noscript><meta http-equiv=\"refresh\" content=\"\(reloads)\"></noscript>"))
        }
        #expect(page.text.contains("id=\"again\"") == canRetry)
    }

    /// A form that met an outage: a link with its parameters would be a URL with a code.
    @Test func `a form is sent again by the browser`() throws {
        let text = try Self.page(PageView(.unavailable)).text
        #expect(text.contains("To try again, reload this page."))
        #expect(!text.contains("id=\"again\"") && !text.contains("You can close this page."))
    }

    @Test func `without a link there is a hint and no button`() throws {
        let page = try Self.page(PageView(.completed, app: "demo"), app: AppProfile(names: [:], returnPrefixes: []))
        #expect(!page.text.contains("class=\"button\""))
        #expect(page.text.contains("You can close this page."))
        #expect(page.text.contains("Go back to the app"))
    }
}
