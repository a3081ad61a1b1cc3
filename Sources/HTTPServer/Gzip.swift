// The gzip format (RFC 1952) by zlib, all at once: for files that are compressed before anybody asks for them.

import CZlib

package enum Gzip {
    /// What tells zlib to write and expect gzip's header and trailer, around the largest window.
    static let window: Int32 = 15 + 16
    /// All the memory zlib can use, for the best result.
    private static let memory: Int32 = 9

    /// Nil when there is not memory enough.
    package static func compress(_ bytes: [UInt8], level: Int32 = 9) -> [UInt8]? {
        Self.withStream { stream in
            guard switchback_deflateInit2(stream, level, Self.window, Self.memory) == Z_OK else { return nil }
            defer { deflateEnd(stream) }
            let bound = Int(deflateBound(stream, UInt(bytes.count)))
            return Self.run(stream, over: bytes, into: bound) { deflate(stream, Z_FINISH) }
        }
    }

    /// Nil when it is not gzip, is cut short, has something behind it, or is larger than `limit`.
    package static func decompress(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
        Self.withStream { stream in
            guard switchback_inflateInit2(stream, Self.window) == Z_OK else { return nil }
            defer { inflateEnd(stream) }
            let result = Self.run(stream, over: bytes, into: limit) { inflate(stream, Z_FINISH) }
            return stream.pointee.avail_in == 0 ? result : nil
        }
    }

    /// A stream that stays where it is: zlib compares its address from call to call.
    private static func withStream(_ body: (UnsafeMutablePointer<z_stream>) -> [UInt8]?) -> [UInt8]? {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        return body(stream)
    }

    /// What one step over all of `input` writes into so much room; nil when that is not the whole.
    static func run(
        _ stream: UnsafeMutablePointer<z_stream>, over input: [UInt8], into capacity: Int, _ step: () -> Int32
    ) -> [UInt8]? {
        guard let available = UInt32(exactly: input.count), let room = UInt32(exactly: capacity) else { return nil }
        var isWhole = false
        // zlib reads through a pointer that C did not mark as constant; it does not write there.
        var input = input
        let output = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = available
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = room
                isWhole = step() == Z_STREAM_END
                count = capacity - Int(stream.pointee.avail_out)
            }
        }
        return isWhole ? output : nil
    }
}
