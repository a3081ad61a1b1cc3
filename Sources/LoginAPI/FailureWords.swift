import Base

/// What a reason or a `broker_error` means and what to do about it, in the words of docs/reference/errors.md.
struct FailureWords: Equatable, Sendable {
    let meaning: String
    /// Empty if there is nothing to do.
    let advice: String

    private static let all = WordTable(embeddedFiles["errors.txt"] ?? "")

    private init?(word: String) {
        guard let cells = Self.all.cells(of: word), cells.count == 2 else { return nil }
        (self.meaning, self.advice) = (cells[0], cells[1])
    }

    private init(meaning: String, advice: String) {
        self.meaning = meaning
        self.advice = advice
    }

    /// Nil for a word that is no reason.
    init?(reason: String) { self.init(word: "reason:\(reason)") }

    /// Any word that is not on the page is the broker's own.
    init(brokerError: String) {
        self = FailureWords(word: brokerError) ?? FailureWords(meaning: "The broker's own error.", advice: "")
    }
}
