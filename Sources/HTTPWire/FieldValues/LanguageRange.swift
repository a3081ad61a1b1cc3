/// A language that a reader prefers, or `*` (RFC 9110 §12.5.4, RFC 4647 §2.1).
package struct LanguageRange: Equatable, Sendable {
    /// The range in lower case, or `*`.
    package let range: String
    let quality: Quality

    /// Returns the accepted languages of Accept-Language, the most preferred first. A malformed field counts as absent.
    package static func list(_ values: [String]) -> [LanguageRange] {
        let ranges = Self.all(values).filter { $0.quality > .none }
        // `sort` is not guaranteed to be stable, and of two languages with the same quality the first comes first.
        return ranges.enumerated().sorted { a, b in
            (b.element.quality, a.offset) < (a.element.quality, b.offset)
        }.map(\.element)
    }

    /// Returns the language of `available` that the reader prefers most, by lookup (RFC 4647 §3.4): `da-DK` finds `da`.
    package static func best(of available: [String], for values: [String]) -> String? {
        let refused = Set(Self.all(values).filter { $0.quality == .none }.map(\.range))
        let offered = available.filter { !refused.contains($0.lowercased()) }
        for wanted in Self.list(values) {
            if wanted.range == "*" { return offered.first }
            var range = wanted.range[...]
            while !range.isEmpty {
                if let found = offered.first(where: { $0.lowercased() == range }) { return found }
                range = Self.shortened(range)
            }
        }
        return nil
    }

    private init?(_ scanner: inout FieldScanner) {
        let range = scanner.readText { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "*") }
        guard Self.isRange(range), let quality = Quality(in: &scanner) else { return nil }
        self.range = range.lowercased()
        self.quality = quality
    }

    private static func all(_ values: [String]) -> [LanguageRange] {
        FieldScanner.list(values) { LanguageRange(&$0) } ?? []
    }

    private static func isRange(_ text: String) -> Bool {
        guard text != "*" else { return true }
        let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
        return subtags.allSatisfy { 1...8 ~= $0.utf8.count && !$0.utf8.contains(UInt8(ascii: "*")) }
    }

    /// Drops the last subtag, and a single letter before it, which only introduces the subtag.
    private static func shortened(_ range: Substring) -> Substring {
        guard let end = range.lastIndex(of: "-") else { return "" }
        let shorter = range[..<end]
        guard let before = shorter.lastIndex(of: "-"), shorter[before...].utf8.count == 2 else { return shorter }
        return shorter[..<before]
    }
}
