/// Finds one byte among many, eight at a time.
package enum ByteSearch {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Returns the index of the first such byte at or after `start`.
    package static func firstIndex(of byte: UInt8, in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            var position = start
            while position &+ 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                // A matching byte becomes zero. The lowest bit set in `found` is the highest bit of the first match.
                let zeros = word ^ (self.ones &* UInt64(byte))
                let matches = (zeros &- self.ones) & ~zeros & self.highBits
                guard matches == 0 else { return position + matches.trailingZeroBitCount / 8 }
                position &+= 8
            }
            return bytes[position...].firstIndex(of: byte)
        }
    }
}
