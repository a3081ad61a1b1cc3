/// A body in chunks (RFC 9112 §7.1). Extensions and trailers are checked and dropped.
///
///     size ─▶ data ─▶ endOfData ─▶ size ─▶ … ─▶ trailers ─▶ done
///       └───────┴─────────┴───────────┴───────────┴──▶ failed
struct ChunkedBody: Sendable {
    private enum State: Sendable {
        case size
        case data(remaining: Int)
        /// The CRLF after a chunk.
        case endOfData
        case trailers(FieldSection)
        case done
        case failed(ParseError)
    }

    /// The limit for the bytes of all extensions of a body. We ignore extensions, and many small ones cost a lot (RFC
    /// 9112 §7.1.1).
    private static let extensionLimit = 4096

    private let limits: MessageLimits
    private var state = State.size
    private var room: Int
    private var extensionRoom = Self.extensionLimit

    init(limits: MessageLimits) {
        self.limits = limits
        self.room = limits.body
    }

    /// Returns the data of all chunks that have arrived, in one piece.
    mutating func read(_ buffer: inout ReceiveBuffer) throws(ParseError) -> BodyReader.Piece {
        var data: [UInt8] = []
        do throws(ParseError) {
            while try self.step(&buffer, &data) {}
        } catch {
            // The data before the error is returned first, however the bytes were split.
            self.state = .failed(error)
            guard !data.isEmpty else { throw error }
        }
        guard data.isEmpty else { return .bytes(data) }
        if case .done = self.state { return .end }
        return .needsBytes
    }

    /// Returns false if it cannot continue.
    private mutating func step(_ buffer: inout ReceiveBuffer, _ data: inout [UInt8]) throws(ParseError) -> Bool {
        switch self.state {
        case .size:
            return try self.readSize(&buffer)
        case .data(let remaining):
            guard buffer.count > 0 else { return false }
            let count = min(remaining, buffer.count)
            buffer.move(atMost: count, to: &data)
            self.state = count == remaining ? .endOfData : .data(remaining: remaining - count)
            return true
        case .endOfData:
            guard let line = try buffer.takeLine(atMost: 2, orThrow: .badChunk) else { return false }
            guard line.isEmpty else { throw .badChunk }
            self.state = .size
            return true
        case .trailers(var section):
            let isWhole = try section.read(&buffer, limits: self.limits, keeping: false)
            self.state = isWhole ? .done : .trailers(section)
            return false
        case .done: return false
        case .failed(let error): throw error
        }
    }

    private mutating func readSize(_ buffer: inout ReceiveBuffer) throws(ParseError) -> Bool {
        let limit = ChunkSize.digitLimit + self.extensionRoom + 2
        guard let range = try buffer.takeLine(atMost: limit, orThrow: .chunkExtensionsTooLong) else { return false }
        let chunk = try ChunkSize(buffer.bytes.span.extracting(range))
        guard chunk.extensionLength <= self.extensionRoom else { throw .chunkExtensionsTooLong }
        self.extensionRoom -= chunk.extensionLength
        guard chunk.size <= self.room else { throw .bodyTooLarge }
        self.room -= chunk.size
        self.state = chunk.size == 0 ? .trailers(FieldSection()) : .data(remaining: chunk.size)
        return true
    }
}

/// The line before a chunk: `chunk-size [chunk-ext]` (RFC 9112 §7.1).
struct ChunkSize: Sendable {
    /// More than any body needs here, and few enough not to overflow.
    static let digitLimit = 15

    let size: Int
    let extensionLength: Int

    /// Refuses spaces and tabs between size and semicolon, which the RFC tolerates.
    init(_ line: Span<UInt8>) throws(ParseError) {
        var size = 0
        var digits = 0
        while digits < line.count, let value = line[digits].hexValue {
            guard digits < Self.digitLimit else { throw .badChunk }
            size = size << 4 | Int(value)
            digits += 1
        }
        guard digits > 0 else { throw .badChunk }
        guard Self.isExtension(line.extracting(digits...)) else { throw .badChunk }
        self.size = size
        self.extensionLength = line.count - digits
    }

    /// Checks `*( ";" name [ "=" value ] )`, where a value is a token or a quoted string (RFC 9112 §7.1.1).
    private static func isExtension(_ bytes: Span<UInt8>) -> Bool {
        guard !bytes.isEmpty else { return true }
        var scanner = FieldScanner(bytes)
        while scanner.take(.semicolon) {
            guard scanner.skipToken() else { return false }
            guard scanner.take(.equals) else { continue }
            guard scanner.skipToken() || scanner.skipQuoted() else { return false }
        }
        return scanner.isAtEnd
    }
}
