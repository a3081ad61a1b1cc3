/// Writes messages of Protocol Buffers. Like proto3, it leaves out a field with its default value.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    /// `capacity` is how many bytes are likely, so that they need not move while it writes.
    init(capacity: Int) { self.bytes.reserveCapacity(capacity) }

    private enum WireType: UInt64 {
        case varint = 0
        case fixed64 = 1
        case length = 2
    }

    mutating func write(_ field: Int, _ number: UInt64) {
        guard number != 0 else { return }
        self.key(field, .varint)
        self.varint(number)
    }

    mutating func write(_ field: Int, fixed number: UInt64) {
        guard number != 0 else { return }
        self.key(field, .fixed64)
        withUnsafeBytes(of: number.littleEndian) { self.bytes.append(contentsOf: $0) }
    }

    /// Writes a message that another writer has made. It is there even if it is empty.
    mutating func message(_ field: Int, _ bytes: [UInt8]) {
        self.key(field, .length)
        self.varint(UInt64(bytes.count))
        self.bytes += bytes
    }

    mutating func write(_ field: Int, _ text: String) {
        guard !text.isEmpty else { return }
        self.member(field, text)
    }

    /// Writes one or two numbers as bytes, in big-endian order. They are there even if they are zero.
    mutating func write(_ field: Int, bigEndian first: UInt64, _ second: UInt64? = nil) {
        self.key(field, .length)
        self.varint(second == nil ? 8 : 16)
        withUnsafeBytes(of: first.bigEndian) { self.bytes.append(contentsOf: $0) }
        if let second { withUnsafeBytes(of: second.bigEndian) { self.bytes.append(contentsOf: $0) } }
    }

    /// A message is there even if it is empty. It is written where it stands: most are shorter than 128 bytes, and then
    /// the byte that is reserved for its length is enough.
    mutating func write(_ field: Int, message body: (inout Self) -> Void) {
        self.key(field, .length)
        self.bytes.append(0)
        let start = self.bytes.count
        body(&self)
        let length = self.bytes.count - start
        if length < 0x80 {
            self.bytes[start - 1] = UInt8(length)
        } else {
            var head = Self(capacity: 10)
            head.varint(UInt64(length))
            self.bytes.replaceSubrange(start - 1..<start, with: head.bytes)
        }
    }

    // The members of a `oneof` are there even with their default value.

    mutating func member(_ field: Int, _ text: String) {
        self.key(field, .length)
        var text = text
        text.withUTF8 {
            self.varint(UInt64($0.count))
            self.bytes.append(contentsOf: $0)
        }
    }

    mutating func member(_ field: Int, _ number: UInt64) {
        self.key(field, .varint)
        self.varint(number)
    }

    mutating func member(_ field: Int, fixed number: UInt64) {
        self.key(field, .fixed64)
        withUnsafeBytes(of: number.littleEndian) { self.bytes.append(contentsOf: $0) }
    }

    private mutating func key(_ field: Int, _ type: WireType) { self.varint(UInt64(field) << 3 | type.rawValue) }

    private mutating func varint(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            self.bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        self.bytes.append(UInt8(rest))
    }
}
