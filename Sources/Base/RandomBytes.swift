import CSSL
import Synchronization

/// Random bytes from libcrypto, cheap in small amounts.
package enum RandomBytes {
    /// Returns unpredictable bytes. Safe to call on any thread.
    package static func make(_ count: Int) -> [UInt8] {
        // A large amount would empty the pool for all other callers.
        guard count <= Pool.byteCount / 8 else { return OpenSSLRandom.bytes(count) }
        return self.pool.withLock { $0.take(count) }
    }

    private static let pool = Mutex(Pool())

    /// Bytes drawn in advance: a call to libcrypto costs more than the few bytes that a nonce needs.
    private struct Pool {
        static let byteCount = 4096

        private var bytes: [UInt8] = []
        private var usedCount = 0

        mutating func take(_ count: Int) -> [UInt8] {
            if self.bytes.count - self.usedCount < count {
                self.bytes = OpenSSLRandom.bytes(Self.byteCount)
                self.usedCount = 0
            }
            let result = self.bytes.withUnsafeMutableBufferPointer { bytes in
                let slice = UnsafeMutableBufferPointer(rebasing: bytes[self.usedCount..<self.usedCount + count])
                defer {
                    // Wipe the bytes that we give out, so that nothing can be read from this memory later.
                    slice.update(repeating: 0)
                }
                return Array(slice)
            }
            self.usedCount += count
            return result
        }
    }
}

/// libcrypto's random generator.
enum OpenSSLRandom {
    static func bytes(_ count: Int) -> [UInt8] {
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        // We cannot continue safely without randomness: every secret of ours would be guessable.
        guard let size = Int32(exactly: count), RAND_bytes(&bytes, size) == 1 else {
            preconditionFailure("no randomness from libcrypto")
        }
        return bytes
    }
}
