// How the commands print columns.

extension StringProtocol {
    /// The text with spaces behind it, or before it.
    func padded(to width: Int, isRight: Bool = false) -> String {
        let room = String(repeating: " ", count: Swift.max(0, width - self.count))
        return isRight ? "\(room)\(self)" : "\(self)\(room)"
    }
}
