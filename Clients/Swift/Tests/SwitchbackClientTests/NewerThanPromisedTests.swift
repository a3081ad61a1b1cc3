import Foundation
import Testing

/// What the package promises: iOS 15, Swift 6.0, and no closed enumeration of values that may grow. On Linux the
/// compiler checks none of it, so this reads the sources.
@Suite struct NewerThanPromisedTests {
    /// What is too new: a regular expression, what brought it, and a line that has it.
    static let rows: [(pattern: String, since: String, example: String)] = [
        (#"Task\.sleep\((for|until):"#, "iOS 16", "try await Task.sleep(for: .seconds(1))"),
        (#"\b(Continuous|Suspending)Clock\b|\bDuration\b"#, "iOS 16", "let clock = ContinuousClock()"),
        (#"URL\((filePath|fileURLWithFileSystemRepresentation):"#, "iOS 16", "URL(filePath: path)"),
        (#"\.(append|appending)\((path|component|components|queryItems):"#, "iOS 16", "url.appending(path: \"v1\")"),
        (#"URL\.\w+Directory\b"#, "iOS 16", "URL.applicationSupportDirectory"),
        (#"\.(firstMatch|wholeMatch|prefixMatch|matches)\(of:|\bRegex\b|= /\S"#, "iOS 16", "text.firstMatch(of: x)"),
        (
            #"\.(firstRange|ranges)\(of:|\.replacing\(|\.trimmingPrefix\("#, "iOS 16",
            "text.replacing(\"a\", with: \"b\")"
        ),
        (#"\bany \w+<"#, "iOS 16", "let list: any Collection<Int>"),
        (#"\bOSAllocatedUnfairLock\b"#, "iOS 16", "OSAllocatedUnfairLock()"),
        (#"\.language\.|Locale\.(Language|Region|Script)\b"#, "iOS 16", "Locale.current.language.languageCode"),
        (#"import Observation\b|@Observable\b"#, "iOS 17", "@Observable final class Model {}"),
        (#"encodingInvalidCharacters:"#, "iOS 17", "URL(string: text, encodingInvalidCharacters: false)"),
        (#"with(Throwing)?DiscardingTaskGroup"#, "iOS 17", "await withDiscardingTaskGroup { _ in }"),
        (#"#Predicate\b"#, "iOS 17", "#Predicate<Int> { $0 > 1 }"),
        (#"callback: \.(https|customScheme)\("#, "iOS 17.4", "callback: .https(host: host, path: path)"),
        (#"import Synchronization\b|\bMutex\(|\bAtomic<"#, "iOS 18", "let value = Mutex(0)"),
        (#"next\(isolation\b"#, "iOS 18", "mutating func next(isolation actor: isolated (any Actor)?)"),
        (#"String\(validating:|\bU?Int128\b|\bRangeSet\b"#, "iOS 18", "let number: UInt128 = 0"),
        (#"\b(InlineArray|Mutable(Raw)?Span|RawSpan|UTF8Span|Span)<|Task\.immediate"#, "iOS 26", "Task.immediate {}"),
        (#",\s*\n\s*\)"#, "Swift 6.1", "call(\n    one,\n)"),
        (
            #"nonisolated\s+(public\s+)?(final\s+)?(struct|class|enum|extension|protocol)\b"#, "Swift 6.1",
            "nonisolated struct A {}"
        ),
        (#"nonisolated\(nonsending\)|@concurrent\b"#, "Swift 6.2", "@concurrent func load() async {}"),
        (#"\b(func|let|var|case|struct) `[^`]* "#, "Swift 6.2", "func `a b`() {}"),
        (#"isolated deinit|\bweak let\b|@abi\("#, "Swift 6.2", "isolated deinit {}"),
        (#"\[\d+ of \w"#, "Swift 6.2", "var bytes: [32 of UInt8]"),
        (#"\\\.\w+\("#, "Swift 6.2", "names.map(\\.lowercased())"),
        (#"treatAllWarnings|treatWarning\(|defaultIsolation\("#, "tools 6.2", ".treatAllWarnings(as: .error)"),
    ]

    /// Enumerations that may stay closed: what only the app passes in, JSON, and the parts of the state machines, whose
    /// runner must know every one.
    static let closed = [
        "Callback", "Effect", "Event", "JSONValue", "Platform", "Reply", "SessionKeyError", "StoreKind",
        "WrappingPurpose",
    ]

    static let package = (1...3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    /// The package's Swift files below a folder, without comments.
    static func sources(below folder: String) throws -> [(name: String, text: String)] {
        let folder = Self.package.appendingPathComponent(folder)
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
            .map { path in
                let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
                let lines = text.components(separatedBy: "\n").map { line in
                    line.range(of: "// ").map { String(line[..<$0.lowerBound]) } ?? line
                }
                return (path, lines.joined(separator: "\n"))
            }
    }

    static func matches(_ pattern: String, in text: String) -> [String] {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return ["no pattern"] }
        let whole = NSRange(text.startIndex..., in: text)
        return expression.matches(in: text, range: whole).compactMap { match in
            Range(match.range, in: text).map { String(text[$0]) }
        }
    }

    @Test("each pattern finds its own example", arguments: rows)
    func eachPatternFindsItsExample(_ row: (pattern: String, since: String, example: String)) {
        #expect(Self.matches(row.pattern, in: row.example).first.map { $0 != "no pattern" } == true)
    }

    @Test("nothing is newer than what the package promises", arguments: rows)
    func nothingIsNewer(_ row: (pattern: String, since: String, example: String)) throws {
        let sources = try Self.sources(below: "Sources")
        #expect(sources.count > 50)
        var files = sources
        if row.since.hasPrefix("Swift") {
            files += try Self.sources(below: "Tests").filter { !$0.name.hasSuffix("NewerThanPromisedTests.swift") }
        }
        let manifest = Self.package.appendingPathComponent("Package.swift")
        files.append(("Package.swift", try String(contentsOf: manifest, encoding: .utf8)))
        for file in files { #expect(Self.matches(row.pattern, in: file.text) == [], "\(file.name): \(row.since)") }
    }

    @Test("the manifest asks for the tools of Xcode 16") func theManifestAsksForXcode16() throws {
        let manifest = try String(contentsOf: Self.package.appendingPathComponent("Package.swift"), encoding: .utf8)
        #expect(manifest.hasPrefix("// swift-tools-version:6.0\n"))
        #expect(manifest.contains(".iOS(.v15), .macOS(.v12)"))
    }

    @Test("only values that cannot grow are enumerations") func onlyClosedValuesAreEnumerations() throws {
        let texts = try Self.sources(below: "Sources").map(\.text)
        let names = texts.flatMap { Self.matches(#"public enum \w+"#, in: $0) }
            .map { $0.replacingOccurrences(of: "public enum ", with: "") }
        #expect(Set(names).sorted() == Self.closed)
    }
}
