/// Where the answer to one request goes: to the connection that it came on, or to whoever asks without one.
import EventLoop
import HTTPServer
import HTTPWire

package protocol Answerable: Sendable {
    /// Where the request was read, and where a handler of it best goes on.
    var loop: EventLoop { get }

    /// From any thread. Only the first answer counts.
    func respond(_ response: Response)

    /// Begins an answer in parts, in place of `respond`.
    func begin(_ response: Response) -> ResponseStream

    /// Does the action on the loop when the client leaves before it is answered.
    func onGone(_ action: @escaping @Sendable () -> Void)
}

extension Exchange: Answerable {}
