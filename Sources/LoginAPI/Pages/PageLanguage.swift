import Base

/// The texts of the pages in one language, from the files of `strings`.
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

    /// As in the name of the file: `sv-FI`.
    let tag: String
    let review: Review
    /// Whether a server offers the language only if its configuration allows it.
    let isOptIn: Bool
    /// `ltr` or `rtl`.
    let direction: String
    private let theApp: String
    private let theProvider: String
    private let texts: Lazy<[PageText: PageSentence]>

    /// `place` is where an operator finds the file.
    init(_ tag: String, _ file: LanguageFile, at place: String) throws(OperatorError) {
        try self.init(tag, headings: file, at: place) { file.texts }
        if let missing = PageText.allCases.first(where: { file.texts[$0] == nil }) {
            throw OperatorError(at: place, "\(missing.rawValue) is missing")
        }
    }

    /// A language whose texts are read when a page in it is wanted.
    init(
        _ tag: String, headings file: LanguageFile, at place: String,
        texts: @escaping @Sendable () -> [PageText: PageSentence]
    ) throws(OperatorError) {
        func heading(_ key: LanguageFile.Heading) throws(OperatorError) -> String {
            guard let text = file.headings[key] else { throw OperatorError(at: place, "\(key.rawValue) is missing") }
            return text
        }
        guard let review = Review(try heading(.review)) else {
            throw OperatorError(at: place, "review must be draft, or reviewed by and a name")
        }
        self.direction = try heading(.direction)
        guard ["ltr", "rtl"].contains(self.direction) else {
            throw OperatorError(at: place, "direction must be ltr or rtl")
        }
        guard let isOptIn = Bool(file.headings[.optIn] ?? "false") else {
            throw OperatorError(at: place, "opt_in must be true or false")
        }
        self.tag = tag
        self.review = review
        self.isOptIn = isOptIn
        self.theApp = PageSentence.marked(try heading(.theApp))
        self.theProvider = PageSentence.marked(try heading(.theProvider))
        self.texts = Lazy(texts)
    }

    func text(_ key: PageText, app: String?, provider: String?, number: String = "") -> String {
        self.texts.value[key]?.text(
            app: PageSentence.Name(name: self.isolated(app), words: self.theApp),
            provider: PageSentence.Name(name: self.isolated(provider), words: self.theProvider), number: number) ?? ""
    }

    /// A Latin name in a text from right to left: without isolates, it takes the marks beside it along (UAX #9).
    private func isolated(_ name: String?) -> String? {
        self.direction == "rtl" ? name.map { "\u{2068}\($0)\u{2069}" } : name
    }

    /// The names and numbers that the text has places for.
    func places(in key: PageText) -> [PageSentence.Piece] {
        (self.texts.value[key]?.pieces ?? []).filter { [.app, .provider, .minutes, .seconds].contains($0) }
    }
}
