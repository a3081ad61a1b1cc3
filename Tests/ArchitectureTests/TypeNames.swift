/// The type names that a source file declares, and those that it mentions. This looks at words and does not parse
/// Swift.
struct TypeNames: Sendable {
    /// Types at the top of the file that other files can see.
    private(set) var declared: Set<String> = []
    /// Types that no other file can mean: nested in others, or private.
    private(set) var nested: Set<String> = []
    /// Every capitalized word that is no member of another one, outside comments and string literals.
    private(set) var mentioned: Set<String> = []

    private static let keywords: Set<String> = ["struct", "class", "enum", "actor", "protocol", "typealias"]

    init(_ source: String) {
        var scanner = Scanner(Array(source.utf8))
        var depth = 0
        var isPrivate = false
        var (last, beforeLast) = ("", "")
        while let token = scanner.next() {
            switch token {
            case .open: depth += 1
            case .close: depth -= 1
            case .lineEnd: isPrivate = false
            case .word(let word, let isMember):
                if word == "private" || word == "fileprivate" { isPrivate = true }
                let isType = word.utf8.first.map { (0x41...0x5A).contains($0) } ?? false
                if isType, !isMember {
                    if Self.keywords.contains(last), beforeLast != "import" {
                        if depth == 0, !isPrivate { self.declared.insert(word) } else { self.nested.insert(word) }
                    } else if last != "import" {
                        self.mentioned.insert(word)
                    }
                }
                (beforeLast, last) = (last, word)
            }
        }
    }
}

extension TypeNames {
    /// Splits a source into words and braces.
    private struct Scanner {
        enum Token {
            case word(String, isMember: Bool)
            case open, close, lineEnd
        }

        private let bytes: [UInt8]
        private var at = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func next() -> Token? {
            while self.at < self.bytes.count {
                let byte = self.bytes[self.at]
                if Self.isLetter(byte) { return self.word() }
                if self.skipComment() || self.skipText() { continue }
                self.at += 1
                switch byte {
                case UInt8(ascii: "{"): return .open
                case UInt8(ascii: "}"): return .close
                case UInt8(ascii: "\n"): return .lineEnd
                default: break
                }
            }
            return nil
        }

        private static func isLetter(_ byte: UInt8) -> Bool {
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
        }

        private mutating func word() -> Token {
            let start = self.at
            while self.at < self.bytes.count,
                Self.isLetter(self.bytes[self.at]) || (0x30...0x39).contains(self.bytes[self.at])
            { self.at += 1 }
            let isMember =
                start > 0 && self.bytes[start - 1] == UInt8(ascii: ".")
                && !(start > 1 && self.bytes[start - 2] == UInt8(ascii: "."))
            return .word(String(decoding: self.bytes[start..<self.at], as: UTF8.self), isMember: isMember)
        }

        private func begins(_ text: StaticString) -> Bool {
            let count = text.utf8CodeUnitCount
            guard self.at + count <= self.bytes.count else { return false }
            return (0..<count).allSatisfy { self.bytes[self.at + $0] == text.utf8Start[$0] }
        }

        /// Block comments can be nested.
        private mutating func skipComment() -> Bool {
            if self.begins("//") {
                while self.at < self.bytes.count, self.bytes[self.at] != UInt8(ascii: "\n") { self.at += 1 }
                return true
            }
            guard self.begins("/*") else { return false }
            var depth = 0
            repeat {
                if self.begins("/*") {
                    depth += 1
                    self.at += 2
                } else if self.begins("*/") {
                    depth -= 1
                    self.at += 2
                } else {
                    self.at += 1
                }
            } while depth > 0 && self.at < self.bytes.count
            return true
        }

        /// Skips a string literal with its interpolations.
        private mutating func skipText() -> Bool {
            var start = self.at
            while start < self.bytes.count, self.bytes[start] == UInt8(ascii: "#") { start += 1 }
            guard start < self.bytes.count, self.bytes[start] == UInt8(ascii: "\"") else { return false }
            let hashes = start - self.at
            self.at = start
            let isLong = self.begins("\"\"\"")
            self.at += isLong ? 3 : 1
            while self.at < self.bytes.count {
                if self.bytes[self.at] == UInt8(ascii: "\\"), hashes == 0 {
                    self.at += self.begins("\\(") ? 1 : 2
                } else if isLong ? self.begins("\"\"\"") : self.begins("\""), self.isHashed(isLong ? 3 : 1, hashes) {
                    self.at += (isLong ? 3 : 1) + hashes
                    return true
                } else if hashes == 0, self.begins("("), self.bytes[self.at - 1] == UInt8(ascii: "\\") {
                    self.skipInterpolation()
                } else {
                    self.at += 1
                }
            }
            return true
        }

        /// Whether as many `#` follow the quotation marks as before the literal.
        private func isHashed(_ quotes: Int, _ hashes: Int) -> Bool {
            let end = self.at + quotes + hashes
            return end <= self.bytes.count && self.bytes[(end - hashes)..<end].allSatisfy { $0 == UInt8(ascii: "#") }
        }

        /// Skips to the closing parenthesis; string literals may be in between.
        private mutating func skipInterpolation() {
            var depth = 0
            while self.at < self.bytes.count {
                switch self.bytes[self.at] {
                case UInt8(ascii: "("): depth += 1
                case UInt8(ascii: ")"): depth -= 1
                case UInt8(ascii: "\""):
                    _ = self.skipText()
                    continue
                default: break
                }
                self.at += 1
                if depth == 0 { return }
            }
        }
    }
}
