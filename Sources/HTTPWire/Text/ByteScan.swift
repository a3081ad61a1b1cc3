/// Searches many bytes, eight at a time, because every byte of a message is searched.
enum ByteScan {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// Returns the position of the first line feed at or after `start`.
    static func lineFeed(in bytes: Span<UInt8>, from start: Int) -> Int? {
        let raw = bytes.bytes
        var index = start
        while index &+ 8 <= raw.byteCount {
            let word = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            let difference = word ^ (Self.ones &* UInt64(UInt8.lineFeed))
            // The lowest bit set belongs to the first byte that is now zero. Higher bits may be wrong.
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

    /// The kind of bytes in a field value.
    enum Content {
        case ascii
        /// Some bytes are `obs-text` (RFC 9110 §5.5).
        case other
        /// Some bytes are control bytes.
        case forbidden
    }

    static func content(of bytes: Span<UInt8>) -> Content {
        let raw = bytes.bytes
        var index = 0
        var allBits: UInt64 = 0
        while index &+ 8 <= raw.byteCount {
            let word = raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            let difference = word ^ (Self.ones &* UInt64(UInt8.delete))
            let controls = (word &- Self.ones &* UInt64(UInt8.space)) & ~word
            let deletes = (difference &- Self.ones) & ~difference
            // A tab also sets a bit, so check the bytes one by one.
            if (controls | deletes) & Self.highs != 0, !Self.isFieldContent(bytes, index..<(index &+ 8)) {
                return .forbidden
            }
            allBits |= word
            index &+= 8
        }
        while index < bytes.count {
            guard bytes[index].isFieldContent else { return .forbidden }
            allBits |= UInt64(bytes[index])
            index &+= 1
        }
        return allBits & Self.highs == 0 ? .ascii : .other
    }

    private static func isFieldContent(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for index in range where !bytes[index].isFieldContent { return false }
        return true
    }
}
