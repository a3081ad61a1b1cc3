import ConfigurationSamples
import TestSupport
import Testing

/// docs/explanation/sources.md has every statement of the documents, a place for each, and a test that names it.
@Suite struct SourcesPageTests {
    private static let path = "docs/explanation/sources.md"
    /// How many statements each document has, by the letter of its rows.
    private static let documents = [("A", 41), ("B", 13), ("C", 16), ("D", 57), ("E", 35), ("K", 12)]

    private static func page() throws -> MarkdownPage {
        try #require(Documentation.page(Self.path), "\(Self.path) is not there")
    }

    private static func statements() throws -> [SourceStatement] {
        try Self.page().tables.flatMap(\.rows).map { cells in
            try #require(
                SourceStatement(cells: cells),
                "\(Self.path): the row \(cells.first ?? "") has \(cells.count) columns, and not four")
        }
    }

    // MARK: - The page

    @Test func `every statement stands once and in order`() throws {
        let found = try Self.statements().map(\.id)
        let all = Self.documents.flatMap { letter, count in (1...count).map { "\(letter)\($0)" } }
        let counts = Dictionary(found.map { ($0, 1) }, uniquingKeysWith: +)
        for id in all where counts[id] == nil {
            Issue.record("\(Self.path) lacks \(id): write its row again, or the statement is lost")
        }
        for (id, count) in counts where count > 1 || !all.contains(id) {
            Issue.record("\(Self.path) has \(count) rows \(id): each statement has one row, and there are no others")
        }
        let index = zip(found, all).prefix { $0 == $1 }.count
        if found.count == all.count, index < all.count {
            Issue.record("\(Self.path) has \(found[index]) where \(all[index]) should be: sort the rows")
        }
    }

    @Test func `every statement has a place and what shows it`() throws {
        for statement in try Self.statements() {
            let place = Inline(statement.place)
            let files = place.code.filter(Documentation.exists)
            if place.links.isEmpty, files.isEmpty {
                Issue.record("\(Self.path): \(statement.id) has no place: link to a page, or name a file as code")
            }
            switch statement.evidence {
            case .seen, .notOurs: break
            case .told:
                if place.links.isEmpty {
                    Issue.record("\(Self.path): \(statement.id) is told: its place must link to the page that says it")
                }
            case nil:
                Issue.record(
                    "\(Self.path): \(statement.id) must end with `File.swift` `function`, told, or not ours: who")
            }
        }
    }

    @Test func `the counts are those of the tables`() throws {
        let statements = try Self.statements()
        let seen = statements.filter(\.isSeen).count
        let told = statements.filter { $0.evidence == .told }.count
        let notOurs = statements.filter(\.isNotOurs).count
        let sentence =
            "Of the \(statements.count) statements, \(seen) are seen, \(told) are told and \(notOurs) are not ours:"
        let isThere = try Self.page().passages.contains { $0.text.hasPrefix(sentence) }
        #expect(isThere, "\(Self.path) must say above its list: \(sentence)")
    }

    // MARK: - The tests

    /// The files below Tests that a row's text may mean.
    private static func files(_ written: String) -> [String] {
        TestFunction.files.filter { $0.hasSuffix("/\(written)") }
    }

    @Test func `every test that the page names names its row`() throws {
        for statement in try Self.statements() {
            guard case .seen(let file, let function)? = statement.evidence else { continue }
            let files = Self.files(file)
            guard let path = files.first, files.count == 1 else {
                let advice = files.isEmpty ? "name the test that shows it now" : "write its folder before it"
                Issue.record("\(Self.path): \(statement.id): \(files.count) files are called \(file): \(advice)")
                continue
            }
            let functions = TestFunction.functions(in: try SourceFile.text(path), path: path)
                .filter { $0.name == function }
            if functions.isEmpty {
                Issue.record("\(Self.path): \(statement.id): no \(function) is in \(path): name what shows it now")
            } else if !functions.contains(where: { $0.statements.contains(statement.id) }) {
                Issue.record("\(path): the comment of \(function) must end with the line Sources: \(statement.id).")
            }
        }
    }

    @Test func `every row that a test names names the test`() throws {
        let statements = Dictionary(try Self.statements().map { ($0.id, $0) }) { first, _ in first }
        for function in TestFunction.named {
            for id in function.statements {
                if case .seen(file: let file, function: function.name)? = statements[id]?.evidence,
                    Self.files(file) == [function.path]
                {
                    continue
                }
                Issue.record("\(function.path): \(function.name) names \(id), whose row does not: correct one of them")
            }
        }
        #expect(TestFunction.strays == [], "a line that names statements stands right above its test")
    }

    /// The reader finds the comment above an attribute of several lines, and no other.
    @Test func `the comments of functions are read`() {
        let text = """
            /// One.
            MARK A1, A2.
            @Test(
                arguments: [("a", 1)]
            ) func one(_ row: (String, Int)) {}

            MARK B1.

            @Test func two() {}
            MARK C1.
            private static func three() {}
            MARK D1
            @Test func four() {}
            MARK C2.
            @Test func five() {
                func six() {}
            }
            MARK C3.
            @Test(arguments: [1]) func `a func's name in words`(_ row: Int) {}
            """
        let functions = TestFunction.functions(in: text.replacing("MARK", with: "///" + " Sources:"), path: "x.swift")
        #expect(functions.map(\.name) == ["one", "two", "three", "four", "five", "six", "a func's name in words"])
        #expect(
            functions.map(\.statements) == [["A1", "A2"], [], ["C1"], ["///" + " Sources: D1"], ["C2"], [], ["C3"]])
        let python = "# " + "Sources: E1.\ndef seven(stage):\n    pass\n"
        #expect(TestFunction.functions(in: python, path: "x.py").map(\.statements) == [["E1"]])
    }

    // MARK: - A statement about this package

    /// What the design card puts at the top.
    /// Sources: K5.
    @Test(arguments: ["Package.swift", "Sources", "Tests", "Config", "Public", "Dockerfile"])
    func `the card's files are there`(_ name: String) {
        #expect(Documentation.exists(name))
    }
}
