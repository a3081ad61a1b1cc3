/// Bytes that have arrived but are not used yet. New ones go to the end, and used ones leave from the front.
struct ReceiveBuffer: Sendable {
    /// The bytes of memory that an empty buffer may keep.
    private static let kept = 16 * 1024

    private(set) var bytes: [UInt8] = []
    private var start = 0
    /// Where the last line begins that was taken or was too long.
    private var lineStart = 0
    /// How much of `bytes` has been searched for a line feed, so that a slow sender cannot make us search twice.
    private var searched = 0

    var count: Int { self.bytes.count - self.start }

    /// Begins with the last line that was taken or was too long. For use before new bytes arrive.
    var lastLine: ArraySlice<UInt8> { self.bytes[min(self.lineStart, self.bytes.count)...] }

    var first: UInt8? { self.start < self.bytes.count ? self.bytes[self.start] : nil }

    mutating func append(_ new: UnsafeRawBufferPointer) {
        // Moves the rest only when it is the smaller part, so that many small reads stay cheap.
        if self.start > self.bytes.count / 2 {
            self.bytes.removeSubrange(..<self.start)
            self.searched -= self.start
            self.start = 0
        }
        self.bytes.append(contentsOf: new)
    }

    /// Returns the next line without its CRLF, as a range of `bytes`, or nil if its end has not arrived. Throws
    /// `tooLong` for a line of more than `limit` bytes, including the CRLF, whether its end has arrived or not.
    mutating func takeLine(
        atMost limit: Int, orThrow tooLong: ParseError
    ) throws(ParseError) -> Range<Int>? {
        self.lineStart = self.start
        guard let end = ByteScan.lineFeed(in: self.bytes.span, from: self.searched) else {
            self.searched = self.bytes.count
            guard self.count < limit else { throw tooLong }
            return nil
        }
        guard end - self.start < limit else { throw tooLong }
        // RFC 9112 §2.2 allows a bare LF as the end of a line. We do not: two readers who disagree about that see two
        // messages instead of one.
        guard end > self.start, self.bytes[end - 1] == .carriageReturn else { throw .badLineEnd }
        let line = self.start..<(end - 1)
        self.start = end + 1
        self.searched = self.start
        return line
    }

    /// Takes the next bytes, at most `limit`.
    mutating func take(atMost limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        self.move(atMost: limit, to: &bytes)
        return bytes
    }

    mutating func move(atMost limit: Int, to target: inout [UInt8]) {
        let end = self.start + min(limit, self.count)
        target.append(contentsOf: self.bytes[self.start..<end])
        self.start = end
        self.searched = max(self.searched, end)
    }

    /// Drops what was taken if nothing is left. Keeps the memory for later bytes, unless it is large.
    mutating func releaseIfEmpty() {
        guard self.start == self.bytes.count, self.start > 0 else { return }
        self.bytes.removeAll(keepingCapacity: self.bytes.capacity <= Self.kept)
        self.start = 0
        self.searched = 0
    }
}
