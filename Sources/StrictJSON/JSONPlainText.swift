/// Finds how far a text goes that stands in JSON as it is (RFC 8259 §7): to a quotation mark, a backslash or a control
/// character.

enum JSONPlainText {
    /// Where it ends, and whether all of it is ASCII.
    static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> (end: Int, isASCII: Bool) {
        let memory = UnsafeRawBufferPointer(bytes)
        var position = start
        var seen: UInt64 = 0
        // Eight bytes at once, because most of what is read and written is such text.
        while memory.count &- start >= 8, position < memory.count {
            // The last eight are not all new; what is known of them is that they are plain.
            let offset = min(position, memory.count &- 8)
            let word = UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let stops = self.stops(in: word)
            guard stops == 0 else {
                let count = stops.trailingZeroBitCount / 8
                seen |= word & ((1 << (8 * count)) - 1)
                return (offset + count, seen & self.highBits == 0)
            }
            seen |= word
            position = offset &+ 8
        }
        guard position < memory.count else { return (position, seen & self.highBits == 0) }
        return self.shortEnd(in: memory, from: position)
    }

    /// The same for fewer than eight bytes, as if there were blanks after them.
    private static func shortEnd(in memory: UnsafeRawBufferPointer, from start: Int) -> (end: Int, isASCII: Bool) {
        let blanks = (self.ones &* 0x20) &<< UInt64(8 &* (memory.count &- start))
        let word = ShortWord.read(memory, from: start) | blanks
        let stops = self.stops(in: word)
        let count = stops == 0 ? memory.count &- start : stops.trailingZeroBitCount / 8
        return (start &+ count, word & ((1 << (8 * count)) - 1) & self.highBits == 0)
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The lowest bit that is set is the highest of the first byte that is not plain. Nothing is said of bytes after it:
    /// to subtract from the bytes at once borrows from the next byte, but only after a byte that is one of those.
    private static func stops(in word: UInt64) -> UInt64 {
        let quotes = word ^ (self.ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = word ^ (self.ones &* UInt64(UInt8(ascii: "\\")))
        let controls = (word &- self.ones &* 0x20) & ~word
        return (controls | (quotes &- self.ones) & ~quotes | (backslashes &- self.ones) & ~backslashes) & self.highBits
    }
}

/// Reads fewer than eight bytes as one number.
enum ShortWord {
    /// The bytes from `start` to the end, the first in the lowest; the rest is zero.
    static func read(_ memory: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
        let count = memory.count &- start
        guard count < 4 else {
            let first = UInt32(littleEndian: memory.loadUnaligned(fromByteOffset: start, as: UInt32.self))
            // The last four are not all new.
            let last = UInt32(littleEndian: memory.loadUnaligned(fromByteOffset: memory.count &- 4, as: UInt32.self))
            return UInt64(first) | UInt64(last) &<< UInt64(8 &* (count &- 4))
        }
        var word: UInt64 = 0
        for index in 0..<count { word |= UInt64(memory[start &+ index]) &<< UInt64(8 &* index) }
        return word
    }
}
