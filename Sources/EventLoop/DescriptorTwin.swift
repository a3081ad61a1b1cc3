// A second name of a descriptor, for a source that looks at it longer than its owner does.

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A DispatchSource looks at its descriptor until it is really cancelled, which is later than `cancel`. Meanwhile the
/// owner may have closed his, and somebody else got the number.
final class DescriptorTwin: Sendable {
    let descriptor: Int32

    init(of descriptor: Int32) throws(EventLoop.Failure) {
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard self.descriptor >= 0 else { throw EventLoop.Failure(call: "fcntl") }
    }

    deinit {
        if self.descriptor >= 0 { close(self.descriptor) }
    }
}
