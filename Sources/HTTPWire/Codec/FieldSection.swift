/// The field lines of a head or of a trailer section, up to the empty line.
struct FieldSection: Sendable {
    private(set) var fields = Fields()
    /// The bytes of the head that were already read, including its first line.
    private var size: Int
    private var count = 0

    init(size: Int = 0) { self.size = size }

    /// Returns true if the section is complete, false if bytes are missing.
    mutating func read(_ buffer: inout ReceiveBuffer, limits: MessageLimits, keeping: Bool) throws(ParseError) -> Bool {
        while let range = try buffer.takeLine(atMost: limits.head - self.size, orThrow: .headTooLarge) {
            guard !range.isEmpty else { return true }
            self.size += range.count + 2
            self.count += 1
            guard self.count <= limits.fields else { throw .tooManyFields }
            let field = try FieldLine.parse(buffer.bytes.span.extracting(range))
            if keeping { self.fields.add(field) }
        }
        return false
    }
}

/// One field line: `name ":" OWS value OWS` (RFC 9112 §5).
enum FieldLine {
    static func parse(_ line: Span<UInt8>) throws(ParseError) -> Fields.Field {
        let (name, colon) = try Self.name(of: line)
        var start = colon + 1
        var end = line.count
        while start < end, line[start].isBlank { start += 1 }
        while end > start, line[end - 1].isBlank { end -= 1 }
        let value = line.extracting(start..<end)
        switch ByteScan.content(of: value) {
        case .ascii: return Fields.Field(name: name, value: String(ascii: value))
        case .other: return Fields.Field(name: name, value: String(fieldValue: value))
        case .forbidden: throw .badFieldValue
        }
    }

    /// Returns the name and the position of its colon.
    private static func name(of line: Span<UInt8>) throws(ParseError) -> (FieldName, colon: Int) {
        // A known field's name is a token, and nearly all names are known.
        if let colon = line.firstIndex(of: .colon),
            let knownField = FieldNameTable.shared.field(line.extracting(0..<colon))
        {
            return (FieldName(knownField), colon)
        }
        let colon = try Self.endOfName(line)
        return (FieldName(token: line.extracting(0..<colon)), colon)
    }

    /// Returns the position of the colon, directly after a token: a space before it has hidden fields from proxies (RFC
    /// 9112 §5.1).
    private static func endOfName(_ line: Span<UInt8>) throws(ParseError) -> Int {
        var index = 0
        while index < line.count, line[index].isToken { index += 1 }
        guard index > 0 else {
            // A server may reject a folded line or replace the fold by spaces (RFC 9112 §5.2). We reject it.
            if !line.isEmpty, line[0].isBlank { throw .foldedLine }
            throw .badFieldName
        }
        guard index < line.count, line[index] == .colon else { throw .badFieldName }
        return index
    }
}
