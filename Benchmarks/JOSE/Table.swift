/// The result, as a table that is also Markdown.
enum Table {
    static func lines(_ rows: [Row], _ rounds: [[Rates]]) -> [String] {
        let head = [
            "", "ours /s", "`openssl speed` /s", "ratio", "bare libcrypto /s", "ratio", "aim", "",
        ]
        let cells = [head] + rows.enumerated().map { index, row in self.cells(row, rounds.map { $0[index] }) }
        let widths = head.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        var lines = cells.map { self.line($0, widths) }
        lines.insert("|" + widths.indices.map { self.rule($0, widths[$0]) }.joined(separator: "|") + "|", at: 1)
        return lines
    }

    /// Each ratio is the median of the rounds' ratios: whatever slowed a round slowed both sides of it.
    private static func cells(_ row: Row, _ rounds: [Rates]) -> [String] {
        let besideSpeed = self.median(rounds.map { $0.ours / $0.speed })
        let besideBare = self.median(rounds.map { $0.ours / $0.bare })
        return [
            row.name, self.whole(rounds.map(\.ours)), self.whole(rounds.map(\.speed)), self.hundredths(besideSpeed),
            self.whole(rounds.map(\.bare)), self.hundredths(besideBare), self.hundredths(row.aim),
            min(besideSpeed, besideBare) >= row.aim ? "met" : "missed",
        ]
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = cells.indices.map { column in
            let blanks = String(repeating: " ", count: widths[column] - cells[column].count)
            return self.isText(column) ? cells[column] + blanks : blanks + cells[column]
        }
        return "| " + padded.joined(separator: " | ") + " |"
    }

    private static func rule(_ column: Int, _ width: Int) -> String {
        String(repeating: "-", count: width + 1) + (self.isText(column) ? "-" : ":")
    }

    private static func isText(_ column: Int) -> Bool { column == 0 || column == 7 }

    private static func whole(_ rates: [Double]) -> String { String(Int(self.median(rates).rounded())) }

    /// Truncated, so that rounding cannot meet an aim.
    private static func hundredths(_ ratio: Double) -> String {
        let hundredths = Int(ratio * 100 + 1e-9)
        return "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)"
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
