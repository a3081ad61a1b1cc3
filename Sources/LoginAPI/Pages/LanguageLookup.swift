/// Finds the language to use, by lookup (RFC 4647 §3.4): `da-DK` finds `da`, and `sv-Latn-FI` finds `sv-FI`.
struct LanguageLookup: Sendable {
    /// Two tags of the same written language. `no` is what old systems say.
    private static let equals = ["no": "nb", "nb": "no"]
    /// What most readers of a language also read, if we have none of their languages.
    private static let neighbours = ["fo": "da", "kl": "da", "nn": "nb"]

    /// The most subtags of a tag that we read. A request may contain hundreds; the tags of our languages have fewer.
    private static let limit = 8

    /// By the tag in lower case.
    private let tags: [String: String]

    init(_ tags: some Sequence<String>) {
        self.tags = Dictionary(tags.map { ($0.lowercased(), $0) }) { first, _ in first }
    }

    /// Returns the first wanted language that there is; nil if there is none.
    func first(of languages: [String]) -> String? {
        let ranges = languages.map { $0.lowercased() }
        return self.find(ranges.flatMap(Self.ranges))
            ?? self.find(ranges.compactMap { Self.neighbours[String($0.prefix { $0 != "-" })] })
    }

    private func find(_ ranges: [String]) -> String? {
        ranges.lazy.compactMap { self.tags[$0] }.first
    }

    /// Returns the ranges to look up, the most specific first.
    private static func ranges(of tag: String) -> [String] {
        let all = tag.split(separator: "-", omittingEmptySubsequences: false)
        let subtags = all.prefix(Self.limit).map(String.init)
        let unscripted = Self.withoutScript(subtags)
        let language = subtags[0]
        let longer = Self.prefixes(of: subtags) + (unscripted == subtags ? [] : Self.prefixes(of: unscripted))
        return longer + [language] + [Self.equals[language]].compactMap { $0 }
    }

    /// Returns the tag and each shorter one of at least two subtags.
    private static func prefixes(of subtags: [String]) -> [String] {
        guard subtags.count > 1 else { return [] }
        return (2...subtags.count).reversed().map { subtags.prefix($0).joined(separator: "-") }
    }

    /// A script has four letters, and comes directly after the language (RFC 5646 §2.2.3).
    private static func withoutScript(_ subtags: [String]) -> [String] {
        guard subtags.count > 1, subtags[1].utf8.count == 4, subtags[1].allSatisfy(\.isLetter) else { return subtags }
        return [subtags[0]] + subtags.dropFirst(2)
    }
}

extension [String: String] {
    /// Returns the name in this language, otherwise in English, otherwise in its first language.
    func name(in language: String) -> String? {
        if let name = self[language] { return name }
        let tag = LanguageLookup(self.keys.sorted()).first(of: [language])
        return tag.flatMap { self[$0] } ?? self["en"] ?? self.min { $0.key < $1.key }?.value
    }
}
