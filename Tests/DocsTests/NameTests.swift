/// What pages name exists: files, settings, metrics and log events.
import ConfigurationSamples
import Foundation
import Testing

@testable import ServerConfiguration

@Suite struct NameTests {
    /// The code between backticks on a page, with the line it stands on.
    private static func code(on page: MarkdownPage) -> [(line: Int, text: String)] {
        page.passages.flatMap { passage in Inline(passage.text).code.map { (line: passage.line, text: $0) } }
    }

    // MARK: - Files

    /// Folders at the top of this package; a path that begins with one of them is meant to be there.
    private static let folders: Set<String> = [
        ".ci", "Benchmarks", "Clients", "Config", "Examples", "Public", "Sources", "Tests", "docs",
    ]
    /// The broker that docs/how-to/add-a-broker.md adds.
    private static let invented = "ExampleBank"
    private static let modules = Set(SourceFile.names(in: "Sources"))

    @Test(arguments: Documentation.presentPages) func `every file that a page names is there`(_ page: MarkdownPage) {
        for (line, text) in Self.code(on: page) where !Self.isThere(text, from: page.path) {
            Issue.record("\(page.path):\(line): \(text) is not there")
        }
    }

    /// True for what is no path of this package, too. A Swift file may stand without its ending.
    private static func isThere(_ text: String, from page: String) -> Bool {
        guard text.utf8.allSatisfy(Self.isOfPath), let slash = text.firstIndex(of: "/"),
            !text.contains(Self.invented)
        else { return true }
        let first = String(text[..<slash])
        let path = text.hasSuffix("/") ? String(text.dropLast()) : text
        if Self.folders.contains(first) { return Self.isFile(path) }
        // A page beside code names its neighbours, and a folder of the same name may be a module.
        guard Self.modules.contains(first), page.hasPrefix("docs/") || !page.contains("/") else { return true }
        return Self.isFile("Sources/\(path)") || Self.isFile("Clients/Swift/Sources/\(path)")
    }

    private static func isFile(_ path: String) -> Bool {
        Documentation.exists(path) || Documentation.exists(path + ".swift")
    }

    private static func isOfPath(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "/._-+".utf8.contains(byte)
        }
    }

    // MARK: - Settings

    /// Endings of names that only look like a setting: hosts, and the file names of a Kubernetes secret.
    private static let suffixes = [".com", ".org", ".net", ".example", ".crt", ".pem", ".yaml", ".md"]

    @Test(arguments: Documentation.presentPages) func `every setting that a page names exists`(_ page: MarkdownPage) {
        for (line, text) in Self.code(on: page) {
            guard let path = Self.setting(text), !KnownNames.isSetting(path), !Self.isOfLogin(path) else { continue }
            Issue.record("\(page.path):\(line): there is no setting \(path)")
        }
    }

    /// `brokers.*.issuer` of `brokers.*.issuer: https://…`. Nil when the text is none.
    private static func setting(_ text: String) -> String? {
        let path = text.prefix { character in
            character.isASCII && (character.isLowercase || character.isNumber || "._*[]".contains(character))
        }
        let parts = path.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, KnownNames.sections.contains(String(parts[0])), parts.allSatisfy({ !$0.isEmpty }),
            text.dropFirst(path.count).first.map({ ":=, ".contains($0) }) ?? true,
            !Self.suffixes.contains(where: path.hasSuffix)
        else { return nil }
        return String(path)
    }

    /// `poll.after_ms` is a member of the API.
    private static func isOfLogin(_ path: String) -> Bool {
        let schemas = try? KnownNames.openAPI.get().root["components"]?["schemas"]
        return path.hasPrefix("poll.") && schemas?["Poll"]?["properties"]?[String(path.dropFirst(5))] != nil
    }

    /// A block of YAML whose first names are settings is a piece of a configuration.
    @Test(arguments: Documentation.presentPages)
    func `every configuration has only settings`(_ page: MarkdownPage) throws {
        for block in page.blocks where block.language == "yaml" {
            let root = try ConfigurationNode(yaml: Array(block.text.utf8))
            guard case .map(let members) = root.content, members.contains(where: { KnownNames.isSetting($0.name) })
            else {
                continue
            }
            let problems = ConfigurationWalker(root, file: "\(page.path), block at line \(block.line)").problems
            #expect(problems.map(\.description) == [])
        }
    }

    // MARK: - Metrics

    /// Names of other things that begin in the same way: roles of a database.
    private static let others: Set<String> = ["switchback_owner"]

    @Test(arguments: Documentation.presentPages) func `every metric that a page names exists`(_ page: MarkdownPage) {
        let texts =
            Self.code(on: page) + page.blocks.filter { $0.language == "promql" }.map { (line: $0.line, text: $0.text) }
        for (line, text) in texts {
            for word in text.split(whereSeparator: { !Self.isOfWord($0) }) where word.hasPrefix("switchback_") {
                let isKnown = KnownNames.isMetric(String(word)) || Self.others.contains(String(word))
                #expect(isKnown, "\(page.path):\(line): there is no metric \(word)")
            }
        }
    }

    private static func isOfWord(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_")
    }

    // MARK: - Log events

    /// Words that begin as events do: of OAuth, of assertions, and a table of the database.
    private static let foreign: Set<String> = [
        "login_hint", "login_hint_token", "request_uri", "request_object", "broker_iss", "broker_sub", "login_other",
    ]

    /// A word that begins as an event does (`login_`, `store_`, …) is one, unless it is a word of something else.
    @Test(arguments: Documentation.presentPages)
    func `every log event that a page names exists`(_ page: MarkdownPage) throws {
        let events = try LogEvents.names.get()
        let families = Set(events.filter { $0.contains("_") }.map { $0.prefix { $0 != "_" } })
        for (line, text) in Self.code(on: page) {
            let isWord = text.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (0x61...0x7A).contains($0) }
            guard isWord, text.contains("_"), families.contains(text.prefix { $0 != "_" }), !events.contains(text)
            else {
                continue
            }
            let isKnown = KnownNames.words.contains(text) || Self.foreign.contains(text)
            #expect(isKnown, "\(page.path):\(line): there is no log event \(text)")
        }
    }
}
