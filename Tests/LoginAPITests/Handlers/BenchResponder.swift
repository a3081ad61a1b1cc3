/// An exchange without a connection: the response goes to the test.
import EventLoop
import HTTPServer
import HTTPWire

@testable import LoginAPI

struct BenchResponder: ResponseTarget {
    let loop: EventLoop
    let answer: @Sendable (Response) -> Void
    let stream: @Sendable (Response) -> ResponseStream
    let leave: @Sendable (@escaping @Sendable () -> Void) -> Void

    func respond(_ response: Response) { self.answer(response) }

    func begin(_ response: Response) -> ResponseStream { self.stream(response) }

    func onGone(_ action: @escaping @Sendable () -> Void) { self.leave(action) }
}
