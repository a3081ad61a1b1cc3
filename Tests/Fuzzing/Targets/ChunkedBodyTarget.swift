import HTTPWire

/// Bodies in chunks: the same however they are split. A simpler reader takes the same body, and no byte more.
enum ChunkedBodyTarget {
    private static let head = Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)

    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        let whole = Transcript(self.head + input, piecesOf: .max)
        for size in input.count < 4096 ? [1, 5] : [97] {
            let cut = Transcript(self.head + input, piecesOf: size)
            try require(cut == whole, "cut into pieces of \(size), it reads otherwise")
        }
        guard let message = whole.messages.first else { throw Violation("a head that is not read") }
        guard message.isWhole else { return .refused }
        var reader = PlainChunks(input)
        guard let body = reader.body() else { throw Violation("a body that is none") }
        try require(message.body == body, "another body")
        let next = Transcript(Array(reader.rest), piecesOf: .max).messages
        try require(Array(whole.messages.dropFirst()) == next, "what follows begins elsewhere")
        return .accepted
    }
}

/// Reads RFC 9112 §7.1 without limits, from bytes that have all arrived.
private struct PlainChunks {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.rest = bytes[...] }

    /// Returns nil if it is no body, or an incomplete one.
    mutating func body() -> [UInt8]? {
        var body: [UInt8] = []
        while true {
            guard let line = self.line() else { return nil }
            let digits = line.prefix { $0 != UInt8(ascii: ";") }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0,
                digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-")
            else { return nil }
            guard size > 0 else { return self.skipTrailers() ? body : nil }
            guard self.rest.count >= size + 2 else { return nil }
            body += self.rest.prefix(size)
            self.rest = self.rest.dropFirst(size)
            guard self.line()?.isEmpty == true else { return nil }
        }
    }

    private mutating func skipTrailers() -> Bool {
        while let line = self.line() {
            if line.isEmpty { return true }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return false }
        }
        return false
    }

    /// Reads up to the first CRLF. No line contains a lone CR or LF.
    private mutating func line() -> ArraySlice<UInt8>? {
        guard let end = self.rest.firstIndex(of: 10), end > self.rest.startIndex, self.rest[end - 1] == 13 else {
            return nil
        }
        let line = self.rest[..<(end - 1)]
        self.rest = self.rest[(end + 1)...]
        return line.contains(13) ? nil : line
    }
}
