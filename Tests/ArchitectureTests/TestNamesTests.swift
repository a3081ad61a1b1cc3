import Testing

/// A test's name is a sentence in the words of today, and a suite is known by its name.
@Suite struct TestNamesTests {
    /// Words of the early design, as names had them, and what the glossary calls that today.
    private static let stale: [(word: String, today: String)] = [
        ("answer", "response"), ("answers", "response"), ("brought", "sent"), ("calendar", "queue of due times"),
        ("door", "page token"), ("doors", "page token"), ("edition", "fetched document"),
        ("editions", "fetched document"), ("erasure", "deletion"), ("generation", "configuration snapshot"),
        ("generations", "configuration history"), ("held poll", "long poll"), ("held polls", "long poll"),
        ("held request", "long poll"), ("intake", "request assembler"), ("judge", "validate"),
        ("judged", "validated"), ("judgement", "authorization result"), ("judges", "validates"),
        ("ledger", "request log"), ("opening", "authorization attempt"), ("openings", "authorization attempt"),
        ("patience", "timeout"), ("spent", "used up"), ("taken", "accepted"), ("traveller", "initiator"),
        ("trip", "backchannel transaction"), ("trips", "backchannel transaction"), ("trouble", "transient error"),
        ("upstream", "at the broker"), ("walk", "poll"), ("walked", "polled"), ("walks", "polls"),
        ("wish", "login options"), ("wishes", "login options"),
    ]

    /// What is wrong with the names. The client library must build with Xcode 16, which has no raw identifiers.
    private static func problems(_ names: TestNames, isServer: Bool) -> [String] {
        var problems: [String] = []
        for test in names.tests {
            if isServer, !test.isRaw || test.hasDisplayName {
                problems.append("\(test.name): name the function with a sentence in backticks")
            } else if !isServer, test.isRaw || !test.hasDisplayName {
                problems.append("\(test.name): display a sentence, as in @Test(\"a closed browser is reported\")")
            }
            let words = test.name.lowercased().split { !$0.isLetter && !$0.isNumber && !"'-_".contains($0) }
            if words.count < 3 { problems.append("\(test.name): say what holds in three words or more") }
            let terms = Set(words.map(String.init) + zip(words, words.dropFirst()).map { "\($0) \($1)" })
            for (word, today) in Self.stale where terms.contains(word) {
                problems.append("\(test.name): for \(word) the glossary has \(today)")
            }
        }
        for suite in names.suites.sorted() where !suite.hasSuffix("Tests") {
            problems.append("\(suite): a suite's name ends in Tests")
        }
        return problems
    }

    @Test(arguments: [("Tests", true, 2000), ("Clients/Swift/Tests", false, 100)])
    func `every test and every suite has a name that says what it is`(
        _ folder: String, _ isServer: Bool, _ least: Int
    ) throws {
        var count = 0
        for file in try SourceTree.files(below: folder) {
            let names = TestNames(file.lines)
            count += names.tests.count
            for problem in Self.problems(names, isServer: isServer) { Issue.record("\(file.path): \(problem)") }
        }
        #expect(count > least, "the reader misses tests")
    }

    // MARK: - The reader and the rules

    /// A source, whether it is the server's, and the beginnings of what is wrong with it.
    private static let snippets: [(source: String, isServer: Bool, problems: [String])] = [
        ("@Suite struct ATests {\n    @Test func `a code is sent once`() {}\n}", true, []),
        ("@Suite struct ATests {\n    @Test func aCodeIsSentOnce() {}\n}", true, ["aCodeIsSentOnce: name", "aCode"]),
        ("@Test(\"a code is sent\") func `a code is sent once`() {}", true, ["a code is sent: name"]),
        ("@Test func `sends once`() {}", true, ["sends once: say"]),
        ("@Test(\n    arguments: [1, 2]\n)\nfunc `sends once`(_ a: Int) {}", true, ["sends once: say"]),
        ("@Test func `the doors of trips are shut`() {}", true, ["the doors", "the doors"]),
        ("@Test func `a held poll is answered`() {}", true, ["a held poll is answered: for held poll"]),
        ("@Test func `an answered poll is held`() {}", true, []),
        ("@Test(\"a code is sent once\", arguments: rows) func once(_ a: Int) {}", false, []),
        ("@Test(\n    \"sends once\",\n    arguments: rows) func once(_ a: Int) {}", false, ["sends once: say"]),
        ("@Test func aCodeIsSentOnce() {}", false, ["aCodeIsSentOnce: display", "aCodeIsSentOnce: say"]),
        ("@Test(\"a code is sent once\") func `a code is sent`() {}", false, ["a code is sent once: display"]),
        ("@Suite(.serialized) struct Codes {}", true, ["Codes: a suite's"]),
        ("@Suite(.serialized)\nstruct Codes {\n}", true, ["Codes: a suite's"]),
        ("struct Codes {\n    @Test func `a code is sent once`() {}\n}", true, ["Codes: a suite's"]),
        ("extension A.Codes {\n    @Test func `a code is sent once`() {}\n}", true, ["Codes: a suite's"]),
        (
            "struct ATests {\n    enum Row {\n        case a\n    }\n\n    @Test func `a code is sent once`() {}\n}",
            true, []
        ),
        ("struct ATests {\n    @Suite struct Codes {\n    }\n}", true, ["Codes: a suite's"]),
        ("let text = \"\"\"\n    @Test func one() {}\n    \"\"\"\n@Test func `sends once`() {}", true, ["sends once"]),
        ("/// @Test func one() {}\nstruct Code {}", true, []),
    ]

    @Test(arguments: snippets.indices) func `each kind of bad name is found`(_ index: Int) {
        let (source, isServer, expected) = Self.snippets[index]
        let names = TestNames(source.split(separator: "\n", omittingEmptySubsequences: false))
        let found = Self.problems(names, isServer: isServer)
        let isRight = found.count == expected.count && zip(found, expected).allSatisfy { $0.hasPrefix($1) }
        #expect(isRight, "\(source)\n\(found)")
    }

    /// Every word of the table is found alone, and in no longer word.
    @Test(arguments: stale.map(\.word)) func `each stale word is found`(_ word: String) {
        for (name, count) in [("it has \(word) in it", 1), ("it has x\(word)x in it", 0)] {
            let names = TestNames(["@Test func `\(name)`() {}"])
            #expect(Self.problems(names, isServer: true).count == count, "\(name)")
        }
    }
}
