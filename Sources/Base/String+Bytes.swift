// Treats a text as bytes: as one piece of memory, which is many times faster than to walk through a string.

extension String {
    /// Unlike `withUTF8`, this needs no variable, which would cost a copy and a retain.
    @inlinable package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = self.utf8.withContiguousStorageIfAvailable(body) { return result }
        // Only a string made in Objective-C has no such memory.
        var copy = self
        return copy.withUTF8(body)
    }
}

extension Substring {
    /// The text without the spaces and tabs around it. It looks at bytes, because to Swift a space with an accent is no
    /// space.
    package var trimmingBlanks: Substring {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var bytes = self.utf8.drop(while: isBlank)
        while bytes.last.map(isBlank) == true { bytes.removeLast() }
        return Substring(bytes)
    }
}
