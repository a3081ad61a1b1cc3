import Base

/// A text of the pages, with places for the names of the app and the e-ID, and for a number of minutes or
/// seconds.
///
/// A `|` marks where a long word may break. It becomes a soft hyphen, which shows only where the word breaks.
struct PageSentence: Equatable, Sendable {
    enum Piece: Hashable, Sendable {
        case words(String)
        case app
        case provider
        /// From two on.
        case minutes
        /// From 10 to 110.
        case seconds
    }

    private static let softHyphen: Unicode.Scalar = "\u{AD}"
    private static let (opening, closing) = (UInt8(ascii: "{"), UInt8(ascii: "}"))

    let pieces: [Piece]

    /// The error continues a sentence that begins with the name of the text.
    init(_ text: String) throws(OperatorError) {
        var pieces: [Piece] = []
        var rest = Self.marked(text)[...]
        // Bytes: with characters, the texts of all languages took a sixth of the server's start.
        while let start = rest.utf8.firstIndex(where: { $0 == Self.opening || $0 == Self.closing }) {
            guard rest.utf8[start] == Self.opening, let end = rest.utf8[start...].firstIndex(of: Self.closing) else {
                throw OperatorError("has a brace too many")
            }
            if start > rest.startIndex { pieces.append(.words(String(rest[..<start]))) }
            let next = rest.utf8.index(after: end)
            switch rest[start..<next] {
            case "{app}": pieces.append(.app)
            case "{provider}": pieces.append(.provider)
            case "{minutes}": pieces.append(.minutes)
            case "{seconds}": pieces.append(.seconds)
            case let unknown:
                throw OperatorError("has \(unknown), but only {app}, {provider}, {minutes} and {seconds} are known")
            }
            rest = rest[next...]
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

    func text(app: Name, provider: Name, number: String = "") -> String {
        var text = ""
        for piece in self.pieces {
            switch piece {
            case .words(let words): text += words
            case .app: Self.add(app, to: &text)
            case .provider: Self.add(provider, to: &text)
            case .minutes, .seconds: text += number
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
    static func marked(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "|")) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "|" ? Self.softHyphen : $0 }))
    }

    /// Whether a word of the text may be longer than a line of a phone, in the size of a title.
    static func hasLongWord(_ text: String) -> Bool {
        Self.unbroken(text).split(separator: " ").contains { $0.count > 15 }
    }

    /// Returns the text without soft hyphens, for a place that does not break lines.
    static func unbroken(_ text: String) -> String {
        String(text.unicodeScalars.filter { $0 != Self.softHyphen })
    }
}
