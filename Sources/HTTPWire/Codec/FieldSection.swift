// The field lines of a head or of a trailer section, one after the other, up to the empty line.

struct FieldSection: Sendable {
    private(set) var fields = Fields()
    /// Bytes of the head that are behind us, its first line included.
    private var size: Int
    private var count = 0

    init(size: Int = 0) { self.size = size }

    /// True when the section is whole, false when bytes are missing.
    mutating func read(_ unread: inout Unread, limits: MessageLimits, keeping: Bool) throws(ParseError) -> Bool {
        while let range = try unread.takeLine(atMost: limits.head - self.size, orThrow: .headTooLarge) {
            guard !range.isEmpty else { return true }
            self.size += range.count + 2
            self.count += 1
            guard self.count <= limits.fields else { throw .tooManyFields }
            let field = try FieldLine.parse(unread.bytes.span.extracting(range))
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

    /// The name, and where its colon is.
    private static func name(of line: Span<UInt8>) throws(ParseError) -> (FieldName, colon: Int) {
        // What is the name of a known field is a token, and nearly all are.
        if let colon = line.firstIndex(of: .colon),
            let known = FieldNameTable.shared.field(line.extracting(0..<colon))
        {
            return (FieldName(known), colon)
        }
        let colon = try Self.endOfName(line)
        return (FieldName(token: line.extracting(0..<colon)), colon)
    }

    /// Where the colon is, right behind a token: a blank before it has hidden fields from proxies (RFC 9112 §5.1).
    private static func endOfName(_ line: Span<UInt8>) throws(ParseError) -> Int {
        var index = 0
        while index < line.count, line[index].isToken { index += 1 }
        guard index > 0 else {
            // RFC 9112 §5.2: a server may reject it or replace it by blanks; we reject it.
            if !line.isEmpty, line[0].isBlank { throw .foldedLine }
            throw .badFieldName
        }
        guard index < line.count, line[index] == .colon else { throw .badFieldName }
        return index
    }
}
