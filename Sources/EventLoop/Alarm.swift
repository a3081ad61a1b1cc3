// An eventfd that any thread can ring to end a loop's sleep.

#if os(Linux)

import CEpoll
import Glibc

/// Its descriptor lives as long as the object: whoever rings late, when the loop is closed, writes to nobody else's.
final class Alarm: Sendable {
    let descriptor: Int32

    init() throws(EventLoop.Failure) {
        self.descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard self.descriptor >= 0 else { throw EventLoop.Failure(call: "eventfd") }
    }

    deinit {
        if self.descriptor >= 0 { close(self.descriptor) }
    }

    func ring() {
        var one: UInt64 = 1
        // It fails only when it is ringing already.
        _ = write(self.descriptor, &one, 8)
    }

    func silence() {
        var count: UInt64 = 0
        _ = read(self.descriptor, &count, 8)
    }
}

#endif
