import ConfigurationSamples
import Foundation
import TestSupport

/// A function of a file below Tests, and the rows of docs/explanation/sources.md that its comment names.
struct TestFunction: Sendable {
    let path: String
    /// Without the backticks of a raw identifier.
    let name: String
    /// The ids in the lines `Sources: A3, A4.` of the comment right above it.
    let statements: [String]
}

extension TestFunction {
    /// The files below Tests, in Swift and Python.
    static let files: [String] = Self.files(below: "Tests")

    /// The functions of the files in which a comment names statements. Reading all files would take seconds.
    static let named: [TestFunction] = Self.files.flatMap { path -> [TestFunction] in
        guard let text = try? SourceFile.text(path), Self.hasMark(text) else { return [] }
        return Self.functions(in: text, path: path)
    }

    /// Lines that name statements and do not stand right above a function.
    static let strays: [String] = Self.files.flatMap { path -> [String] in
        guard let text = try? SourceFile.text(path), Self.hasMark(text) else { return [] }
        let lines = Self.lines(of: text)
        let attached = Set(Self.comments(in: lines).flatMap { $0.comment })
        return lines.indices.filter { Self.isMarked(lines[$0]) && !attached.contains($0) }.map { "\(path):\($0 + 1)" }
    }

    static func functions(in text: String, path: String) -> [TestFunction] {
        let lines = Self.lines(of: text)
        return Self.comments(in: lines).map { name, comment in
            TestFunction(path: path, name: name, statements: comment.flatMap { Self.statements(in: lines[$0]) })
        }
    }

    // MARK: - Reading

    /// How a line of a comment begins that names statements.
    private static let marks = ["/// ", "# "].map { $0 + "Sources: " }

    private static func hasMark(_ text: String) -> Bool { Self.marks.contains { text.contains($0) } }

    private static func isMarked(_ line: String) -> Bool { Self.marks.contains { line.hasPrefix($0) } }

    /// The ids of a line. A line in another form is returned whole, because it is no id.
    private static func statements(in line: String) -> [String] {
        guard let mark = Self.marks.first(where: { line.hasPrefix($0) }) else { return [] }
        guard line.hasSuffix(".") else { return [line] }
        return String(line.dropFirst(mark.count).dropLast()).components(separatedBy: ", ")
    }

    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// Each function, with the numbers of the comment lines right above it or above its attribute.
    private static func comments(in lines: [String]) -> [(name: String, comment: [Int])] {
        lines.indices.compactMap { index in
            guard let name = Self.name(declaredIn: lines[index]) else { return nil }
            let start = Self.start(of: index, in: lines)
            let comment = lines[..<start].indices.reversed().prefix { Self.isComment(lines[$0]) }
            return (name: name, comment: Array(comment))
        }
    }

    private static func isComment(_ line: String) -> Bool { line.hasPrefix("///") || line.hasPrefix("# ") }

    private static func name(declaredIn line: String) -> String? {
        guard !line.hasPrefix("//"), !line.hasPrefix("#") else { return nil }
        for word in ["func ", "def "] {
            guard let range = line.range(of: word) else { continue }
            let rest = line[range.upperBound...]
            let isRaw = rest.hasPrefix("`")
            let name =
                isRaw ? rest.dropFirst().prefix { $0 != "`" } : rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            if !name.isEmpty, rest[name.endIndex...].hasPrefix(isRaw ? "`(" : "(") { return String(name) }
        }
        return nil
    }

    /// The line of its attribute `@Test`, whose arguments may take many lines.
    private static func start(of index: Int, in lines: [String]) -> Int {
        guard !lines[index].hasPrefix("@") else { return index }
        for above in lines[..<index].indices.reversed() {
            let line = lines[above]
            if line.isEmpty || Self.isComment(line) || Self.name(declaredIn: line) != nil { return index }
            if line.hasPrefix("@Test") { return above }
        }
        return index
    }

    private static func files(below folder: String) -> [String] {
        SourceFile.names(in: folder).filter { !$0.hasPrefix(".") }.flatMap { name -> [String] in
            let path = "\(folder)/\(name)"
            if name.hasSuffix(".swift") || name.hasSuffix(".py") { return [path] }
            return name.contains(".") ? [] : Self.files(below: path)
        }
    }
}
