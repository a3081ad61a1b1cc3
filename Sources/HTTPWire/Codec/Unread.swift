// Bytes that have come and are not used yet: grows at its end, is taken from its front.

struct Unread: Sendable {
    /// Bytes of memory that an empty one may keep.
    private static let kept = 16 * 1024

    private(set) var bytes: [UInt8] = []
    private var start = 0
    /// How much of `bytes` is known to hold no line feed, so that a slow sender cannot make us search twice.
    private var searched = 0

    var count: Int { self.bytes.count - self.start }

    var first: UInt8? { self.start < self.bytes.count ? self.bytes[self.start] : nil }

    mutating func append(_ new: UnsafeRawBufferPointer) {
        // Moves what is left only when it is the smaller part, so that many small reads stay cheap.
        if self.start > self.bytes.count / 2 {
            self.bytes.removeSubrange(..<self.start)
            self.searched -= self.start
            self.start = 0
        }
        self.bytes.append(contentsOf: new)
    }

    /// The next line without its CRLF, as a range of `bytes`; nil when its end has not come. Lines of more than `limit`
    /// bytes, the CRLF included, are `tooLong`, whether their end has come or not.
    mutating func takeLine(
        atMost limit: Int, orThrow tooLong: ParseError
    ) throws(ParseError) -> Range<Int>? {
        guard let end = ByteScan.lineFeed(in: self.bytes.span, from: self.searched) else {
            self.searched = self.bytes.count
            guard self.count < limit else { throw tooLong }
            return nil
        }
        guard end - self.start < limit else { throw tooLong }
        // RFC 9112 §2.2 lets us take a bare LF as the end of a line. Two readers who disagree about that see two
        // messages where there is one, so we do not.
        guard end > self.start, self.bytes[end - 1] == .carriageReturn else { throw .badLineEnd }
        let line = self.start..<(end - 1)
        self.start = end + 1
        self.searched = self.start
        return line
    }

    /// The next bytes, at most so many.
    mutating func take(atMost limit: Int) -> [UInt8] {
        var taken: [UInt8] = []
        self.move(atMost: limit, to: &taken)
        return taken
    }

    mutating func move(atMost limit: Int, to target: inout [UInt8]) {
        let end = self.start + min(limit, self.count)
        target.append(contentsOf: self.bytes[self.start..<end])
        self.start = end
        self.searched = max(self.searched, end)
    }

    /// Forgets what was taken when nothing is left. The memory is kept for what comes next, unless it is much.
    mutating func releaseIfEmpty() {
        guard self.start == self.bytes.count, self.start > 0 else { return }
        self.bytes.removeAll(keepingCapacity: self.bytes.capacity <= Self.kept)
        self.start = 0
        self.searched = 0
    }
}
