#if os(Linux)

import CEpoll
import Glibc

/// An eventfd that any thread can ring to end a loop's sleep.
struct WakeupSignal: ~Copyable, Sendable {
    private let descriptor: Descriptor

    init() throws(SystemCallError) {
        self.descriptor = try Descriptor(eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)), of: "eventfd")
    }

    /// Readable while the signal is set.
    var number: Int32 { self.descriptor.number }

    func signal() {
        var one: UInt64 = 1
        // This fails only if it is already ringing.
        _ = write(self.number, &one, 8)
    }

    func clear() {
        var count: UInt64 = 0
        _ = read(self.number, &count, 8)
    }
}

#endif
