import ConfigurationSamples
import Foundation
import OpenAPIChecking
import TestSupport
import Testing

/// All pages of the documentation, read once.
enum Documentation {
    /// The pages at the top, and every page below these folders.
    private static let top = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
    private static let folders = ["docs", "Clients", "Examples", "Benchmarks", "Sources", "Sandbox", "Tests"]

    static let pages: [MarkdownPage] =
        (Self.top.filter(Self.exists) + Self.folders.flatMap(Self.markdown(below:))).map { path in
            MarkdownPage(path: path, text: (try? SourceFile.text(path)) ?? "")
        }

    static func page(_ path: String) -> MarkdownPage? { Self.pages.first { $0.path == path } }

    /// A page tells of today. The history names what is gone, and is left out.
    static let presentPages = Self.pages.filter { $0.path != "CHANGELOG.md" }

    /// The contract of the API.
    static let openAPI = Result { try OpenAPIDocument(yaml: SourceFile.text("Public/openapi.yaml")) }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: SourceFile.path(path)) }

    /// The pages below a folder, without what builds and tools leave there.
    private static func markdown(below folder: String) -> [String] {
        SourceFile.names(in: folder).filter { !$0.hasPrefix(".") }.flatMap { name -> [String] in
            let path = "\(folder)/\(name)"
            if name.hasSuffix(".md") { return [path] }
            return name.contains(".") ? [] : Self.markdown(below: path)
        }
    }
}

/// A part of a page that is generated from the code. A test compares it, or rewrites it with SWITCHBACK_WRITE_DOCS=1.
struct GeneratedPart {
    let path: String
    /// What it is generated from, for readers of the page.
    let source: String

    private static let end = "<!-- End of the generated part. -->"

    private var begin: String { "<!-- Generated from \(self.source). SWITCHBACK_WRITE_DOCS=1 rewrites it. -->\n\n" }

    /// Records the first line in which the page differs from `generated`, or rewrites the part.
    func expect(_ generated: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let text = try SourceFile.text(self.path)
        let begin = try #require(text.range(of: self.begin), "\(self.path) lacks \(self.begin)")
        let end = try #require(text.range(of: "\n" + Self.end, range: begin.upperBound..<text.endIndex))
        let written = text[begin.upperBound..<end.lowerBound]
        guard written != generated else { return }
        if ProcessInfo.processInfo.environment["SWITCHBACK_WRITE_DOCS"] == "1" {
            try text.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: generated)
                .write(toFile: SourceFile.path(self.path), atomically: true, encoding: .utf8)
            return
        }
        let (old, new) = (written.split(separator: "\n"), generated.split(separator: "\n"))
        let index = zip(old, new).prefix { $0 == $1 }.count
        let found = old.indices.contains(index) ? String(old[index]) : "the end"
        let wanted = new.indices.contains(index) ? String(new[index]) : "the end"
        Issue.record(
            "\(self.path) has \"\(found)\" in place of \"\(wanted)\": SWITCHBACK_WRITE_DOCS=1 rewrites it",
            sourceLocation: sourceLocation)
    }
}
