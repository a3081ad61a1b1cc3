import Testing

/// Names and comments use the glossary's words, and a local has its noun.
@Suite struct WordsTests {
    private static let sources = Result {
        try SourceTree.sources().map { (path: $0.path, words: Words($0.lines.joined(separator: "\n"))) }
    }

    @Test func `no identifier and no comment has a word that the glossary has replaced`() throws {
        let found = try Self.sources.get().flatMap { path, words in
            words.stale.map { "\(path): \($0), now \(Words.today[$0] ?? "")" }
        }
        #expect(found == [])
    }

    @Test func `no local is a participle without its noun`() throws {
        let found = try Self.sources.get().flatMap { path, words in words.bare.map { "\(path): \($0)" } }
        #expect(found == [])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var stale: [String] = []
        var bare: [String] = []

        init(_ source: String, stale: [String] = [], bare: [String] = []) {
            (self.testDescription, self.stale, self.bare) = (source, stale, bare)
        }
    }

    @Test(arguments: [
        Row("let intake = RequestAssembler()", stale: ["intake"]), Row("let unusedIntake = 1", stale: ["intake"]),
        Row("// A browser brought it.", stale: ["brought"]), Row("let setOut = 1 // Wishes", stale: ["wishes"]),
        Row("let text = \"a trip\""), Row("let mark = #\"\"\"#\nlet trip = 1", stale: ["trip"]),
        Row("let text = \"\"\"\n    a trip\n    \"\"\""), Row("let strip = 1"),
    ]) func `a word is found in identifiers and comments, and not in string literals`(_ row: Row) {
        #expect(Words(row.testDescription).stale == row.stale)
    }

    @Test(arguments: [
        Row("let known = 1", bare: ["known"]), Row("guard let left else { return }", bare: ["left"]),
        Row("case .code(let given): break", bare: ["given"]),
        Row("let (left, taken) = (1, 2)", bare: ["left", "taken"]),
        Row("init(_ asked: Int)", bare: ["asked"]), Row("    to known: Int", bare: ["known"]),
        Row("for known in all {}", bare: ["known"]), Row("all.map { known in known }", bare: ["known"]),
        Row("all.map { (left, right) in left }", bare: ["left"]), Row("for await told in events {}", bare: ["told"]),
        Row("private var spent = 0", bare: ["spent"]),
        Row("let knownKey = left(1)"), Row("let isKnown = true"), Row("static let found = Status(302)"),
        Row("// let known = 1"), Row("read(known: 1)"), Row("let text = \"let known = 1\""), Row("case sent"),
    ]) func `a local that is only a participle is found`(_ row: Row) {
        #expect(Words(row.testDescription).bare == row.bare)
    }
}
