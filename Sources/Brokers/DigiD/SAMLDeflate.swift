/// The DEFLATE format (RFC 1951) by zlib, without a header or a trailer, as SAML's bindings require.
import CZlib

enum SAMLDeflate {
    /// The largest window. The minus tells zlib to write no header and no trailer.
    private static let window: Int32 = -15
    private static let memory: Int32 = 9

    /// Returns nil if there is not enough memory.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        // The stream must not move: zlib compares its address from call to call.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard switchback_deflateInit2(stream, Z_BEST_COMPRESSION, Self.window, Self.memory) == Z_OK else { return nil }
        defer { deflateEnd(stream) }
        let bound = deflateBound(stream, UInt(bytes.count))
        guard let available = UInt32(exactly: bytes.count), let room = UInt32(exactly: bound) else { return nil }
        var isWhole = false
        // zlib reads through a pointer that C did not mark as constant; it does not write there.
        var input = bytes
        let output = [UInt8](unsafeUninitializedCapacity: Int(bound)) { buffer, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = available
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = room
                isWhole = deflate(stream, Z_FINISH) == Z_STREAM_END
                count = Int(room - stream.pointee.avail_out)
            }
        }
        return isWhole ? output : nil
    }
}
