/// Reads what `ByteWriter` wrote. Whatever does not fit throws; nothing traps.
struct ByteReader {
    struct Malformed: Error, Equatable {}

    private let source: [UInt8]
    private var position = 0

    init(_ source: [UInt8]) { self.source = source }

    var isAtEnd: Bool { self.position == self.source.count }

    mutating func byte() throws(Malformed) -> UInt8 {
        guard self.position < self.source.count else { throw Malformed() }
        defer { self.position += 1 }
        return self.source[self.position]
    }

    mutating func integer() throws(Malformed) -> Int64 {
        Int64(bitPattern: try self.fixed(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }

    mutating func bytes() throws(Malformed) -> [UInt8] {
        let count = try self.fixed(4).reduce(0) { $0 << 8 | Int($1) }
        return Array(try self.fixed(count))
    }

    mutating func string() throws(Malformed) -> String {
        guard let text = String(validating: try self.bytes(), as: UTF8.self) else { throw Malformed() }
        return text
    }

    mutating func optionalString() throws(Malformed) -> String? {
        try self.byte() == 0 ? nil : try self.string()
    }

    private mutating func fixed(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
        guard count <= self.source.count - self.position else { throw Malformed() }
        defer { self.position += count }
        return self.source[self.position..<self.position + count]
    }
}
