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

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        guard !self.isTooLong else { return }
        self.rest += bytes.prefix(AuditLine.byteLimit + 1 - self.rest.count)
        self.isTooLong = self.rest.count > AuditLine.byteLimit
    }
}
