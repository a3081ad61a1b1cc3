// Finds where the records of a file end.

extension AuditTail {
    /// Returns nil if the last line of `end`, the end of a file, is no record.
    package init?(endOf end: [UInt8]) {
        let last = end.lastIndex(of: UInt8(ascii: "\n"))
        let rest = Array(end[(last.map { $0 + 1 } ?? 0)...])
        guard let last else { return nil }
        let start = end[..<last].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        guard let line = AuditLine(Array(end[start..<last])) else { return nil }
        self.init(
            chain: line.chain, number: line.number, hash: line.hash,
            torn: rest.isEmpty ? nil : AuditChain.hash(rest))
    }
}
