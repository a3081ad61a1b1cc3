// Searches through many bytes, eight at a time, because every byte of a message is looked at.

enum ByteScan {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// Where the first line feed is, from `start` on.
    static func lineFeed(in bytes: Span<UInt8>, from start: Int) -> Int? {
        let raw = bytes.bytes
        var index = start
        while index &+ 8 <= raw.byteCount {
            let word = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            let difference = word ^ (Self.ones &* UInt64(UInt8.lineFeed))
            // The lowest set bit is that of the first byte that is zero now; those above it may be wrong.
            let hits = (difference &- Self.ones) & ~difference & Self.highs
            if hits != 0 { return index &+ hits.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < bytes.count {
            if bytes[index] == .lineFeed { return index }
            index &+= 1
        }
        return nil
    }

    /// What the bytes of a field value are.
    enum Content {
        case ascii
        /// RFC 9110 §5.5: `obs-text` among them.
        case other
        /// A control byte among them.
        case forbidden
    }

    static func content(of bytes: Span<UInt8>) -> Content {
        let raw = bytes.bytes
        var index = 0
        var seen: UInt64 = 0
        while index &+ 8 <= raw.byteCount {
            let word = raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            let difference = word ^ (Self.ones &* UInt64(UInt8.delete))
            let controls = (word &- Self.ones &* UInt64(UInt8.space)) & ~word
            let deletes = (difference &- Self.ones) & ~difference
            // A tab is among them, so one has to look.
            if (controls | deletes) & Self.highs != 0, !Self.isFieldContent(bytes, index..<(index &+ 8)) {
                return .forbidden
            }
            seen |= word
            index &+= 8
        }
        while index < bytes.count {
            guard bytes[index].isFieldContent else { return .forbidden }
            seen |= UInt64(bytes[index])
            index &+= 1
        }
        return seen & Self.highs == 0 ? .ascii : .other
    }

    private static func isFieldContent(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for index in range where !bytes[index].isFieldContent { return false }
        return true
    }
}
