/// The drawing of the house in docs/architecture.md, made from the table.
import Foundation
import Testing

enum Drawing {
    static let begin = "<!-- Made from Tests/ArchitectureTests/House.swift; SWITCHBACK_WRITE_DOCS=1 writes it anew. -->"
    static let end = "<!-- The end of what is made. -->"

    /// What stands between the two marks.
    static func text(of modules: [Module]) -> String {
        [Self.picture(of: modules), Self.lines(of: modules), Self.folders(of: modules)].joined(separator: "\n")
    }

    /// The floors from the top, with the arrows that no other way says already.
    private static func picture(of modules: [Module]) -> String {
        var lines = ["```mermaid", "flowchart TB"]
        for floor in Module.Floor.allCases.reversed() {
            lines.append("    subgraph \(floor.rawValue)[\"\(floor.title)\"]")
            lines += modules.reversed().filter { $0.floor == floor }.map { "        \($0.name)" }
            lines.append("    end")
        }
        for module in modules.reversed() {
            let direct = module.imports.filter { name in
                !module.imports.contains { $0 != name && Self.reached(from: $0, in: modules).contains(name) }
            }
            lines += direct.sorted().map { "    \(module.name) --> \($0)" }
        }
        return (lines + ["```", ""]).joined(separator: "\n")
    }

    private static func reached(from name: String, in modules: [Module]) -> Set<String> {
        guard let module = modules.first(where: { $0.name == name }) else { return [] }
        return module.imports.reduce(into: module.imports) { $0.formUnion(Self.reached(from: $1, in: modules)) }
    }

    private static func lines(of modules: [Module]) -> String {
        let rows = modules.reversed().map { "| `\($0.name)` | \($0.sentence) | \(Self.list($0.imports)) |" }
        return (["| module | what it does | imports |", "|---|---|---|"] + rows + [""]).joined(separator: "\n")
    }

    private static func folders(of modules: [Module]) -> String {
        let rows = modules.reversed().filter { $0.folders.count > 1 }.flatMap { module in
            module.folders.reversed().map { folder in
                "| `\(module.name)\(folder.name.isEmpty ? "" : "/" + folder.name)` | \(Self.list(folder.uses)) |"
            }
        }
        return (["| folder, the highest first | uses |", "|---|---|"] + rows + [""]).joined(separator: "\n")
    }

    private static func list(_ names: Set<String>) -> String {
        names.sorted().map { "`\($0.isEmpty ? "the files beside them" : $0)`" }.joined(separator: ", ")
    }
}

@Suite struct DrawingTests {
    private static let file = SourceTree.root.appending(path: "docs/architecture.md")

    @Test func theDocumentationShowsTheTable() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let begin = try #require(text.range(of: Drawing.begin + "\n"))
        let end = try #require(text.range(of: Drawing.end, range: begin.upperBound..<text.endIndex))
        let drawn = "\n" + Drawing.text(of: House.modules) + "\n"
        if ProcessInfo.processInfo.environment["SWITCHBACK_WRITE_DOCS"] == "1" {
            let written = text.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: drawn)
            try written.write(to: Self.file, atomically: true, encoding: .utf8)
        } else {
            #expect(
                text[begin.upperBound..<end.lowerBound] == drawn,
                "SWITCHBACK_WRITE_DOCS=1 swift test --filter DrawingTests writes it anew")
        }
    }
}
