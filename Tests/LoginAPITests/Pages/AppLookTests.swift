import HTTPWire
import JOSE
import Logins
import TestSupport
import Testing

@testable import LoginAPI

/// Tests the look of an app: its files have hashed names and never change, and its pages show them.
@Suite(.blocking) struct AppLookTests {
    static let svg = AppLook.File("logo", Array("<svg/>".utf8), ending: "svg")
    static let font = AppLook.File("font", Array("wOF2".utf8), ending: "woff2")
    static let icon = AppLook.File("icon", Array("<svg />".utf8), ending: "svg")
    static let png = AppLook.File("logo", [0x89, 0x50], ending: "png")

    static func app(_ look: AppLook) -> AppProfile {
        var app = AppProfile(names: ["en": "Demo"], returnPrefixes: [])
        app.look = look
        return app
    }

    static func page(_ look: AppLook, _ kind: PageView.Kind = .completed) throws -> String {
        let view = PageView(kind, reference: "K7QX-2M4P", app: "demo", provider: "mitid")
        return try PageTests.page(view, app: Self.app(look)).text
    }

    static let blue = AppLook.Colors(
        button: "#005a9c", ink: "#ffffff", edge: "#005a9c", link: "#005a9c", mark: "#005a9c")
    private static let rule =
        "--button: #005a9c; --button-ink: #ffffff; --button-edge: #005a9c; --link: #005a9c; --mark: #005a9c;"

    private static func css(_ look: AppLook) -> String? { look.style.map { String(decoding: $0.bytes, as: UTF8.self) } }

    @Test func `colours become a style sheet, each in its scheme`() {
        let light = "@media (prefers-color-scheme: light) { :root { \(Self.rule) } }\n"
        let dark = "@media (prefers-color-scheme: dark) { :root { \(Self.rule) } }\n"
        #expect(Self.css(AppLook()) == nil)
        #expect(Self.css(AppLook(light: Self.blue)) == light)
        #expect(Self.css(AppLook(dark: Self.blue)) == dark)
        #expect(Self.css(AppLook(light: Self.blue, dark: Self.blue)) == light + dark)
        #expect(Self.css(AppLook(radius: 0)) == ":root { --radius: 0px; }\n")
        let css = Self.css(AppLook(font: Self.font)) ?? ""
        #expect(css.contains("url(\"\(Self.font.path)\") format(\"woff2\")") && css.contains("font-display: swap"))
    }

    @Test func `a file is named by the hash of its content`() {
        #expect(Self.svg.name.wholeMatch(of: /logo-[A-Za-z0-9_-]{22}\.svg/) != nil)
        #expect(Self.svg.name == AppLook.File("logo", Array("<svg/>".utf8), ending: "svg").name)
        #expect(Self.svg.name != AppLook.File("logo", Array("<svg />".utf8), ending: "svg").name)
    }

    @Test(arguments: [
        ("svg", "image/svg+xml"), ("png", "image/png"), ("css", "text/css; charset=utf-8"), ("woff2", "font/woff2"),
    ])
    func `files are served as immutable`(_ ending: String, _ type: String) async throws {
        let look = AppLook(light: Self.blue, font: Self.font, logo: Self.svg, logoDark: Self.png)
        let bench = try HandlerBench { $0.apps["demo"]?.look = look }
        let file = try #require(look.files.first { $0.name.hasSuffix(ending) })
        let answer = try await bench.send(.get, file.path)
        #expect(answer.status == .ok && answer.body == file.bytes)
        #expect(answer.fields[.contentType] == type)
        #expect(answer.fields[.cacheControl] == "public, max-age=31536000, immutable")
        // A picture that is opened by itself could otherwise run a script as a page of ours.
        #expect(answer.fields[.contentSecurityPolicy] == "default-src 'none'; frame-ancestors 'none'")
        #expect(answer.fields[.xContentTypeOptions] == "nosniff")
    }

    @Test func `a page shows name and logo`() throws {
        let light = try Self.page(AppLook(light: Self.blue, logo: Self.svg))
        #expect(light.contains("<link rel=\"stylesheet\" href=\"/assets/look-"))
        #expect(
            light.contains("<picture class=\"plate\">") && light.contains("<img src=\"\(Self.svg.path)\" alt=\"\">"))
        #expect(!light.contains("<source") && light.contains("<p>Demo</p>"))
        let both = try Self.page(AppLook(logo: Self.svg, logoDark: Self.png))
        #expect(both.contains("<picture>") && !both.contains("/assets/look-"))
        #expect(both.contains("<source srcset=\"\(Self.png.path)\" media=\"(prefers-color-scheme: dark)\">"))
        let none = try Self.page(AppLook())
        #expect(!none.contains("<picture") && none.contains("<p>Demo</p>"))
    }

    /// A wordmark is the name already, so the page does not show it twice. Users who cannot see the logo still get the name.
    @Test func `a logo can take the place of the name`() throws {
        var look = AppLook(logo: Self.svg)
        look.showsName = false
        let page = try Self.page(look)
        #expect(page.contains("alt=\"Demo\"") && !page.contains("<p>Demo</p>"))
        look = AppLook()
        look.showsName = false
        #expect(try Self.page(look).contains("<p>Demo</p>"), "there is no logo")
    }

    @Test func `the icon is the app's, or a grey one`() throws {
        #expect(try Self.page(AppLook(icon: Self.icon)).contains("<link rel=\"icon\" href=\"\(Self.icon.path)\">"))
        #expect(try Self.page(AppLook()).contains("<link rel=\"icon\" href=\"/assets/favicon.svg\">"))
    }

    @Test(
        arguments: [
            (.failed(.brokerError), true), (.expired, true), (.unavailable, true), (.failed(.userCancelled), false),
            (.completed, false), (.awaitingReturn, false), (.linkOpened, false),
        ] as [(PageView.Kind, Bool)]) func `only failures link to support`(_ kind: PageView.Kind, _ isThere: Bool)
        throws
    {
        let page = try Self.page(AppLook(supportURL: "https://demo.example/help?a=1&b=2"), kind)
        let link = "<a class=\"support\" href=\"https://demo.example/help?a=1&amp;b=2\">Help from Demo</a>"
        #expect(page.contains(link) == isThere)
        #expect(page.contains("<footer>") == isThere)
        #expect(!(try Self.page(AppLook(), kind)).contains("class=\"support\""))
    }

    @Test(arguments: [("Demo", "One step left – Demo"), ("step", "One step left")])
    func `the title names the app`(_ name: String, _ title: String) throws {
        let app = AppProfile(names: ["en": name], returnPrefixes: [])
        let page = try PageTests.page(PageView(.awaitingReturn, app: "demo"), app: app).text
        #expect(page.contains("<title>\(title)</title>"))
    }

    /// What the template may use is what the samples have: each page of a test must be one of them.
    @Test func `every kind has a sample`() {
        let kinds = Set(PageView.samples.map(\.kind))
        #expect(PageTests.kinds.allSatisfy(kinds.contains))
    }
}
