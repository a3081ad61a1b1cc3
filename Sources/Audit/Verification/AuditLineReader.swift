/// Divides the bytes of a file into lines, in parts of any size.
package struct AuditLineReader: Sendable {
    /// The bytes of a line that has not ended.
    package private(set) var rest: [UInt8] = []
    /// Whether the line that has not ended is too long to be a record. Its bytes are dropped.
    private var isTooLong = false

    package init() {}

    /// Calls `body` for each line that ends in these bytes, without its line end.
    package mutating func read(_ bytes: ArraySlice<UInt8>, _ body: ([UInt8]) -> Void) {
        var slice = bytes
        while let end = slice.firstIndex(of: UInt8(ascii: "\n")) {
            self.keep(slice[..<end])
            body(self.rest)
            self.rest.removeAll(keepingCapacity: true)
            self.isTooLong = false
            slice = slice[(end + 1)...]
        }
        self.keep(slice)
    }

    /// Returns where the records end whose last bytes are `end`. Nil if its last line is no record.
    static func tail(of end: [UInt8]) -> AuditTail? {
        guard let last = end.lastIndex(of: UInt8(ascii: "\n")) else { return nil }
        let rest = Array(end[(last + 1)...])
        let start = end[..<last].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        guard let line = AuditLine(Array(end[start..<last])) else { return nil }
        return AuditTail(
            chain: line.chain, number: line.number, hash: line.hash,
            torn: rest.isEmpty ? nil : AuditChain.hash(rest))
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        guard !self.isTooLong else { return }
        self.rest += bytes.prefix(AuditLine.byteLimit + 1 - self.rest.count)
        self.isTooLong = self.rest.count > AuditLine.byteLimit
    }
}
