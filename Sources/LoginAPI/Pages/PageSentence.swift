/// A text of the pages, with places for the names of the app and the e-ID.
///
/// A `|` marks where a long word may break. It becomes a soft hyphen, which shows only where the word breaks.
struct PageSentence: Equatable, Sendable {
    enum Piece: Hashable, Sendable {
        case words(String)
        case app
        case provider
    }

    /// What is wrong with a text.
    struct SyntaxError: Error {
        let message: String
    }

    private static let softHyphen = "\u{AD}"

    let pieces: [Piece]

    init(_ text: String) throws(SyntaxError) {
        var pieces: [Piece] = []
        var rest = Self.marked(text)[...]
        while let start = rest.firstIndex(where: { "{}".contains($0) }) {
            guard let end = rest[start...].firstIndex(of: "}"), rest[start] == "{" else {
                throw SyntaxError(message: "has a brace too many")
            }
            if start > rest.startIndex { pieces.append(.words(String(rest[..<start]))) }
            switch rest[start...end] {
            case "{app}": pieces.append(.app)
            case "{provider}": pieces.append(.provider)
            case let unknown: throw SyntaxError(message: "has \(unknown), but only {app} and {provider} are known")
            }
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { pieces.append(.words(String(rest))) }
        self.pieces = pieces
    }

    /// A name, or what stands for it if nobody knows it.
    struct Name {
        let name: String?
        /// Lowercase. If it is empty, nothing stands for the name, and the space before it goes too.
        let words: String
    }

    func text(app: Name, provider: Name) -> String {
        var text = ""
        for piece in self.pieces {
            switch piece {
            case .words(let words): text += words
            case .app: Self.add(app, to: &text)
            case .provider: Self.add(provider, to: &text)
            }
        }
        return text
    }

    private static func add(_ name: Name, to text: inout String) {
        if let name = name.name {
            text += name
        } else if name.words.isEmpty {
            if text.last == " " { text.removeLast() }
        } else {
            let isFirst = text.isEmpty || [". ", "? ", "! "].contains { text.hasSuffix($0) }
            text += isFirst ? name.words.prefix(1).uppercased() + name.words.dropFirst() : name.words
        }
    }

    /// Returns the text with a soft hyphen for each mark.
    static func marked(_ text: String) -> String { text.replacing("|", with: Self.softHyphen) }

    /// Whether a word of the text may be longer than a line of a phone, in the size of a title.
    static func hasLongWord(_ text: String) -> Bool {
        Self.unbroken(text).split(separator: " ").contains { $0.count > 15 }
    }

    /// Returns the text without soft hyphens, for a place that does not break lines.
    static func unbroken(_ text: String) -> String { text.replacing(Self.softHyphen, with: "") }
}
