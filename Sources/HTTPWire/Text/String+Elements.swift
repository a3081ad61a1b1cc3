// Parts of texts from the wire, found byte by byte. To Swift a comma with an accent is no comma, and the sign for kelvin
// equals a K: whoever writes to us could hide a separator from us, or show us a word, that others do not see.

extension StringProtocol where UTF8View.SubSequence == Substring.UTF8View {
    /// What stands between these bytes.
    package func elements(separatedBy byte: UInt8, atMost count: Int = .max, omittingEmpty: Bool = true) -> [Substring]
    {
        let parts = self.utf8.split(
            separator: byte, maxSplits: count - 1, omittingEmptySubsequences: omittingEmpty)
        return parts.map { Substring($0) }
    }
}

extension Substring {
    /// Without the spaces and tabs around it.
    package var trimmingBlanks: Substring {
        var bytes = self.utf8
        while bytes.first?.isBlank == true { bytes.removeFirst() }
        while bytes.last?.isBlank == true { bytes.removeLast() }
        return Substring(bytes)
    }

    /// `text` is in lower case.
    func isEqualIgnoringCase(to text: StaticString) -> Bool { self.utf8.span.isEqualIgnoringCase(to: text) }
}
