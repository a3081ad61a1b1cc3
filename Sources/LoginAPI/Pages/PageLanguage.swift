/// The texts of the pages in one language, from one file of `strings`.
import Yams

struct PageLanguage: Sendable {
    /// Whether somebody who grew up with the language has read the texts.
    enum Review: Equatable, Sendable {
        case draft
        case reviewed(by: String)

        /// Nil if it is neither `draft` nor `reviewed by` and a name.
        init?(_ text: String) {
            let words = "reviewed by "
            if text == "draft" {
                self = .draft
            } else if text.hasPrefix(words), text.count > words.count {
                self = .reviewed(by: String(text.dropFirst(words.count)))
            } else {
                return nil
            }
        }
    }

    /// What is wrong with a file.
    struct TextsError: Error {
        let message: String
    }

    /// As in the name of the file: `sv-FI`.
    let tag: String
    let review: Review
    /// Whether a server offers the language only if its configuration allows it.
    let isOptIn: Bool
    /// `ltr` or `rtl`.
    let direction: String
    private let theApp: String
    private let theProvider: String
    private let texts: [PageText: PageSentence]

    init(_ tag: String, _ file: LanguageFile) throws(TextsError) {
        func heading(_ key: LanguageFile.Heading) throws(TextsError) -> String {
            guard let text = file.headings[key] else { throw TextsError(message: "\(key.rawValue) is missing") }
            return text
        }
        guard let review = Review(try heading(.review)) else {
            throw TextsError(message: "review must be draft, or reviewed by and a name")
        }
        self.direction = try heading(.direction)
        guard ["ltr", "rtl"].contains(self.direction) else {
            throw TextsError(message: "direction must be ltr or rtl")
        }
        guard let isOptIn = Bool(file.headings[.optIn] ?? "false") else {
            throw TextsError(message: "opt_in must be true or false")
        }
        self.tag = tag
        self.review = review
        self.isOptIn = isOptIn
        self.theApp = PageSentence.marked(try heading(.theApp))
        self.theProvider = PageSentence.marked(try heading(.theProvider))
        var texts: [PageText: PageSentence] = [:]
        for key in PageText.allCases {
            guard let text = file.texts[key], !text.isEmpty else {
                throw TextsError(message: "\(key.rawValue) is missing")
            }
            do throws(PageSentence.SyntaxError) {
                texts[key] = try PageSentence(text)
            } catch {
                throw TextsError(message: "\(key.rawValue) \(error.message)")
            }
        }
        self.texts = texts
    }

    func text(_ key: PageText, app: String?, provider: String?) -> String {
        self.texts[key]?.text(
            app: PageSentence.Name(name: app, words: self.theApp),
            provider: PageSentence.Name(name: provider, words: self.theProvider)) ?? ""
    }

    /// The names that the text has places for.
    func places(in key: PageText) -> [PageSentence.Piece] {
        (self.texts[key]?.pieces ?? []).filter { $0 == .app || $0 == .provider }
    }
}

/// What one file says. The file of a region, such as `sv-FI`, says only what differs from that of the language.
struct LanguageFile: Sendable {
    enum Heading: String, CaseIterable, Sendable {
        case review
        case optIn = "opt_in"
        case direction
        case theApp = "the_app"
        case theProvider = "the_provider"

        /// What is said of one file says nothing about another file that adds to it.
        fileprivate var isInherited: Bool { self != .review && self != .optIn }
    }

    fileprivate(set) var headings: [Heading: String] = [:]
    fileprivate(set) var texts: [PageText: String] = [:]

    private enum Field: Decodable {
        case text(String)
        case table([String: String])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let text = try? value.decode(String.self) {
                self = .text(text)
            } else {
                self = .table(try value.decode([String: String].self))
            }
        }
    }

    init(yaml: String) throws(PageLanguage.TextsError) {
        let fields: [String: Field]
        do {
            fields = try YAMLDecoder().decode([String: Field].self, from: yaml)
        } catch {
            throw PageLanguage.TextsError(message: "is not a table of texts: \(error)")
        }
        for (name, field) in fields.sorted(by: { $0.key < $1.key }) {
            switch field {
            case .text(let text):
                guard let key = Heading(rawValue: name) else { throw Self.unknown(name) }
                self.headings[key] = text
            case .table(let table):
                guard name == "texts" else { throw Self.unknown(name) }
                for (name, text) in table.sorted(by: { $0.key < $1.key }) {
                    guard let key = PageText(rawValue: name) else { throw Self.unknown(name) }
                    self.texts[key] = text
                }
            }
        }
    }

    private static func unknown(_ name: String) -> PageLanguage.TextsError {
        PageLanguage.TextsError(message: "\(name) is not a key of any page")
    }

    /// Returns this file with everything that only the other one says.
    func over(_ base: LanguageFile) -> LanguageFile {
        var file = self
        file.headings.merge(base.headings.filter(\.key.isInherited)) { own, _ in own }
        file.texts.merge(base.texts) { own, _ in own }
        return file
    }
}
