/// Makes gzip that does not compress (RFC 1952, RFC 1951 §3.2.4), as plain as a decoder may meet it.
package enum StoredGzip {
    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var encoded: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(0xffff)
            rest = rest.dropFirst(block.count)
            encoded.append(rest.isEmpty ? 1 : 0)
            encoded += Self.littleEndian(block.count, 2) + Self.littleEndian(~block.count & 0xffff, 2) + block
        } while !rest.isEmpty
        return encoded + Self.littleEndian(Int(Self.checksum(bytes)), 4) + Self.littleEndian(bytes.count, 4)
    }

    /// The beginning of a gzip member that has no end: blocks without a byte in them follow.
    package static let endlessHead: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]
    package static let emptyBlock: [UInt8] = [0, 0, 0, 0xff, 0xff]

    private static func littleEndian(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(number >> (8 * $0) & 0xff) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xedb8_8320 : 0) }
        }
    }
}
