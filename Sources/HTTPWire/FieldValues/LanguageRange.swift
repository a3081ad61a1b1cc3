/// A language that a reader would like, or `*` (RFC 9110 §12.5.4, RFC 4647 §2.1).
package struct LanguageRange: Equatable, Sendable {
    /// In lower case.
    package let range: String
    let quality: Quality

    /// The wanted ones of Accept-Language, the most wanted first. A malformed field counts as none.
    package static func list(_ values: [String]) -> [LanguageRange] {
        let ranges = Self.all(values).filter { $0.quality > .none }
        // `sort` is not promised to be stable, and of two that are wanted alike the first is meant first.
        return ranges.enumerated().sorted { a, b in
            (b.element.quality, a.offset) < (a.element.quality, b.offset)
        }.map(\.element)
    }

    /// The one of `available` that the reader likes best, by lookup (RFC 4647 §3.4): `da-DK` finds `da`.
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
        let range = scanner.text { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "*") }
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

    /// Without the last subtag, and without a single letter before it, which only introduces it.
    private static func shortened(_ range: Substring) -> Substring {
        guard let end = range.lastIndex(of: "-") else { return "" }
        let shorter = range[..<end]
        guard let before = shorter.lastIndex(of: "-"), shorter[before...].utf8.count == 2 else { return shorter }
        return shorter[..<before]
    }
}
