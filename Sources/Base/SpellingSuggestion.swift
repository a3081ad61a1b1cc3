/// Finds the known word that is closest to a misspelt one.
package enum SpellingSuggestion {
    /// Returns the end of a message about an unknown word; empty if no word is known.
    package static func suggestion(for word: String, in words: some Sequence<String>) -> String {
        Self.word(to: word, in: words).map { "; did you mean \($0)?" } ?? ""
    }

    /// Returns the first of the closest words; nil if no word is known.
    package static func word(to word: String, in words: some Sequence<String>) -> String? {
        let bytes = Array(word.utf8)
        return words.map { (word: $0, distance: Self.distance(bytes, Array($0.utf8))) }
            .min { $0.distance < $1.distance }?.word
    }

    /// Returns whether none of the known words differs in so few letters that it may be the same word, misspelt.
    package static func isFar(_ word: String, from words: some Sequence<String>) -> Bool {
        let bytes = Array(word.utf8)
        return words.allSatisfy { Self.distance(bytes, Array($0.utf8)) > max(1, bytes.count / 3) }
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
