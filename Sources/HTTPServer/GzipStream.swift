// The gzip format (RFC 1952) for answers that are made anew each time: one deflate stream for all answers of a loop.

import CZlib

/// Making a stream takes three times as long as compressing a page, so it is kept and reset; it holds 256 KB.
final class GzipStream {
    /// Beyond it a page takes longer and gets hardly smaller.
    private static let level: Int32 = 5
    /// zlib's own choice.
    private static let memory: Int32 = 8

    /// Where it stays: zlib compares its address from call to call.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Nil when there is not memory enough.
    init?() {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard switchback_deflateInit2(stream, Self.level, Gzip.window, Self.memory) == Z_OK else {
            stream.deallocate()
            return nil
        }
        self.stream = stream
    }

    deinit {
        deflateEnd(self.stream)
        self.stream.deallocate()
    }

    /// Nil when it would not be smaller.
    func compress(_ bytes: [UInt8]) -> [UInt8]? {
        guard deflateReset(self.stream) == Z_OK else { return nil }
        return Gzip.run(self.stream, over: bytes, into: bytes.count) { deflate(self.stream, Z_FINISH) }
    }
}
