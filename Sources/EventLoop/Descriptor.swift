#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file descriptor with one owner. It is closed once, by `close` or when the owner releases it. A second close could
/// hit another file, because the system reuses the number.
package struct Descriptor: ~Copyable, Sendable {
    /// Negative once it is closed.
    package private(set) var number: Int32

    /// Takes ownership of an open descriptor.
    package init(owning number: Int32) { self.number = number }

    /// Takes the result of a system call: a new descriptor, or a negative number.
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

/// Calls the system's own `close` where a method hides it.
private func closeNow(_ number: Int32) { _ = close(number) }

/// A descriptor with several owners, which is closed when the last of them releases it.
///
/// A DispatchSource is one of them: it uses its descriptor until it is fully cancelled, which is later than `cancel`.
final class SharedDescriptor: Sendable {
    private let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// Makes a second descriptor of the same file. The owner of the first may close that one at any time.
    convenience init(twinOf number: Int32) throws(SystemCallError) {
        self.init(try Descriptor(fcntl(number, F_DUPFD_CLOEXEC, 0), of: "fcntl"))
    }

    var number: Int32 { self.descriptor.number }
}

/// A system call that failed.
package struct SystemCallError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The call that failed, such as `epoll_ctl`.
    package let call: String
    package let code: Int32

    package init(call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    package var description: String { "\(self.call): \(String(cString: strerror(self.code)))" }
}
