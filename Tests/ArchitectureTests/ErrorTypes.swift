/// The error types of a source file, and what its functions throw of them. This looks at words and does not parse Swift.
struct ErrorTypes: Sendable {
    /// A type that conforms to `Error`, and its cases if it is an enum.
    struct Declaration: Sendable {
        let name: String
        let cases: Set<String>
    }

    /// A function, initializer or getter with `throws(Type)`.
    struct Function: Sendable {
        /// An initializer has the name of its type.
        let name: String
        let file: String
        let error: String
        /// Whether other modules see it.
        let isPackage: Bool
        /// The cases that it throws itself.
        let cases: Set<String>
        /// The names of the functions that it tries.
        let tried: Set<String>
        /// Whether it throws a value whose case cannot be seen here.
        let isOpen: Bool
    }

    private static let kinds = ["enum ", "struct ", "class "]

    private(set) var declared: [Declaration] = []
    private(set) var functions: [Function] = []

    init(_ file: SourceFile) {
        let lines = file.lines.map { line in
            let code = line.drop { $0 == " " }
            return code.hasPrefix("//") ? "" : String(line)
        }
        for index in lines.indices {
            // A regular expression reads a line many times slower than a search does, and few lines have these words.
            if Self.kinds.contains(where: { lines[index].contains($0) }),
                let match = lines[index].firstMatch(of: /\b(?:enum|struct|class) (\w+)(?:<[^>]*>)?: ([^{]*)/),
                match.2.split(whereSeparator: { !$0.isLetter }).contains("Error")
            {
                self.declared.append(
                    Declaration(name: String(match.1), cases: Self.cases(in: Self.body(at: index, of: lines))))
            }
            // `do throws(…)` belongs to the function around it.
            if lines[index].contains("throws("), !lines[index].contains("do throws("),
                let match = lines[index].firstMatch(
                    of: /throws\((?:\w+\.)*(\w+)\)(?: ->[^{]*| where[^{]*)?(?:\s*\{.*)?\s*$/),
                let (word, isPackage) = Self.name(before: index, of: lines),
                lines[index...].prefix(3).first(where: { $0.hasSuffix("{") || $0.contains(" { ") || $0.isEmpty })?
                    .isEmpty
                    == false
            {
                let body = Self.body(at: index, of: lines)
                let type = Self.type(around: index, of: lines)
                self.functions.append(
                    Function(
                        name: word == "init" ? type : word, file: file.path, error: String(match.1),
                        isPackage: isPackage, cases: Self.thrown(in: body), tried: Self.tried(in: body, of: type),
                        isOpen: Self.isOpen(body)))
            }
        }
    }

    /// Returns the lines from this one to the end of the first braces.
    private static func body(at start: Int, of lines: [String]) -> [String] {
        var depth = 0
        var hasBegun = false
        for index in start..<lines.endIndex {
            for byte in lines[index].utf8 {
                if byte == UInt8(ascii: "{") {
                    depth += 1
                    hasBegun = true
                } else if byte == UInt8(ascii: "}") {
                    depth -= 1
                }
            }
            if hasBegun, depth <= 0 { return Array(lines[start...index]) }
        }
        return Array(lines[start...])
    }

    /// Returns the name of the function whose `throws` stands in this line or after its parameters.
    private static func name(before index: Int, of lines: [String]) -> (String, isPackage: Bool)? {
        for line in lines[...index].reversed().prefix(8) {
            if let match = line.firstMatch(of: /\b(?:func (\w+)|(init)\b|(get) throws|var (\w+))/) {
                return (match.1 ?? match.2 ?? match.3 ?? match.4).map { (String($0), line.contains("package ")) }
            }
            if line.contains(" in") && line.contains("throws("), !line.contains("func") { return nil }
        }
        return nil
    }

    /// Returns the name of the type or extension that this line is in: the last that begins further to the left.
    private static func type(around index: Int, of lines: [String]) -> String {
        var indent = lines[index].prefix { $0 == " " }.count
        for line in lines[..<index].reversed() where !line.isEmpty {
            let own = line.prefix { $0 == " " }.count
            guard own < indent else { continue }
            indent = own
            if let match = line.firstMatch(of: /\b(?:enum|struct|class|actor|extension) (?:\w+\.)*(\w+)/) {
                return String(match.1)
            }
        }
        return ""
    }

    private static func cases(in body: [String]) -> Set<String> {
        var cases: Set<String> = []
        var depth = 0
        for line in body {
            if depth == 1, let match = line.firstMatch(of: /^\s*case (\w.*)$/), !match.1.contains(":") {
                for part in match.1.replacing(/\([^)]*\)/, with: "").split(separator: ",") {
                    if let name = part.firstMatch(of: /\w+/) { cases.insert(String(name.0)) }
                }
            }
            for byte in line.utf8 { depth += byte == UInt8(ascii: "{") ? 1 : byte == UInt8(ascii: "}") ? -1 : 0 }
        }
        return cases
    }

    private static func thrown(in body: [String]) -> Set<String> {
        Set(Self.throwing(body).flatMap(Self.caseNames))
    }

    /// What stands after each `throw`.
    private static func throwing(_ body: [String]) -> [Substring] {
        body.filter { $0.contains("throw ") }.flatMap { line in line.matches(of: /\bthrow (.*)/).map(\.1) }
    }

    private static func caseNames(_ value: Substring) -> [String] {
        value.matches(of: /(?:^|[ (?:])\.(\w+)/).map { String($0.1) }
    }

    private static func isOpen(_ body: [String]) -> Bool {
        Self.throwing(body).contains { Self.caseNames($0).isEmpty }
    }

    /// An initializer has the name of its type.
    private static func tried(in body: [String], of type: String) -> Set<String> {
        Set(
            body.filter { $0.contains("try ") }.flatMap { line in
                line.matches(of: /\btry (?:await )?((?:\w+[.?]+)*\w+)/).compactMap { match in
                    let name = match.1.split { !$0.isLetter && !$0.isNumber }.last.map(String.init)
                    return name == "init" || name == "Self" ? type : name
                }
            })
    }
}
