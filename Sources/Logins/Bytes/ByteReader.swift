/// Reads what `ByteWriter` wrote. It throws on bytes that do not fit and never traps.
package struct ByteReader {
    private let source: [UInt8]
    private let numbers: NumberStyle
    private var position = 0

    package init(_ source: [UInt8], numbers: NumberStyle = .fixed) {
        self.source = source
        self.numbers = numbers
    }

    package var isAtEnd: Bool { self.position == self.source.count }

    package mutating func readByte() throws(ByteReaderError) -> UInt8 {
        guard self.position < self.source.count else { throw ByteReaderError() }
        defer { self.position += 1 }
        return self.source[self.position]
    }

    package mutating func readInteger() throws(ByteReaderError) -> Int64 {
        switch self.numbers {
        case .fixed: return Int64(bitPattern: try self.readFixed(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
        case .packed:
            let number = try self.readPacked()
            return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
        }
    }

    package mutating func readBytes() throws(ByteReaderError) -> [UInt8] {
        Array(try self.readFixed(try self.readLength()))
    }

    package mutating func readString() throws(ByteReaderError) -> String {
        guard let text = String(validating: try self.readBytes(), as: UTF8.self) else { throw ByteReaderError() }
        return text
    }

    package mutating func readOptionalString() throws(ByteReaderError) -> String? {
        try self.readByte() == 0 ? nil : try self.readString()
    }

    private mutating func readLength() throws(ByteReaderError) -> Int {
        switch self.numbers {
        case .fixed: return try self.readFixed(4).reduce(0) { $0 << 8 | Int($1) }
        case .packed:
            guard let length = Int(exactly: try self.readPacked()) else { throw ByteReaderError() }
            return length
        }
    }

    private mutating func readPacked() throws(ByteReaderError) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            let byte = try self.readByte()
            let bits = UInt64(byte & 0x7F)
            // The tenth byte has one bit of the number. A last byte of zero says nothing, so nobody writes it.
            guard shift < 63 || bits <= 1, byte > 0 || shift == 0 else { throw ByteReaderError() }
            number |= bits << shift
            if byte < 0x80 { return number }
        }
        throw ByteReaderError()
    }

    private mutating func readFixed(_ count: Int) throws(ByteReaderError) -> ArraySlice<UInt8> {
        guard count <= self.source.count - self.position else { throw ByteReaderError() }
        defer { self.position += count }
        return self.source[self.position..<self.position + count]
    }
}

/// The bytes were not written by `ByteWriter`, or not for this place. The caller must not trust them.
package struct ByteReaderError: Error, Equatable, CustomStringConvertible {
    package init() {}

    package var description: String { "the bytes were changed, or another version wrote them" }
}
