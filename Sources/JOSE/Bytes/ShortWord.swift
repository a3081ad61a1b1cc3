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
