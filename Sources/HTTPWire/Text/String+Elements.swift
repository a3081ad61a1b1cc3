// Splits and trims texts from the wire, byte by byte. To Swift, a comma with an accent is no comma, and the kelvin sign
// equals a K. So a sender could hide a separator from us that others see, or the other way round.

extension StringProtocol where UTF8View.SubSequence == Substring.UTF8View {
    /// Returns the texts between these bytes.
    package func elements(separatedBy byte: UInt8, atMost count: Int = .max, omittingEmpty: Bool = true) -> [Substring]
    {
        let parts = self.utf8.split(
            separator: byte, maxSplits: count - 1, omittingEmptySubsequences: omittingEmpty)
        return parts.map { Substring($0) }
    }
}

extension Substring {
    /// `text` must be in lower case.
    func isEqualIgnoringCase(to text: StaticString) -> Bool { self.utf8.span.isEqualIgnoringCase(to: text) }
}
