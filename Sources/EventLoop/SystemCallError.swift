/// A call that the system refused.

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

package struct SystemCallError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The call that failed, `epoll_ctl` say.
    package let call: String
    package let code: Int32

    package init(call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    package var description: String { "\(self.call): \(String(cString: strerror(self.code)))" }
}
