import CZlib

/// The DEFLATE format (RFC 1951) by zlib, as SAML's HTTP-Redirect binding requires it.
enum RedirectDeflate {
    /// The minus tells zlib that there is no header and no trailer.
    private static let window: Int32 = -15

    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        Self.withStream { stream in
            guard switchback_deflateInit2(stream, 9, Self.window, 9) == Z_OK else { return nil }
            defer { deflateEnd(stream) }
            return Self.run(stream, over: bytes, into: bytes.count + 256) { deflate(stream, Z_FINISH) }
        }
    }

    /// Returns nil for other data, and for a result larger than `limit` bytes.
    static func decompress(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
        Self.withStream { stream in
            guard switchback_inflateInit2(stream, Self.window) == Z_OK else { return nil }
            defer { inflateEnd(stream) }
            let result = Self.run(stream, over: bytes, into: limit) { inflate(stream, Z_FINISH) }
            return stream.pointee.avail_in == 0 ? result : nil
        }
    }

    /// Makes a stream that does not move: zlib compares its address from call to call.
    private static func withStream(_ body: (UnsafeMutablePointer<z_stream>) -> [UInt8]?) -> [UInt8]? {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        return body(stream)
    }

    private static func run(
        _ stream: UnsafeMutablePointer<z_stream>, over input: [UInt8], into capacity: Int, _ step: () -> Int32
    ) -> [UInt8]? {
        guard let available = UInt32(exactly: input.count), let room = UInt32(exactly: capacity) else { return nil }
        var isWhole = false
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
