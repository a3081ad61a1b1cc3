/// What a file declares at its top level, and the doc comments that belong to no declaration.
///
/// It reads the form that `swift format` leaves: a top-level declaration begins in the first column, and what is inside
/// it does not.
struct FileOutline {
    struct Declaration {
        /// The keyword, such as `struct`.
        let kind: String
        let name: String
        let hasDoc: Bool

        var isType: Bool { FileOutline.types.contains(self.kind) }
    }

    private(set) var declarations: [Declaration] = []
    /// The numbers of the lines that end a doc comment with no declaration below it. The first line is 1.
    private(set) var looseDocs: [Int] = []
    /// Whether the file has nothing but extensions, and does not begin with a line that says what they are for.
    var isSilent: Bool { !self.beginsWithComment && self.declarations.allSatisfy { $0.kind == "extension" } }

    private let beginsWithComment: Bool

    private static let types: Set<String> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    private static let keywords = types.union([
        "extension", "func", "var", "let", "init", "deinit", "subscript", "case", "associatedtype", "macro", "operator",
        "precedencegroup",
    ])
    /// What may stand before the keyword, with the words in parentheses behind some of them.
    private static let modifiers: Set<String> = [
        "open", "public", "package", "internal", "fileprivate", "private", "set", "static", "class", "final", "async",
        "nonisolated", "nonsending", "unsafe", "isolated", "indirect", "dynamic", "distributed", "lazy", "weak",
        "unowned", "override", "required", "convenience", "mutating", "nonmutating", "consuming", "borrowing", "prefix",
        "postfix", "infix",
    ]

    init(_ lines: [Substring]) {
        let first = lines.first ?? ""
        self.beginsWithComment = first.hasPrefix("// ") && first.contains(where: \.isLetter)
        var quotes: String?
        // Whether the line above ends a doc comment, and whether the attributes above have one.
        var (isDocumented, hasDoc) = (false, false)
        for (index, line) in lines.enumerated() {
            if let end = quotes {
                if line.contains(end) { quotes = nil }
                continue
            }
            let text = line.drop { $0 == " " }
            guard !text.hasPrefix("//") else {
                let isDoc = text.hasPrefix("///")
                if isDocumented && !isDoc { self.looseDocs.append(index) }
                isDocumented = isDoc
                continue
            }
            quotes = Self.openedQuotes(line)
            hasDoc = hasDoc || isDocumented
            let rest = Self.withoutAttributes(text)
            if let found = Self.declaration(rest) {
                if text.startIndex == line.startIndex {
                    self.declarations.append(Declaration(kind: found.kind, name: found.name, hasDoc: hasDoc))
                }
                hasDoc = false
            } else if isDocumented && !(text.hasPrefix("@") && rest.isEmpty) {
                self.looseDocs.append(index)
                hasDoc = false
            }
            isDocumented = false
        }
        if isDocumented { self.looseDocs.append(lines.count) }
    }

    /// The text after its attributes. It is empty if an attribute goes on in the next line.
    private static func withoutAttributes(_ line: Substring) -> Substring {
        // The end of an attribute that began in a line above.
        var line = line.drop { $0 == ")" || $0 == " " }
        while line.hasPrefix("@") {
            line = line.dropFirst().drop { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
            if line.hasPrefix("(") {
                var depth = 0
                let end = line.firstIndex { character in
                    depth += character == "(" ? 1 : character == ")" ? -1 : 0
                    return depth == 0
                }
                line = end.map { line[$0...].dropFirst() } ?? ""
            }
            line = line.drop { $0 == " " }
        }
        return line
    }

    private static func declaration(_ line: Substring) -> (kind: String, name: String)? {
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.prefix(12).map(String.init)
        guard line.first?.isLetter == true else { return nil }
        for (word, next) in zip(words, words.dropFirst() + [""]) {
            let isModifier = Self.modifiers.contains(word)
            // `class` is a modifier in `class func`, and the keyword in `class Person`.
            let isKeyword = word == "class" ? !Self.modifiers.union(Self.keywords).contains(next) : !isModifier
            if isKeyword { return Self.keywords.contains(word) ? (word, next) : nil }
        }
        return nil
    }

    /// The end of a literal of many lines that begins here.
    private static func openedQuotes(_ line: Substring) -> String? {
        let quotes = String(repeating: "\"", count: 3)
        guard let start = line.firstRange(of: quotes), !line[start.upperBound...].contains(quotes) else { return nil }
        return quotes + line[..<start.lowerBound].reversed().prefix { $0 == "#" }
    }
}
