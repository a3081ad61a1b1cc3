/// Words, each with what a page says about it. `…` in a word stands for a part that varies.
package struct WordTable: Sendable {
    private struct Row {
        let word: String
        /// The word without its `…`, cut there.
        let parts: [String]
        let cells: [String]

        /// Of two words that fit, the one that ends as the other does not is more exact, and then the longer one.
        var exactness: (Int, Int) { (self.parts.last?.count ?? 0, self.parts.map(\.count).reduce(0, +)) }

        func covers(_ text: String) -> Bool {
            guard self.parts.count > 1, let first = self.parts.first, let last = self.parts.last,
                text.hasPrefix(first), text.hasSuffix(last), text.count >= self.exactness.1
            else { return false }
            return self.parts.dropFirst().dropLast().allSatisfy { text.contains($0) }
        }
    }

    private let rows: [Row]

    /// Reads one word a line, with its cells behind it. Tabs separate them.
    package init(_ text: String) {
        self.rows = text.split(separator: "\n").map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            let parts = cells[0].split(separator: "…", omittingEmptySubsequences: false).map(String.init)
            return Row(word: cells[0], parts: parts, cells: Array(cells.dropFirst()))
        }
    }

    /// Returns the cells of a word, or of the word with `…` that fits it best. Nil if there is none.
    package func cells(of text: String) -> [String]? {
        if let row = self.rows.first(where: { $0.word == text }) { return row.cells }
        return self.rows.filter { $0.covers(text) }.max { $0.exactness < $1.exactness }?.cells
    }
}
