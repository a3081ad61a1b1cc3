import ConfigurationSamples
import Foundation
import TestSupport
import Testing

@testable import ServerConfiguration

/// Writes the comments of Config/switchback.yaml from the table of settings, and the settings that the file lacks. Their
/// order and the examples are the file's own.
@Suite struct SampleFileTests {
    private static let path = "Config/switchback.yaml"

    @Test func `the file explains every setting with the words of the table`() throws {
        let written = try SourceFile.text(Self.path)
        var file = SampleFile(written)
        for row in SettingTable.all { file.explain("\(row.pattern)", row.explanation) }
        let known = Set(file.explanations.keys)
        for (index, row) in SettingTable.all.enumerated() where !known.contains("\(row.pattern)") {
            let former = SettingTable.all[..<index].last { Self.section(of: $0) == Self.section(of: row) }
            let isAdded = file.add(
                "\(row.pattern)", Self.value(of: row), row.explanation, below: former.map { "\($0.pattern)" } ?? "")
            #expect(isAdded, "\(Self.path) has no section for \(row.pattern): write it by hand")
        }
        guard file.text != written else { return }
        guard ProcessInfo.processInfo.environment["SWITCHBACK_WRITE_DOCS"] == "1" else {
            let (old, new) = (written.split(separator: "\n"), file.text.split(separator: "\n"))
            let place = zip(old, new).prefix { $0 == $1 }.count
            Issue.record("\(Self.path) lacks \"\(new[place])\": SWITCHBACK_WRITE_DOCS=1 rewrites it")
            return
        }
        try file.text.write(toFile: SourceFile.path(Self.path), atomically: true, encoding: .utf8)
    }

    private static func section(of row: SettingRow) -> ArraySlice<SettingPattern.Segment> {
        row.pattern.segments.dropLast()
    }

    private static func value(of row: SettingRow) -> String {
        switch row.presence {
        case .required, .optional, .value(.names): "null"
        case .value(.text(let text)): text
        case .value(.integer(let number)): String(number)
        case .value(.boolean(let truth)): String(truth)
        case .value(.list(let items)): "[\(items.joined(separator: ", "))]"
        }
    }

    @Test func `a setting that the file lacks is added to its section`() {
        var file = SampleFile("a:\n  # Old.\n  one: 1\n  list:\n    - x\nb: 2\n")
        file.explain("a.one", "New words.")
        let isAdded = file.add("a.two", "2", String(repeating: "word ", count: 30) + "end.", below: "a.one")
        let words = String(repeating: " word", count: 19)
        let rest = String(repeating: " word", count: 11)
        #expect(
            file.text
                == "a:\n  # New words.\n  one: 1\n  #\(words)\n  #\(rest) end.\n  two: 2\n  list:\n    - x\nb: 2\n")
        #expect(isAdded)
        let isLost = !file.add("c.one", "1", "Text.", below: "c.other")
        #expect(isLost)
    }
}
