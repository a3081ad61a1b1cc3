/// Finds the end of text that needs no escape in JSON (RFC 8259 §7): the next quotation mark, backslash or control
/// character.
enum JSONPlainText {
    /// Returns where the text ends, and whether all of it is ASCII.
    static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> (end: Int, isASCII: Bool) {
        let memory = UnsafeRawBufferPointer(bytes)
        var position = start
        var allBits: UInt64 = 0
        // Eight bytes at a time, because most of JSON is such text.
        while memory.count &- start >= 8, position < memory.count {
            // The last eight may overlap earlier bytes, which are known to be plain.
            let offset = min(position, memory.count &- 8)
            let word = UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let stops = self.stops(in: word)
            guard stops == 0 else {
                let count = stops.trailingZeroBitCount / 8
                allBits |= word & ((1 << (8 * count)) - 1)
                return (offset + count, allBits & self.highBits == 0)
            }
            allBits |= word
            position = offset &+ 8
        }
        guard position < memory.count else { return (position, allBits & self.highBits == 0) }
        return self.shortEnd(in: memory, from: position)
    }

    /// Does the same for fewer than eight bytes, as if spaces followed them.
    private static func shortEnd(in memory: UnsafeRawBufferPointer, from start: Int) -> (end: Int, isASCII: Bool) {
        let blanks = (self.ones &* 0x20) &<< UInt64(8 &* (memory.count &- start))
        let word = ShortWord.read(memory, from: start) | blanks
        let stops = self.stops(in: word)
        let count = stops == 0 ? memory.count &- start : stops.trailingZeroBitCount / 8
        return (start &+ count, word & ((1 << (8 * count)) - 1) & self.highBits == 0)
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The lowest bit set is the highest bit of the first byte that is not plain. Later bits mean nothing: the
    /// subtraction borrows from the next byte, but only after a byte that is not plain.
    private static func stops(in word: UInt64) -> UInt64 {
        let quotes = word ^ (self.ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = word ^ (self.ones &* UInt64(UInt8(ascii: "\\")))
        let controls = (word &- self.ones &* 0x20) & ~word
        return (controls | (quotes &- self.ones) & ~quotes | (backslashes &- self.ones) & ~backslashes) & self.highBits
    }
}

/// Reads fewer than eight bytes as one number.
enum ShortWord {
    /// Returns the bytes from `start` to the end, the first in the lowest byte; the rest is zero.
    static func read(_ memory: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
        let count = memory.count &- start
        guard count < 4 else {
            let first = UInt32(littleEndian: memory.loadUnaligned(fromByteOffset: start, as: UInt32.self))
            // The last four may overlap the first four.
            let last = UInt32(littleEndian: memory.loadUnaligned(fromByteOffset: memory.count &- 4, as: UInt32.self))
            return UInt64(first) | UInt64(last) &<< UInt64(8 &* (count &- 4))
        }
        var word: UInt64 = 0
        for index in 0..<count { word |= UInt64(memory[start &+ index]) &<< UInt64(8 &* index) }
        return word
    }
}
