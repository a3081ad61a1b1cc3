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
