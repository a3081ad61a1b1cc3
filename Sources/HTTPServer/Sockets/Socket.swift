import EventLoop
import Glibc

/// A non-blocking connected socket with one owner. Each system call on it is a method. `close` closes it, and so does
/// the end of its owner.
struct Socket: ~Copyable, Sendable {
    enum Transfer {
        case moved(Int)
        /// There is nothing to read, or no room to write.
        case notNow
        /// The peer sends nothing more.
        case end
        case broken
    }

    private var owned: Descriptor

    init(_ descriptor: consuming Descriptor) { self.owned = descriptor }

    /// Negative once the socket is closed.
    var descriptor: Int32 { self.owned.number }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        let count = recv(self.descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 { return .moved(count) }
        return count == 0 ? .end : self.transferFailed()
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        // If the peer is gone we want an error here, not a signal that ends the process.
        let count = send(self.descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        return count >= 0 ? .moved(count) : self.transferFailed()
    }

    /// Tells the peer that we send nothing more. It can still send.
    func finishWriting() { _ = shutdown(self.descriptor, Int32(SHUT_WR)) }

    /// Makes `close` drop the unsent bytes, and makes the peer see a reset.
    func abandon() {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(
            self.descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// The bytes that we sent and that the peer may still acknowledge.
    var undelivered: Int {
        var count: Int32 = 0
        guard ioctl(self.descriptor, UInt(TIOCOUTQ), &count) == 0, count > 0 else { return 0 }
        return self.isOver ? 0 : Int(count)
    }

    /// Whether the peer has reset the connection. TCP keeps the count of unacknowledged bytes even then. A Unix socket
    /// does not have this option and forgets the bytes when its peer closes.
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
