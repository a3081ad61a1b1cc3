import Base
import HTTPWire
import Logins
import TestSupport
import Testing

@testable import LoginAPI

/// Tests which language a page has, and which languages a server offers.
@Suite(.blocking) struct PageLanguageTests {
    private static func strings(drafts: Bool, default tag: String = "en") throws -> PageStrings {
        var settings = PageSettings()
        settings.allowsDraftLanguages = drafts
        settings.defaultLanguage = tag
        return try PageStrings(PageTests.folder, settings)
    }

    @Test func `the sandbox offers every file`() throws {
        let files = try PageTests.folder.names(in: "strings").map { String($0.dropLast(".yaml".count)) }.sorted()
        #expect(files == PageTests.languages)
        #expect(try Self.strings(drafts: true).languages.keys.sorted() == files)
    }

    @Test func `Faroese and Greenlandic need permission`() throws {
        let all = try Self.strings(drafts: true).languages
        let usual = try Self.strings(drafts: false).languages
        #expect(Set(all.keys).subtracting(usual.keys) == ["fo", "kl"])
        #expect(all.values.filter(\.isOptIn).allSatisfy { $0.review == .draft })
        let pages = try Pages(PageTests.folder, apps: [:], settings: PageTests.all)
        #expect(pages.permittedDrafts == ["fo", "kl"])
        #expect(try Pages(PageTests.folder, apps: [:]).permittedDrafts == [])
    }

    /// If a text is read by somebody who grew up with the language, this is where to say so.
    @Test func `only English is reviewed`() throws {
        let reviewed = try Self.strings(drafts: true).languages.values.filter { $0.review != .draft }.map(\.tag)
        #expect(reviewed == ["en"])
    }

    @Test(
        arguments: [
            ("draft", .draft), ("reviewed by Naja", .reviewed(by: "Naja")), ("reviewed by ", nil), ("reviewed", nil),
            ("Draft", nil), ("", nil),
        ] as [(String, PageLanguage.Review?)]) func `the review of a language is read`(
            _ text: String, _ review: PageLanguage.Review?
        )
    {
        #expect(PageLanguage.Review(text) == review)
    }

    @Test(arguments: [
        ("da", false, nil), ("fo", true, nil),
        ("fo", false, "is the default_language, but needs allow_draft_languages"),
        ("is", true, "is missing, but is the default_language"),
    ]) func `the default language is there`(_ tag: String, _ drafts: Bool, _ message: String?) throws {
        do throws(OperatorError) {
            var settings = PageSettings()
            settings.allowsDraftLanguages = drafts
            settings.defaultLanguage = tag
            let strings = try PageStrings(PageTests.folder, settings)
            #expect(message == nil && strings.language(for: ["fr"]).tag == tag)
        } catch {
            #expect(error.description == message.map { "strings/\(tag).yaml: \($0)" })
        }
    }

    /// Lookup (RFC 4647 §3.4): the login's own language, then those of the browser, then the default one.
    @Test(
        arguments: [
            (nil, [], "en"), (nil, ["da"], "da"), (nil, ["da-DK", "en"], "da"), (nil, ["fr", "da"], "da"),
            (nil, ["fr"], "en"), (nil, ["*"], "en"), (nil, ["-", ""], "en"),
            ("da", ["en"], "da"), ("da-DK", [], "da"), ("DA", [], "da"), ("pl", ["da"], "da"), ("", ["da"], "da"),
            // Regions: an overlay, or none.
            ("sv", [], "sv"), ("sv-SE", [], "sv"), ("sv-FI", [], "sv-FI"), ("SV-fi", [], "sv-FI"), ("sv-AX", [], "sv"),
            ("fi-FI", [], "fi"), ("da-GL", [], "da"), ("de-AT", [], "de"), ("nl-BE", [], "nl"), ("en-GB", [], "en"),
            // Scripts say nothing that we need.
            ("da-Latn-DK", ["en"], "da"), ("sv-Latn-FI", [], "sv-FI"), ("sv-Latn", [], "sv"), ("zh-Hans-CN", [], "en"),
            // Variants and extensions.
            ("de-CH-1996", [], "de"), ("sv-FI-u-co-trad", [], "sv-FI"), ("en-x-pirate", [], "en"),
            (nil, ["da" + String(repeating: "-a", count: 4000)], "da"),
            // Norwegian, as it is called by old and new systems.
            ("no", [], "nb"), ("no-NO", ["en"], "nb"), ("nb-NO", [], "nb"), ("nn-NO", [], "nn"), ("nn", ["nb"], "nn"),
            // Without a permission, a neighbour comes after all languages that the user named.
            ("fo", [], "da"), ("kl-GL", [], "da"), ("fo-FO", ["en"], "en"), (nil, ["kl", "sv"], "sv"),
        ] as [(String?, [String], String)]) func `the language is that of the login or the browser`(
            _ locale: String?, _ wanted: [String], _ language: String
        ) throws
    {
        let page = try Pages(PageTests.folder, apps: [:]).response(
            PageView(.completed, locale: locale), languages: wanted)
        #expect(page.fields[.contentLanguage] == language)
        #expect(page.text.contains("<html lang=\"\(language)\" dir=\"ltr\">"))
    }

    @Test(arguments: [("ltr", "Back to Shop!"), ("rtl", "Back to \u{2068}Shop!\u{2069}")])
    func `a name does not turn what stands beside it`(_ direction: String, _ button: String) throws {
        let english = try PageTests.folder.text(of: "strings/en.yaml")
        let yaml = english.replacing("direction: ltr", with: "direction: \(direction)")
        let language = try PageLanguage("en", try LanguageFile(yaml: yaml, at: "en.yaml"), at: "en.yaml")
        #expect(language.text(.backButton, app: "Shop!", provider: nil) == button)
    }

    @Test(arguments: [("fo", "fo"), ("fo-FO", "fo"), ("kl-GL", "kl"), ("da-FO", "da")])
    func `a permitted draft is chosen`(_ locale: String, _ language: String) throws {
        #expect(try Self.strings(drafts: true).language(for: [locale]).tag == language)
    }

    @Test(
        arguments: [
            (["en": "Shop", "da": "Butik"], "da", "Butik"), (["en": "Shop", "da": "Butik"], "kl", "Butik"),
            (["en": "Shop", "da": "Butik"], "de", "Shop"), (["sv": "Affär", "fi": "Kauppa"], "sv-FI", "Affär"),
            (["sv": "Affär", "sv-FI": "Butik"], "sv-FI", "Butik"), (["no": "Butikk", "en": "Shop"], "nb", "Butikk"),
            (["nb": "Butikk", "en": "Shop"], "nn", "Butikk"), (["sv": "Affär", "da": "Butik"], "nl", "Butik"),
            ([:], "en", nil),
        ] as [([String: String], String, String?)]) func `a name is that of the language`(
            _ names: [String: String], _ language: String, _ name: String?
        )
    {
        #expect(names.name(in: language) == name)
    }
}
