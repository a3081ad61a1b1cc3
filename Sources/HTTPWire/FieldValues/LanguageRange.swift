/// A language that a reader prefers, or `*` (RFC 9110 §12.5.4, RFC 4647 §2.1).
package struct LanguageRange: Equatable, Sendable {
    /// The range in lower case, or `*`.
    package let range: String
    let quality: Quality

    /// Returns the accepted languages of Accept-Language, the most preferred first. A malformed field counts as absent.
    package static func list(_ values: [String]) -> [LanguageRange] {
        let all = FieldScanner.list(values) { LanguageRange(&$0) } ?? []
        let ranges = all.filter { $0.quality > .none }
        // `sort` is not guaranteed to be stable, and of two languages with the same quality the first comes first.
        return ranges.enumerated().sorted { a, b in
            (b.element.quality, a.offset) < (a.element.quality, b.offset)
        }.map(\.element)
    }

    private init?(_ scanner: inout FieldScanner) {
        let range = scanner.readText { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "*") }
        guard Self.isRange(range), let quality = Quality(in: &scanner) else { return nil }
        self.range = range.lowercased()
        self.quality = quality
    }

    private static func isRange(_ text: String) -> Bool {
        guard text != "*" else { return true }
        let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
        return subtags.allSatisfy { 1...8 ~= $0.utf8.count && !$0.utf8.contains(UInt8(ascii: "*")) }
    }
}
