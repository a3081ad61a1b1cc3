// A file descriptor with an owner, who closes it once.

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file descriptor with one owner. It is closed once, by `close` or when the owner lets go of it. A second close could
/// hit another file, because the system gives the number away again.
package struct Descriptor: ~Copyable, Sendable {
    /// Less than zero once it is closed.
    package private(set) var number: Int32

    /// Takes over an open one.
    package init(owning number: Int32) { self.number = number }

    /// What a system call has returned: a new descriptor, or less than zero.
    package init(_ result: Int32, of call: String) throws(SystemCallError) {
        guard result >= 0 else { throw SystemCallError(call: call) }
        self.number = result
    }

    deinit { if self.number >= 0 { closeNow(self.number) } }

    package mutating func close() {
        guard self.number >= 0 else { return }
        closeNow(self.number)
        self.number = -1
    }
}

/// Where a method hides it, the system's own `close`.
private func closeNow(_ number: Int32) { _ = close(number) }

/// A descriptor of several owners, which is closed when the last of them lets go of it.
///
/// A DispatchSource is one of them: it looks at its descriptor until it is really cancelled, which is later than
/// `cancel`.
final class SharedDescriptor: Sendable {
    private let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// A second descriptor of the same file. The owner of the first may close that at any time.
    convenience init(twinOf number: Int32) throws(SystemCallError) {
        self.init(try Descriptor(fcntl(number, F_DUPFD_CLOEXEC, 0), of: "fcntl"))
    }

    var number: Int32 { self.descriptor.number }
}
