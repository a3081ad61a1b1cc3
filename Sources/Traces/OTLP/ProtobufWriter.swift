/// Writes messages of Protocol Buffers. Like proto3, it leaves out a field with its default value.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    private enum WireType: UInt64 {
        case varint = 0
        case fixed64 = 1
        case length = 2
        case fixed32 = 5
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

    mutating func write(_ field: Int, fixed number: UInt32) {
        guard number != 0 else { return }
        self.key(field, .fixed32)
        withUnsafeBytes(of: number.littleEndian) { self.bytes.append(contentsOf: $0) }
    }

    mutating func write(_ field: Int, _ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        self.append(field, bytes)
    }

    mutating func write(_ field: Int, _ text: String) {
        guard !text.isEmpty else { return }
        self.append(field, text.utf8)
    }

    /// A message is there even if it is empty. It is written where it stands: most are shorter than 128 bytes, and then
    /// the byte that is reserved for its length is enough.
    mutating func write(_ field: Int, message body: (inout Self) -> Void) {
        self.key(field, .length)
        self.bytes.append(0)
        let start = self.bytes.count
        body(&self)
        var length = Self()
        length.varint(UInt64(self.bytes.count - start))
        if length.bytes.count == 1 {
            self.bytes[start - 1] = length.bytes[0]
        } else {
            self.bytes.replaceSubrange(start - 1..<start, with: length.bytes)
        }
    }

    // The members of a `oneof` are there even with their default value.

    mutating func member(_ field: Int, _ text: String) { self.append(field, text.utf8) }

    mutating func member(_ field: Int, _ number: UInt64) {
        self.key(field, .varint)
        self.varint(number)
    }

    mutating func member(_ field: Int, fixed number: UInt64) {
        self.key(field, .fixed64)
        withUnsafeBytes(of: number.littleEndian) { self.bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ field: Int, _ bytes: some Collection<UInt8>) {
        self.key(field, .length)
        self.varint(UInt64(bytes.count))
        self.bytes += bytes
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
