// The gzip format (RFC 1952) by zlib: at once for files, and stream by stream for answers that are made anew each time.

import CZlib

/// For what is compressed once, before anybody asks for it.
package enum Gzip {
    /// All the memory zlib can use, for the best result.
    private static let memory: Int32 = 9

    /// Nil when there is not memory enough.
    package static func compress(_ bytes: [UInt8], level: Int32 = 9) -> [UInt8]? {
        guard let stream = ZlibStream(deflatingAt: level, memory: Self.memory) else { return nil }
        return stream.run(over: bytes, into: stream.bound(of: bytes.count))
    }

    /// Nil when it is not gzip, is cut short, has something behind it, or is larger than `limit`.
    package static func decompress(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
        guard let stream = ZlibStream(inflating: ()) else { return nil }
        let result = stream.run(over: bytes, into: limit)
        return stream.hasReadAll ? result : nil
    }
}

/// For all answers of a loop. Making a stream takes three times as long as compressing a page, so it is kept and reset; it
/// holds 256 KB.
final class GzipStream {
    /// Beyond it a page takes longer and gets hardly smaller.
    private static let level: Int32 = 5
    /// zlib's own choice.
    private static let memory: Int32 = 8

    private let stream: ZlibStream

    /// Nil when there is not memory enough.
    init?() {
        guard let stream = ZlibStream(deflatingAt: Self.level, memory: Self.memory) else { return nil }
        self.stream = stream
    }

    /// Nil when it would not be smaller.
    func compress(_ bytes: [UInt8]) -> [UInt8]? {
        guard self.stream.reset() else { return nil }
        return self.stream.run(over: bytes, into: bytes.count)
    }
}

/// A stream of zlib with one owner, ended once. It stays where it is: zlib compares its address from call to call.
private struct ZlibStream: ~Copyable {
    private enum Kind {
        case deflate, inflate
    }

    /// What tells zlib to write and expect gzip's header and trailer, around the largest window.
    private static let window: Int32 = 15 + 16

    private let pointer: UnsafeMutablePointer<z_stream>
    private let kind: Kind

    /// Nil when there is not memory enough.
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

    /// How many bytes so many can become.
    func bound(of count: Int) -> Int { Int(deflateBound(self.pointer, UInt(count))) }

    var hasReadAll: Bool { self.pointer.pointee.avail_in == 0 }

    /// Begins anew with the memory that it has.
    func reset() -> Bool { deflateReset(self.pointer) == Z_OK }

    /// What all of `input` becomes in so much room; nil when that is not the whole.
    func run(over input: [UInt8], into capacity: Int) -> [UInt8]? {
        guard let available = UInt32(exactly: input.count), let room = UInt32(exactly: capacity) else { return nil }
        var isWhole = false
        // zlib reads through a pointer that C did not mark as constant; it does not write there.
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
