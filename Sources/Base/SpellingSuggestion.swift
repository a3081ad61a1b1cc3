/// Finds the known word that a misspelt one was meant to be.
package enum SpellingSuggestion {
    /// The most letters in which two words may differ, however long they are.
    private static let mostDifferences = 3
    /// A shorter word is the beginning of too many others.
    private static let leastBeginning = 4

    /// Returns the end of a message about an unknown word; empty if no known word is near.
    package static func suggestion(for word: String, in words: some Sequence<String>) -> String {
        Self.word(to: word, in: words).map { "; did you mean \($0)?" } ?? ""
    }

    /// Returns the first of the closest words; nil if none is near enough to be the same word, misspelt.
    package static func word(to word: String, in words: some Sequence<String>) -> String? {
        words.compactMap { other in Self.difference(word, other).map { (word: other, difference: $0) } }
            .min { $0.difference < $1.difference }?.word
    }

    /// Returns whether none of the known words is near.
    package static func isFar(_ word: String, from words: some Sequence<String>) -> Bool {
        Self.word(to: word, in: words) == nil
    }

    /// Returns how far apart two words are; nil if they are not near. Near are words that differ in a third of their
    /// letters or in one, and in three at most; and two of which one is the beginning of the other.
    package static func difference(_ word: String, _ other: String) -> Int? {
        let (bytes, otherBytes) = (Array(word.utf8), Array(other.utf8))
        let shorter = min(bytes.count, otherBytes.count)
        let distance = Self.distance(bytes, otherBytes)
        if distance <= min(Self.mostDifferences, max(1, shorter / 3)), distance * 2 < shorter { return distance }
        let isBeginning = shorter >= Self.leastBeginning && (word.hasPrefix(other) || other.hasPrefix(word))
        return isBeginning ? distance : nil
    }

    /// Counts the insertions, deletions, replacements and swapped neighbours that turn one into the other.
    static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
