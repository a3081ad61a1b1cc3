import Foundation
import Logins
import TestSupport
import Testing

@testable import LoginAPI

/// Renders every page in every language, also from right to left. With `SWITCHBACK_WRITE_PAGES=DIR` it writes them to a
/// folder, where `Tests/Browser/every_page.py` looks at them with a browser.
@Suite(.blocking) struct EveryPageTests {
    static let languages = PageTests.languages + [PseudoLanguage.tag]
    private static let link = "https://link.example.com/r/"

    /// The longest words that an operator may have, in two of the languages.
    private static let notices = [
        "en":
            "Vipps has planned maintenance from 1 p.m. until 2 p.m. today, and nobody can log in with it. We are sorry for the inconvenience. You can use BankID in the meantime, or come back a little later in the afternoon.",
        "nb": "Vipps har planlagt vedlikehold fra kl. 13 til kl. 14 i dag.",
    ]

    /// Each state of a page, by its name in a file.
    static let states: [(name: String, view: PageView)] = {
        var states: [(String, PageView)] = []
        func add(
            _ name: String, _ kind: PageView.Kind, hasLogin: Bool = true, of provider: String = "mitid",
            _ change: (inout PageView) -> Void = { _ in }
        ) {
            var view = PageView(
                kind, reference: hasLogin ? "K7QX-2M4P" : nil, app: hasLogin ? "demo" : nil,
                provider: hasLogin ? provider : nil)
            if hasLogin { view.returnURL = Self.link }
            if kind == .awaitingReturn || kind == .codeUsedUp { view.timeLeft = .seconds(299) }
            change(&view)
            states.append((name, view))
        }
        add("completing", .completing)
        add("awaiting_return", .awaitingReturn) { $0.code = "865885" }
        add("awaiting_return_ending", .awaitingReturn) {
            $0.code = "865885"
            $0.isEnding = true
            $0.timeLeft = .seconds(59)
        }
        add("awaiting_return_with_more_time", .awaitingReturn) {
            $0.code = "865885"
            $0.hasMoreTime = true
        }
        add("awaiting_return_on_web", .awaitingReturn) {
            $0.code = "865885"
            $0.isOnWeb = true
        }
        add("awaiting_code", .awaitingReturn) {
            $0.code = "865885"
            $0.isCodeOnly = true
            $0.returnURL = nil
        }
        add("code_used_up", .codeUsedUp)
        add("code_used_up_without_link", .codeUsedUp) {
            $0.timeLeft = nil
            $0.isCodeOnly = true
            $0.returnURL = nil
        }
        add("completed", .completed)
        add("completed_without_link", .completed) { $0.returnURL = nil }
        add("acknowledged", .acknowledged)
        add("cancelled", .cancelled)
        add("expired", .expired)
        add("over", .over)
        for reason in Reason.allCases { add("failed_\(reason.rawValue)", .failed(reason)) }
        add("unavailable", .unavailable) { $0.canRetry = true }
        add("unavailable_form", .unavailable)
        add("unavailable_without_login", .unavailable, hasLogin: false) { $0.canRetry = true }
        add("open_elsewhere", .openElsewhere)
        add("open_elsewhere_without_login", .openElsewhere, hasLogin: false)
        add("continued_elsewhere", .continuedElsewhere)
        add("neutral", .neutral, hasLogin: false)
        add("link", .linkOpened)
        add("link_without_button", .linkOpened) { $0.returnURL = nil }
        add("home", .notice(.home), hasLogin: false)
        add("unreadable", .notice(.unreadable), hasLogin: false)
        add("busy", .busy) { $0.canRetry = true }
        add("busy_without_login", .busy, hasLogin: false) { $0.canRetry = true }
        add("provider_off", .providerOff) { $0.canRetry = true }
        add("provider_off_in_own_words", .providerOff, of: "vipps") { $0.canRetry = true }
        return states
    }()

    private static func copy() throws -> URL {
        let original = URL(filePath: HandlerBench.publicFolder).resolvingSymlinksInPath()
        let copy = FileManager.default.temporaryDirectory.appending(path: "public-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: original, to: copy)
        try PseudoLanguage.add(to: copy)
        return copy
    }

    @Test func `every state is rendered in every language`() throws {
        let folder = try Self.copy()
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = ["en": "Min Kommune", PseudoLanguage.tag: PseudoLanguage.text("My Town").replacing("|", with: "")]
        let pages = try Pages(
            PublicFolder(folder.path), apps: ["demo": AppProfile(names: names, returnPrefixes: [Self.link])],
            providers: ["mitid": ["en": "BankID"], "vipps": ["en": "Vipps"]], notices: ["vipps": Self.notices],
            settings: PageTests.all)
        let target = ProcessInfo.processInfo.environment["SWITCHBACK_WRITE_PAGES"].map { URL(filePath: $0) }
        for language in Self.languages {
            for state in Self.states {
                let page = pages.response(state.view, languages: [language], isWatched: true).text
                let direction = language == PseudoLanguage.tag ? "rtl" : "ltr"
                #expect(page.contains("<html lang=\"\(language)\" dir=\"\(direction)\">"), "\(state.name)")
                #expect(!page.contains("{") || page.contains("<script>"), "\(state.name), \(language)")
                guard let target else { continue }
                try Data(page.utf8).write(to: target.appending(path: "\(state.name).\(language).html"))
            }
        }
        guard let target else { return }
        for name in ["switchback.css", "favicon.svg"] {
            try Data(contentsOf: folder.appending(path: "assets/\(name)")).write(to: target.appending(path: name))
        }
    }

    /// A new kind of page must have a row.
    @Test func `no kind is forgotten`() {
        for kind in PageTests.kinds { #expect(Self.states.contains { $0.view.kind == kind }, "\(kind)") }
        #expect(Set(Self.states.map(\.name)).count == Self.states.count)
    }
}
