/// Words that the glossary has replaced, and names that are a participle without its noun: `left` does not say what is
/// left.
struct Words: Sendable {
    /// Words of the early design that mean nothing else here, and today's words for them. See the end of the glossary.
    static let today: [String: String] = [
        "brought": "delivered, presented", "departure": "authorization start", "emptiness": "drained",
        "intake": "request assembler", "judgement": "authorization result", "ledger": "request log",
        "rulebook": "configuration history", "setout": "choice of an attempt", "surroundings": "dependencies",
        "teller": "notifier", "traveller": "initiator of an attempt", "trip": "backchannel transaction",
        "trips": "backchannel transactions", "unprinted": "redacted description", "wish": "preference",
        "wishes": "login options, preferences",
    ]

    /// Participles that are no name of a local or of a stored property.
    static let participles: Set = [
        "asked", "begun", "brought", "changed", "chosen", "done", "found", "given", "gone", "kept", "known", "left",
        "listed", "made", "missed", "named", "said", "seen", "sent", "shown", "spent", "taken", "told", "wanted",
        "written",
    ]

    /// The old words in identifiers and comments, in their order.
    let stale: [String]
    /// The locals, parameters and stored properties that are only a participle, in their order. A parameter whose label
    /// is its name looks like an argument, so it is not among them. A static value is named like a case.
    let bare: [String]

    init(_ source: String) {
        var (stale, bare): ([String], [String]) = ([], [])
        for line in SourceWords(source).lines {
            stale += line.all.flatMap(SourceWords.parts).filter { Self.today[$0] != nil }
            guard !line.code.contains("static") else { continue }
            bare += Self.names(declaredIn: line.code).filter(Self.participles.contains)
        }
        (self.stale, self.bare) = (stale, bare)
    }

    private static func names(declaredIn code: [String]) -> [String] {
        code.indices.flatMap { index -> [String] in
            let rest = code[(index + 1)...]
            switch code[index] {
            case "let", "var":
                return rest.first == "(" ? self.list(rest.dropFirst(), until: ")") : Array(rest.prefix(1))
            case "for": return Array(rest.drop { ["await", "try"].contains($0) }.prefix(1))
            case "{": return self.list(rest.drop { $0 == "(" }, until: "in")
            // The name of a parameter that has a label.
            case ":" where index > 1 && SourceWords.isWord(code[index - 2]):
                return [nil, "(", ","].contains(index > 2 ? code[index - 3] : nil) ? [code[index - 1]] : []
            default: return []
            }
        }
    }

    /// Returns the names before `end`, or none if something else than names comes before it.
    private static func list(_ code: ArraySlice<String>, until end: String) -> [String] {
        guard let index = code.firstIndex(of: end) else { return [] }
        let items = code[..<index].filter { ![",", ")"].contains($0) }
        return items.allSatisfy { SourceWords.isWord($0) } ? items : []
    }
}

/// The words of a source by line, without its string literals: those have the words of the API, of brokers and of users.
private struct SourceWords {
    struct Line {
        /// Words, and all other characters but spaces, in their order.
        var code: [String] = []
        var comment: [String] = []
        var all: [String] { self.code + self.comment }
    }

    private(set) var lines: [Line] = [Line()]

    init(_ source: String) {
        let bytes = Array(source.utf8)
        var (at, isComment) = (0, false)
        func begins(_ text: String) -> Bool { at < bytes.count && bytes[at...].starts(with: text.utf8) }
        while at < bytes.count {
            let start = at
            at += 1
            switch bytes[start] {
            case UInt8(ascii: "\n"):
                self.lines.append(Line())
                isComment = false
            case let byte where Self.isLetter(byte):
                while at < bytes.count, Self.isLetter(bytes[at]) || (0x30...0x39).contains(bytes[at]) { at += 1 }
                self.add(String(decoding: bytes[start..<at], as: UTF8.self), isComment)
            case UInt8(ascii: "/") where at < bytes.count && bytes[at] == UInt8(ascii: "/"): isComment = true
            case UInt8(ascii: "\"") where !isComment:
                let isLong = begins("\"\"\n")
                at += isLong ? 2 : 0
                // A literal that we misread ends with its line.
                let ends = [UInt8(ascii: "\""), UInt8(ascii: "\n")]
                while at < bytes.count, isLong ? !begins("\"\"\"") : !ends.contains(bytes[at]) {
                    at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
                }
                at += isLong ? 3 : begins("\"") ? 1 : 0
            case UInt8(ascii: " "): break
            case let byte: self.add(String(UnicodeScalar(byte)), isComment)
            }
        }
    }

    private mutating func add(_ text: String, _ isComment: Bool) {
        if isComment {
            self.lines[self.lines.count - 1].comment.append(text)
        } else {
            self.lines[self.lines.count - 1].code.append(text)
        }
    }

    static func isWord(_ text: String) -> Bool { text.utf8.first.map(self.isLetter) ?? false }

    /// Returns the words of a name in lower case; `takenByApp` has three.
    static func parts(_ name: String) -> [String] {
        name.utf8.reduce(into: [[UInt8]]()) { parts, byte in
            let isCapital = (0x41...0x5A).contains(byte)
            if isCapital || parts.isEmpty { parts.append([]) }
            parts[parts.count - 1].append(isCapital ? byte | 0x20 : byte)
        }.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
    }
}
