#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

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
