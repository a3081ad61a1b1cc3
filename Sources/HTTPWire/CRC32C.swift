// Castagnoli's checksum (RFC 9260 appendix A), bit by bit: it is asked for a few bytes, once a connection.

enum CRC32C {
    /// The polynomial 0x1EDC6F41, lowest bit first.
    private static let polynomial: UInt32 = 0x82F6_3B78

    /// As if the bytes of `hole` were zero.
    static func checksum(_ bytes: Span<UInt8>, zeroing hole: Range<Int> = 0..<0) -> UInt32 {
        var rest = UInt32.max
        for index in bytes.indices {
            rest ^= UInt32(hole.contains(index) ? 0 : bytes[index])
            for _ in 0..<8 { rest = rest & 1 == 1 ? rest >> 1 ^ Self.polynomial : rest >> 1 }
        }
        return ~rest
    }
}
