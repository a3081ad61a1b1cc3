/// What a reason or a `broker_error` means and what to do about it, in the words of docs/reference/errors.md.
struct FailureWords: Equatable, Sendable {
    let meaning: String
    /// Empty if there is nothing to do.
    let advice: String

    /// The lines of the page's tables, in its order. `…` stands for a part that varies.
    private static let all: [(word: String, words: FailureWords)] =
        (embeddedFiles["errors.txt"] ?? "").split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            return cells.count == 3 ? (cells[0], FailureWords(meaning: cells[1], advice: cells[2])) : nil
        }

    private init(meaning: String, advice: String) {
        self.meaning = meaning
        self.advice = advice
    }

    /// Nil for a word that is no reason.
    init?(reason: String) {
        guard let words = Self.all.first(where: { $0.word == "reason:\(reason)" })?.words else { return nil }
        self = words
    }

    /// Any word that is not on the page is the broker's own.
    init(brokerError: String) {
        let row =
            Self.all.first { $0.word == brokerError }
            ?? Self.all.first { $0.word.contains("…") && Self.covers($0.word, brokerError) }
        self = row?.words ?? FailureWords(meaning: "The broker's own error.", advice: "")
    }

    private static func covers(_ pattern: String, _ word: String) -> Bool {
        let parts = pattern.split(separator: "…", omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, word.hasPrefix(first), word.hasSuffix(last),
            word.count > pattern.count - parts.count
        else { return false }
        return parts.dropFirst().dropLast().allSatisfy { word.contains($0) }
    }
}
