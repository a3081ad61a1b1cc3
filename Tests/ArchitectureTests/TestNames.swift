/// The tests and the suites that a source file declares. This looks at the beginnings of lines and does not parse Swift.
struct TestNames: Sendable {
    struct Test: Equatable, Sendable {
        /// What a run shows: the display name, or the function's name without backticks.
        let name: String
        let isRaw: Bool
        let hasDisplayName: Bool
    }

    private(set) var tests: [Test] = []
    /// Types with the attribute `@Suite`, and those that tests are in.
    private(set) var suites: Set<String> = []

    private static let keywords: Set<Substring> = ["struct", "class", "enum", "actor", "extension"]
    /// How a line begins that may declare a type. To split every line takes seconds.
    private static let beginnings = [
        "@", "struct ", "class ", "enum ", "actor ", "extension ", "final ", "indirect ", "private ", "fileprivate ",
        "package ", "public ",
    ]
    private static let initials = Set(beginnings.compactMap(\.utf8.first))

    init(_ lines: [Substring]) {
        var reader = LineReader(lines)
        // The types whose members may follow. What swift-format has formatted is indented by its depth.
        var types: [(indent: Int, name: String)] = []
        var isSuite = false
        while let line = reader.next() {
            guard let first = line.utf8.first, Self.initials.contains(first),
                Self.beginnings.contains(where: { line.utf8.starts(with: $0.utf8) })
            else { continue }
            if line.hasPrefix("@Suite") { isSuite = true }
            if let name = Self.type(declaredIn: line) {
                types.removeAll { $0.indent >= reader.indent }
                types.append((reader.indent, name))
                if isSuite { self.suites.insert(name) }
                isSuite = false
            }
            guard line.hasPrefix("@Test") else { continue }
            if let type = types.last(where: { $0.indent < reader.indent }) { self.suites.insert(type.name) }
            var declaration = String(line)
            while !declaration.contains("func "), let more = reader.next() { declaration += " " + more }
            if let test = Self.test(declaration) { self.tests.append(test) }
        }
    }

    /// The type that a line declares or extends. Attributes and modifiers may stand before it.
    private static func type(declaredIn line: Substring) -> String? {
        let words = line.split(separator: " ")
        guard let keyword = words.firstIndex(where: { Self.keywords.contains($0) }), keyword + 1 < words.count,
            line.hasPrefix("@") || words[..<keyword].allSatisfy({ $0.allSatisfy(\.isLetter) })
        else { return nil }
        let name = words[keyword + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        return name.split(separator: ".").last.map(String.init)
    }

    /// `@Test("display name", arguments: rows) func name(…)`
    private static func test(_ declaration: String) -> Test? {
        guard let keyword = declaration.firstRange(of: "func ") else { return nil }
        let rest = declaration[keyword.upperBound...]
        let isRaw = rest.hasPrefix("`")
        let name = isRaw ? rest.dropFirst().prefix { $0 != "`" } : rest.prefix { $0 != "(" && $0 != "<" }
        let attribute = declaration.dropFirst("@Test".count).drop { $0 == "(" || $0 == " " }
        guard attribute.hasPrefix("\"") else {
            return Test(name: String(name), isRaw: isRaw, hasDisplayName: false)
        }
        return Test(
            name: String(attribute.dropFirst().prefix { $0 != "\"" }), isRaw: isRaw, hasDisplayName: true)
    }

    /// The lines without comments, and without texts of several lines, in which snippets may stand.
    private struct LineReader {
        private var rest: ArraySlice<Substring>
        /// The blanks before the line that was read last.
        private(set) var indent = 0

        init(_ lines: [Substring]) { self.rest = lines[...] }

        mutating func next() -> Substring? {
            while let line = self.rest.popFirst() {
                let text = Self.withoutBlanks(line)
                self.indent = line.utf8.count - text.utf8.count
                if text.utf8.suffix(3).elementsEqual("\"\"\"".utf8) { self.skipText() }
                if !text.utf8.starts(with: "//".utf8) { return text }
            }
            return nil
        }

        /// A text of several lines ends with the line that begins with its quotation marks.
        private mutating func skipText() {
            while let line = self.rest.popFirst(), !Self.withoutBlanks(line).utf8.starts(with: "\"\"\"".utf8) {}
        }

        private static func withoutBlanks(_ line: Substring) -> Substring {
            Substring(line.utf8.drop { $0 == UInt8(ascii: " ") })
        }
    }
}
