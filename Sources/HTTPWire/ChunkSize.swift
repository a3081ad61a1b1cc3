// The line before a chunk: `chunk-size [chunk-ext]` (RFC 9112 §7.1).

struct ChunkSize: Sendable {
    /// More than any body here needs, and few enough not to overflow.
    static let digitLimit = 15

    let size: Int
    let extensionLength: Int

    /// Blanks between size and semicolon, which the RFC bears with, are refused.
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

    /// RFC 9112 §7.1.1: `*( ";" name [ "=" value ] )`, a value being a token or a quoted string.
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
