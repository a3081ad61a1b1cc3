// The gzip format (RFC 1952) for answers that are made anew each time: one deflate stream for all answers of a loop.

import CZlib

/// Making a stream takes three times as long as compressing a page, so it is kept and reset; it holds 256 KB.
final class GzipStream {
    /// Beyond it a page takes longer and gets hardly smaller.
    private static let level: Int32 = 5
    /// What tells zlib to write gzip's header and trailer, around the largest window.
    private static let window: Int32 = 15 + 16
    /// zlib's own choice.
    private static let memory: Int32 = 8

    /// Where it stays: zlib compares its address from call to call.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Nil when there is not memory enough.
    init?() {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard switchback_deflateInit2(stream, Self.level, Self.window, Self.memory) == Z_OK else {
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
        guard deflateReset(self.stream) == Z_OK, let count = UInt32(exactly: bytes.count) else { return nil }
        var isWhole = false
        // zlib reads through a pointer that C did not mark as constant; it does not write there.
        var input = bytes
        let output = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, written in
            input.withUnsafeMutableBufferPointer { input in
                self.stream.pointee.next_in = input.baseAddress
                self.stream.pointee.avail_in = count
                self.stream.pointee.next_out = buffer.baseAddress
                self.stream.pointee.avail_out = count
                isWhole = deflate(self.stream, Z_FINISH) == Z_STREAM_END
                written = Int(count - self.stream.pointee.avail_out)
            }
        }
        return isWhole ? output : nil
    }
}
