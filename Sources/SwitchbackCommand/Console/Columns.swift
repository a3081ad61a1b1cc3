// How the commands print columns.

extension StringProtocol {
    /// The text with spaces behind it, or before it.
    func padded(to width: Int, isRight: Bool = false) -> String {
        let room = String(repeating: " ", count: Swift.max(0, width - self.count))
        return isRight ? "\(room)\(self)" : "\(self)\(room)"
    }
}

/// How a duration is written for a person, who reads it in a column.
extension Duration {
    /// As `2.4 s`, rounded to a tenth.
    var shownInSeconds: String {
        let tenths = Int((self / .milliseconds(100)).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }

    /// As `2412 ms`, without the part of a millisecond that is left.
    var shownInMilliseconds: String { "\(Int(self / .milliseconds(1))) ms" }
}
