/// Writes the fields of a row one after another: integers in big-endian order, strings and byte arrays after their
/// length.
import Base

package struct ByteWriter {
    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int = 0) { self.bytes.reserveCapacity(capacity) }

    package mutating func write(_ value: UInt8) { self.bytes.append(value) }

    package mutating func write(_ value: Int64) {
        withUnsafeBytes(of: value.bigEndian) { self.bytes.append(contentsOf: $0) }
    }

    /// Appends the bytes without a length prefix.
    package mutating func append(_ value: [UInt8]) { self.bytes.append(contentsOf: value) }

    package mutating func write(_ value: Int) { self.write(Int64(value)) }

    /// Writes the bytes after their length (4 bytes).
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
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: length).bigEndian) { self.bytes.append(contentsOf: $0) }
    }
}
