/// A text as one piece of memory, because that is many times faster than to walk through a string.

extension String {
    /// Unlike `withUTF8`, it needs no variable, into which the text would have to be copied and counted.
    @inlinable package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = self.utf8.withContiguousStorageIfAvailable(body) { return result }
        // Only one that was made in Objective-C has no such memory.
        var copy = self
        return copy.withUTF8(body)
    }
}
