import Base

/// How integers and lengths are written.
package enum NumberStyle: Sendable {
    /// In 8 and 4 bytes, in big-endian order.
    case fixed
    /// In as few bytes as they need, seven bits in each, the lowest first. The lowest bit of an integer is its sign.
    case packed
}

/// Writes the fields of a row one after another: integers, and strings and byte arrays after their length.
package struct ByteWriter {
    package private(set) var bytes: [UInt8] = []
    private let numbers: NumberStyle

    package init(capacity: Int = 0, numbers: NumberStyle = .fixed) {
        self.numbers = numbers
        self.bytes.reserveCapacity(capacity)
    }

    package mutating func write(_ value: UInt8) { self.bytes.append(value) }

    package mutating func write(_ value: Int64) {
        switch self.numbers {
        case .fixed: withUnsafeBytes(of: value.bigEndian) { self.bytes.append(contentsOf: $0) }
        case .packed: self.write(packed: UInt64(bitPattern: value << 1 ^ value >> 63))
        }
    }

    package mutating func write(_ value: Int) { self.write(Int64(value)) }

    /// Writes the bytes after their length.
    package mutating func write(_ value: [UInt8]) {
        self.write(length: value.count)
        self.bytes.append(contentsOf: value)
    }

    package mutating func write(_ value: String) {
        self.write(length: value.utf8.count)
        value.withBytes { self.bytes.append(contentsOf: $0) }
    }

    package mutating func write(_ value: String?) {
        self.write(UInt8(value == nil ? 0 : 1))
        if let value { self.write(value) }
    }

    private mutating func write(length: Int) {
        switch self.numbers {
        case .fixed:
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: length).bigEndian) { self.bytes.append(contentsOf: $0) }
        case .packed: self.write(packed: UInt64(length))
        }
    }

    private mutating func write(packed number: UInt64) {
        var rest = number
        while rest > 0x7F {
            self.bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        self.bytes.append(UInt8(rest))
    }
}
