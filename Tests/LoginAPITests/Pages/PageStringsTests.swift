import Logins
import TestSupport
import Testing

@testable import LoginAPI

/// Tests the texts in all languages: complete, of their own, and short enough for their place.
@Suite(.blocking) struct PageStringsTests {
    static func languages() throws -> [PageLanguage] {
        try PageStrings(PageTests.folder, PageTests.all).languages.values.sorted { $0.tag < $1.tag }
    }

    /// The text as a page has it, with names of a usual length.
    static func text(_ key: PageText, in language: PageLanguage) -> String {
        language.text(key, app: "Min kommune", provider: "BankID")
    }

    @Test(arguments: PageText.allCases) func `every language has the same placeholders`(_ key: PageText) throws {
        let languages = try Self.languages()
        let english = try #require(languages.first { $0.tag == "en" })
        for language in languages {
            #expect(!language.text(key, app: nil, provider: nil).isEmpty)
            // A language may name the app once more, to make clear who asks.
            #expect(Set(language.places(in: key)) == Set(english.places(in: key)), "\(language.tag).\(key.rawValue)")
        }
    }

    /// Texts that two languages share, and why. Everything else that is equal was probably copied and forgotten.
    static let shared: [(tags: Set<String>, keys: Set<PageText>, why: String)] = [
        (
            ["nb", "nn"], [.expiredTitle, .backButton, .againButton, .referenceLabel],
            "the same words in both forms of Norwegian"
        ),
        (["da", "nb"], [.closeHint], "the same words in both languages"),
    ]

    @Test func `no text is forgotten in another language`() throws {
        let languages = try Self.languages()
        for one in languages {
            for other in languages where one.tag < other.tag && !other.tag.hasPrefix("\(one.tag)-") {
                let equal = PageText.allCases.filter { Self.text($0, in: one) == Self.text($0, in: other) }
                let allowed = Self.shared.filter { $0.tags == [one.tag, other.tag] }.flatMap(\.keys)
                #expect(Set(equal) == Set(allowed), "\(one.tag) and \(other.tag)")
            }
        }
    }

    private static func file(_ name: String) throws -> LanguageFile {
        try LanguageFile(yaml: try PageTests.folder.text(of: name), at: name)
    }

    /// The server reads the texts of our files only when it needs them, so nothing may be wrong with them.
    @Test func `our files are whole and begin with their headings`() throws {
        for tag in try PageTests.folder.languages {
            let path = "strings/\(tag).yaml"
            let file = try Self.file(path)
            let headings = try LanguageFile(headingsOf: try PageTests.folder.text(of: path), at: path)
            #expect(headings.headings == file.headings && headings.texts.isEmpty)
            let base = tag.split(separator: "-").count > 1 ? try Self.file("strings/\(tag.prefix(2)).yaml") : nil
            _ = try PageLanguage(tag, base.map(file.over) ?? file, at: path)
        }
    }

    /// The file of a region has only what differs.
    @Test func `an overlay repeats nothing`() throws {
        let swedish = try Self.file("strings/sv.yaml")
        let overlay = try Self.file("strings/sv-FI.yaml")
        #expect(!overlay.texts.isEmpty && overlay.texts.count < PageText.allCases.count / 2)
        #expect(overlay.texts.allSatisfy { $0.value != swedish.texts[$0.key] })
        #expect(overlay.headings.keys.sorted { $0.rawValue < $1.rawValue } == [.review, .theProvider])
    }

    /// The sentences of a text that name nobody, in one form of letters.
    private static func sentences(of key: PageText, in language: PageLanguage) -> Set<String> {
        let text = PageSentence.unbroken(language.text(key, app: "{app}", provider: "{provider}"))
        let parts = text.split { ".?!:".contains($0) }.filter { !$0.contains("{app}") }
        return Set(parts.map { $0.filter { $0.isLetter || $0.isNumber || " {}".contains($0) }.lowercased() })
    }

    private static func keys(of reasons: [Reason]) -> Set<PageText> {
        Set(reasons.flatMap { [PageText.title(of: PageView(.failed($0))), .text(of: PageView(.failed($0)))] })
    }

    /// Users who cancel must not read that we failed, and users whose login failed must not read that they cancelled.
    @Test func `what the user did and what failed have different words in every language`() throws {
        let users: [Reason] = [.userCancelled, .appCancelled, .timeout]
        let ours = Self.keys(of: Reason.allCases.filter { !users.contains($0) })
        for language in try Self.languages() {
            let failures = ours.map { ($0, Self.sentences(of: $0, in: language)) }
            for key in Self.keys(of: users) {
                for (failure, sentences) in failures where failure != .failedTitle {
                    let both = sentences.intersection(Self.sentences(of: key, in: language))
                    #expect(both.isEmpty, "\(language.tag).\(key.rawValue) and \(failure.rawValue): \(both)")
                }
            }
            // The title is what one reads, so no failure of ours may have it inside a longer sentence either.
            let cancelled = Self.sentences(of: .cancelledTitle, in: language).joined()
            let others = failures.flatMap(\.1) + Self.sentences(of: .unavailableText, in: language)
            #expect(!others.contains { $0.contains(cancelled) }, "\(language.tag): \(cancelled)")
        }
    }

    /// Where a text stands, and how long it may be there.
    enum Place: CaseIterable {
        /// Three lines of a small phone, and whole in the title of a tab.
        case title
        /// All of it is visible on a small phone, above the button.
        case text
        /// The same, with the button on the same screen.
        case shortText
        /// Two lines without the name.
        case button
        /// One line that is added below a text.
        case line

        var limit: Int {
            switch self {
            case .title: 45
            case .text: 320
            case .shortText: 140
            case .button: 30
            case .line: 120
            }
        }

        /// The longest part of a word that does not break: 320 CSS pixels wide with text of 200 % hold about nine letters
        /// of a title, and eleven of the rest.
        var part: Int { self == .title ? 9 : 11 }

        init(of key: PageText) {
            switch key.rawValue {
            case let name where name.hasSuffix("_title"): self = .title
            case "time_left_text", "little_time_left_text": self = .line
            case "awaiting_return_text", "awaiting_code_text": self = .shortText
            case let name where name.hasSuffix("_text"): self = .text
            case "back_button", "again_button", "more_time_button", "code_summary", "reference_label": self = .button
            default: self = .line
            }
        }
    }

    @Test(arguments: PageText.allCases) func `no text is too long for its place`(_ key: PageText) throws {
        let place = Place(of: key)
        for language in try Self.languages() {
            let text = language.text(key, app: "", provider: "")
            let count = PageSentence.unbroken(text).count
            #expect(count <= place.limit, "\(language.tag).\(key.rawValue) has \(count)")
            // A line may end after a space, a hyphen, or where a soft hyphen is.
            let parts = (text + " " + language.text(key, app: nil, provider: nil)).split { " -\u{AD}".contains($0) }.map
            { $0.filter(\.isLetter) }
            let longest = parts.max { $0.count < $1.count } ?? ""
            #expect(longest.count <= place.part, "\(language.tag).\(key.rawValue): \(longest)")
        }
    }

    /// `e-ID` would break after its hyphen.
    @Test func `no hyphen breaks a short word`() throws {
        for language in try Self.languages() {
            for key in PageText.allCases {
                let text = language.text(key, app: nil, provider: nil)
                #expect(text.firstMatch(of: /\b\w-|-\w\b/) == nil, "\(language.tag).\(key.rawValue)")
            }
        }
    }

    /// The style sheet keeps the words of a title whole, except in a title with a word that is longer than a line.
    @Test(arguments: [
        ("", false), ("Et ole kirjau|tunut sisään", false), ("abcde|fghij|klmno", false), ("abcde|fghij|klmnop", true),
        ("Maannak|kut ingerlaq|qissin|naanngi|lagut", true),
    ])
    func `a title with a long word is known`(_ title: String, _ isLong: Bool) {
        #expect(PageSentence.hasLongWord(PageSentence.marked(title)) == isLong)
    }

    static let app = PageSentence.Name(name: "X", words: "")

    @Test(
        arguments: [
            ("a {app} b", "X", "the app", "a X b"), ("{app} b", nil, "the app", "The app b"),
            ("a. {app} b", nil, "the app", "a. The app b"), ("a? {app}", nil, "the app", "a? The app"),
            ("a {app}", nil, "the app", "a the app"), ("in the app {app}, b", nil, "", "in the app, b"),
            ("{app}", nil, "", ""), ("a {app}{app}", "X", "", "a XX"), ("", nil, "y", ""),
            ("{app}", "{provider}|", "", "{provider}|"), ("long|word", nil, "", "long\u{AD}word"),
            ("{app} is", "iDIN", "", "iDIN is"),
        ] as [(String, String?, String, String)]) func `a name stands in its sentence`(
            _ sentence: String, _ name: String?, _ words: String, _ text: String
        ) throws
    {
        let found = try PageSentence(sentence).text(
            app: PageSentence.Name(name: name, words: words), provider: PageSentence.Name(name: "P", words: ""))
        #expect(found == text)
    }
}
