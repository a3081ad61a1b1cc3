// One field line: `name ":" OWS value OWS` (RFC 9112 §5).

enum FieldLine {
    static func parse(_ line: Span<UInt8>) throws(ParseError) -> Fields.Field {
        let colon = try Self.endOfName(line)
        var start = colon + 1
        var end = line.count
        while start < end, line[start].isBlank { start += 1 }
        while end > start, line[end - 1].isBlank { end -= 1 }
        let value = line.extracting(start..<end)
        let name = FieldName(token: line.extracting(0..<colon))
        switch ByteSearch.content(of: value) {
        case .ascii: return Fields.Field(name: name, value: String(ascii: value))
        case .other: return Fields.Field(name: name, value: String(fieldValue: value))
        case .forbidden: throw .badFieldValue
        }
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
