/// Reads a message of Protocol Buffers, field by field. It refuses what is cut off or malformed, and groups, which no
/// one writes any more.
package struct ProtobufReader {
    package enum Value: Equatable, Sendable {
        case varint(UInt64)
        case fixed64(UInt64)
        case fixed32(UInt32)
        case bytes([UInt8])
    }

    package struct Field: Equatable, Sendable {
        package let number: Int
        package let value: Value
    }

    private var rest: ArraySlice<UInt8>

    private init(_ bytes: [UInt8]) { self.rest = bytes[...] }

    /// Returns every field in its order; nil if the bytes are no message.
    package static func fields(_ bytes: [UInt8]) -> [Field]? {
        var reader = Self(bytes)
        var fields: [Field] = []
        while !reader.rest.isEmpty {
            guard let field = reader.field() else { return nil }
            fields.append(field)
        }
        return fields
    }

    private mutating func field() -> Field? {
        guard let key = self.varint(), let number = Int(exactly: key >> 3), 1...536_870_911 ~= number else {
            return nil
        }
        let value: Value?
        switch key & 7 {
        case 0: value = self.varint().map { .varint($0) }
        case 1: value = self.number(8).map { .fixed64($0) }
        case 2: value = self.varint().flatMap { Int(exactly: $0) }.flatMap { self.take($0) }.map { .bytes($0) }
        case 5: value = self.number(4).map { .fixed32(UInt32(truncatingIfNeeded: $0)) }
        default: value = nil
        }
        return value.map { Field(number: number, value: $0) }
    }

    /// At most ten bytes, and no bit beyond the 64th.
    private mutating func varint() -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            guard let byte = self.rest.popFirst() else { return nil }
            let bits = UInt64(byte & 0x7F)
            guard shift < 63 || bits <= 1 else { return nil }
            number |= bits << shift
            if byte & 0x80 == 0 { return number }
        }
        return nil
    }

    /// Little-endian.
    private mutating func number(_ count: Int) -> UInt64? {
        self.take(count)?.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
        guard count <= self.rest.count else { return nil }
        defer { self.rest = self.rest.dropFirst(count) }
        return Array(self.rest.prefix(count))
    }
}
