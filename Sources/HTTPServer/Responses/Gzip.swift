// The gzip format (RFC 1952) by zlib: in one go for files, and with a reusable stream for other responses.

import CZlib

/// Compresses files once, each at its first request.
package enum Gzip {
    /// zlib's maximum, for the best compression.
    private static let memory: Int32 = 9

    /// Returns nil when there is not enough memory.
    ///
    /// The level is zlib's default. Its best level makes the OpenAPI file 1 % smaller and takes three times as long.
    package static func compress(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8]? {
        guard let stream = ZlibStream(deflatingAt: level, memory: Self.memory) else { return nil }
        return stream.run(over: bytes, into: stream.bound(of: bytes.count))
    }

    /// Returns nil when the bytes are not gzip, are cut short, have bytes after them, or decompress to more than
    /// `limit` bytes.
    package static func decompress(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
        guard let stream = ZlibStream(inflating: ()) else { return nil }
        let result = stream.run(over: bytes, into: limit)
        return stream.hasReadAll ? result : nil
    }
}

/// Compresses the responses of one loop. Making a stream takes three times as long as compressing a page, so the loop
/// keeps one and resets it. A stream takes 256 KB.
final class GzipStream {
    /// A higher level takes longer and hardly makes a page smaller.
    private static let level: Int32 = 5
    /// zlib's default.
    private static let memory: Int32 = 8

    private let stream: ZlibStream

    /// Returns nil when there is not enough memory.
    init?() {
        guard let stream = ZlibStream(deflatingAt: Self.level, memory: Self.memory) else { return nil }
        self.stream = stream
    }

    /// Returns nil when the result would not be smaller.
    func compress(_ bytes: [UInt8]) -> [UInt8]? {
        guard self.stream.reset() else { return nil }
        return self.stream.run(over: bytes, into: bytes.count)
    }
}

/// A zlib stream with one owner, which ends it once. The C struct must not move: zlib compares its address between
/// calls.
private struct ZlibStream: ~Copyable {
    private enum Kind {
        case deflate, inflate
    }

    /// Makes zlib write and expect gzip's header and trailer, with the largest window.
    private static let window: Int32 = 15 + 16

    private let pointer: UnsafeMutablePointer<z_stream>
    private let kind: Kind

    /// Returns nil when there is not enough memory.
    init?(deflatingAt level: Int32, memory: Int32) {
        let pointer = Self.allocate()
        guard switchback_deflateInit2(pointer, level, Self.window, memory) == Z_OK else {
            pointer.deallocate()
            return nil
        }
        self.pointer = pointer
        self.kind = .deflate
    }

    init?(inflating: Void) {
        let pointer = Self.allocate()
        guard switchback_inflateInit2(pointer, Self.window) == Z_OK else {
            pointer.deallocate()
            return nil
        }
        self.pointer = pointer
        self.kind = .inflate
    }

    deinit {
        switch self.kind {
        case .deflate: deflateEnd(self.pointer)
        case .inflate: inflateEnd(self.pointer)
        }
        self.pointer.deallocate()
    }

    private static func allocate() -> UnsafeMutablePointer<z_stream> {
        let pointer = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        pointer.initialize(to: z_stream())
        return pointer
    }

    /// Returns the largest size that `count` bytes can compress to.
    func bound(of count: Int) -> Int { Int(deflateBound(self.pointer, UInt(count))) }

    var hasReadAll: Bool { self.pointer.pointee.avail_in == 0 }

    /// Starts a new stream in the memory of the last one.
    func reset() -> Bool { deflateReset(self.pointer) == Z_OK }

    /// Returns the whole result for `input`; nil when it does not fit into `capacity` bytes.
    func run(over input: [UInt8], into capacity: Int) -> [UInt8]? {
        guard let available = UInt32(exactly: input.count), let room = UInt32(exactly: capacity) else { return nil }
        var isWhole = false
        // zlib takes a mutable pointer but only reads through it.
        var input = input
        let output = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            input.withUnsafeMutableBufferPointer { input in
                self.pointer.pointee.next_in = input.baseAddress
                self.pointer.pointee.avail_in = available
                self.pointer.pointee.next_out = buffer.baseAddress
                self.pointer.pointee.avail_out = room
                isWhole = self.finish() == Z_STREAM_END
                count = capacity - Int(self.pointer.pointee.avail_out)
            }
        }
        return isWhole ? output : nil
    }

    private func finish() -> Int32 {
        switch self.kind {
        case .deflate: deflate(self.pointer, Z_FINISH)
        case .inflate: inflate(self.pointer, Z_FINISH)
        }
    }
}
