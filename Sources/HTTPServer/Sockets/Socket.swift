// The system calls on a connected socket, one each.

import EventLoop
import Glibc

/// A non-blocking socket with one owner. It is closed with `close`, or when its owner lets go of it.
struct Socket: ~Copyable, Sendable {
    enum Transfer {
        case moved(Int)
        /// Nothing to read, or no room to write.
        case notNow
        /// The peer sends nothing more.
        case end
        case broken
    }

    private var owned: Descriptor

    init(_ descriptor: consuming Descriptor) { self.owned = descriptor }

    /// Less than zero once it is closed.
    var descriptor: Int32 { self.owned.number }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        let count = recv(self.descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 { return .moved(count) }
        return count == 0 ? .end : self.transferFailed()
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        // A peer that is gone is an answer here, not a signal that ends the process.
        let count = send(self.descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        return count >= 0 ? .moved(count) : self.transferFailed()
    }

    /// The peer sees the end of what we sent, and can still send.
    func finishWriting() { _ = shutdown(self.descriptor, Int32(SHUT_WR)) }

    /// Makes `close` drop what is not yet sent, and the peer see a reset.
    func abandon() {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(
            self.descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Bytes that we sent and the peer has not acknowledged, and may still acknowledge. Nobody waits for them but the system.
    var undelivered: Int {
        var count: Int32 = 0
        guard ioctl(self.descriptor, UInt(TIOCOUTQ), &count) == 0, count > 0 else { return 0 }
        return self.isOver ? 0 : Int(count)
    }

    /// Whether the peer has reset the connection. TCP keeps the count of what was not acknowledged. A Unix socket does not
    /// know the question, and forgets the bytes when its peer closes.
    private var isOver: Bool {
        // The first byte of `tcp_info`.
        var state: UInt8 = 0
        var size = socklen_t(MemoryLayout<UInt8>.size)
        return getsockopt(self.descriptor, Int32(IPPROTO_TCP), TCP_INFO, &state, &size) == 0
            && Int(state) == Int(TCP_CLOSE)
    }

    /// Its loop must have stopped watching it.
    mutating func close() { self.owned.close() }

    private func transferFailed() -> Transfer {
        switch errno {
        case EAGAIN, EWOULDBLOCK, EINTR: .notNow
        default: .broken
        }
    }
}
