// What the system refused to a loop.

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension EventLoop {
    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The call that failed, `epoll_ctl` say.
        package let call: String
        package let code: Int32

        package init(call: String, code: Int32 = errno) {
            self.call = call
            self.code = code
        }

        package var description: String { "\(self.call): \(String(cString: strerror(self.code)))" }
    }
}
