/// The module diagram and tables in docs/explanation/architecture.md, generated from the table of modules.
import Foundation
import Testing

enum Drawing {
    /// The parts of docs/explanation/architecture.md that are made from the table, by name.
    static let parts: [(name: String, text: @Sendable ([Module]) -> String)] = [
        ("modules", { Self.picture(of: $0) + "\n" + Self.lines(of: $0) }), ("folders", { Self.folders(of: $0) }),
    ]
    static let end = "<!-- End of the generated part. -->"

    static func begin(_ part: String) -> String {
        "<!-- Generated from Tests/ArchitectureTests/House.swift: \(part). SWITCHBACK_WRITE_DOCS=1 rewrites it. -->"
    }

    /// The floors from the top, without arrows that other arrows imply.
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
    private static let file = SourceTree.root.appending(path: "docs/explanation/architecture.md")

    @Test func `the documentation shows the table`() throws {
        var text = try String(contentsOf: Self.file, encoding: .utf8)
        let rewrites = ProcessInfo.processInfo.environment["SWITCHBACK_WRITE_DOCS"] == "1"
        for part in Drawing.parts {
            let begin = try #require(text.range(of: Drawing.begin(part.name) + "\n"))
            let end = try #require(text.range(of: Drawing.end, range: begin.upperBound..<text.endIndex))
            let drawn = "\n" + part.text(House.modules) + "\n"
            if rewrites {
                text.replaceSubrange(begin.upperBound..<end.lowerBound, with: drawn)
            } else {
                #expect(
                    text[begin.upperBound..<end.lowerBound] == drawn,
                    "SWITCHBACK_WRITE_DOCS=1 swift test --filter DrawingTests rewrites the part \(part.name)")
            }
        }
        if rewrites { try text.write(to: Self.file, atomically: true, encoding: .utf8) }
    }
}
