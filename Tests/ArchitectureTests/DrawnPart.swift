import Foundation
import Testing

/// A part of a page that is made from the table of modules, between two comments.
struct DrawnPart {
    static let end = "<!-- End of the generated part. -->"

    /// From the package's folder.
    let path: String
    let name: String
    /// The file with the table.
    var table = "House"

    var begin: String {
        let source = "Tests/ArchitectureTests/\(self.table).swift: \(self.name)"
        return "<!-- Generated from \(source). SWITCHBACK_WRITE_DOCS=1 rewrites it. -->"
    }

    /// Records that the page differs from `drawn`, or rewrites the part.
    func expect(_ drawn: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = SourceTree.root.appending(path: self.path)
        var text = try String(contentsOf: file, encoding: .utf8)
        let begin = try #require(
            text.range(of: self.begin + "\n"), "\(self.path) lacks the line \(self.begin)",
            sourceLocation: sourceLocation)
        let end = try #require(
            text.range(of: Self.end, range: begin.upperBound..<text.endIndex), "\(self.path) lacks \(Self.end)",
            sourceLocation: sourceLocation)
        let part = begin.upperBound..<end.lowerBound
        let wanted = "\n" + drawn + "\n"
        guard text[part] != wanted else { return }
        if ProcessInfo.processInfo.environment["SWITCHBACK_WRITE_DOCS"] == "1" {
            text.replaceSubrange(part, with: wanted)
            try text.write(to: file, atomically: true, encoding: .utf8)
        } else {
            Issue.record(
                """
                \(self.path) differs from the table: SWITCHBACK_WRITE_DOCS=1 swift test --filter DrawingTests rewrites \
                the part \(self.name)
                """, sourceLocation: sourceLocation)
        }
    }
}
