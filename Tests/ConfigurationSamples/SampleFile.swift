/// `Config/switchback.yaml` as lines: where each setting stands, and the comment above it.
package struct SampleFile {
    private static let width = 100

    private var lines: [String] { didSet { self.places = Self.places(in: self.lines) } }
    /// The line of each setting.
    private var places: [String: Int]

    package init(_ text: String) {
        self.lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        self.places = Self.places(in: self.lines)
    }

    package var text: String { self.lines.joined(separator: "\n") }

    /// The comment above each setting, its lines joined, by the setting's pattern.
    package var explanations: [String: String] {
        self.places.mapValues(self.explanation)
    }

    private func explanation(above place: Int) -> String {
        self.comment(above: place).map { self.lines[$0].drop { $0 == " " }.dropFirst().drop { $0 == " " } }
            .joined(separator: " ")
    }

    /// Replaces the comment above a setting if its text differs from the explanation.
    package mutating func explain(_ pattern: String, _ explanation: String) {
        guard let place = self.places[pattern], self.explanation(above: place) != explanation else { return }
        let indent = self.lines[place].prefix { $0 == " " }.count
        self.lines.replaceSubrange(self.comment(above: place), with: Self.comment(explanation, indent: indent))
    }

    /// Adds a setting below another one of the same section. Returns false if that one is not here either.
    package mutating func add(_ pattern: String, _ value: String, _ explanation: String, below former: String) -> Bool {
        guard let place = self.places[former], let name = pattern.split(separator: ".").last else { return false }
        let indent = Self.indent(of: self.lines[place])
        let value = "\(String(repeating: " ", count: indent))\(name): \(value)"
        let end = self.lines[(place + 1)...].firstIndex { Self.indent(of: $0) <= indent } ?? self.lines.endIndex
        self.lines.insert(
            contentsOf: (indent == 0 ? [""] : []) + Self.comment(explanation, indent: indent) + [value], at: end)
        return true
    }

    private static func places(in lines: [String]) -> [String: Int] {
        var found: [String: Int] = [:]
        var parents: [(indent: Int, name: String)] = []
        for (index, line) in lines.enumerated() {
            let text = line.drop { $0 == " " || $0 == "-" }
            guard !text.hasPrefix("#"), let colon = text.firstIndex(of: ":") else { continue }
            let indent = Self.indent(of: line)
            parents.removeAll { $0.indent >= indent }
            parents.append((indent, String(text[..<colon])))
            if !text.hasSuffix(":") { found[Self.pattern(parents.map(\.name))] = index }
        }
        return found
    }

    /// The dash of an item counts: its settings stand under one another.
    private static func indent(of line: String) -> Int { line.prefix { $0 == " " || $0 == "-" }.count }

    private func comment(above place: Int) -> Range<Int> {
        let count = self.lines[..<place].reversed().prefix { $0.drop { $0 == " " }.hasPrefix("#") }.count
        return place - count..<place
    }

    private static func comment(_ text: String, indent: Int) -> [String] {
        let start = String(repeating: " ", count: indent) + "#"
        return text.split(separator: " ").reduce(into: [start]) { lines, word in
            let last = lines[lines.count - 1]
            if last == start || last.count + 1 + word.count <= Self.width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append("\(start) \(word)")
            }
        }
    }

    private static func pattern(_ names: [String]) -> String {
        var names = names
        if ["apps", "brokers", "namespaces", "providers"].contains(names.first), names.count > 1 { names[1] = "*" }
        return names.joined(separator: ".").replacing(/^(keys\.[a-z]+|apps\.\*\.android|tls\.more)\./) { "\($0.1)[]." }
    }
}
