import EventLoop
import HTTPServer
import HTTPWire

@testable import LoginAPI

/// An exchange without a connection: the response goes to the test.
struct BenchResponder: ResponseTarget {
    let loop: EventLoop
    let answer: @Sendable (Response) -> Void
    let stream: @Sendable (Response) -> ResponseStream
    let leave: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Gets what a request that waits wants to be told.
    var held: @Sendable (@escaping @Sendable (HoldEnd) -> Void) -> Void = { _ in }

    func respond(_ response: Response) { self.answer(response) }

    func begin(_ response: Response) -> ResponseStream { self.stream(response) }

    func onGone(_ action: @escaping @Sendable () -> Void) { self.leave(action) }

    func hold(_ action: @escaping @Sendable (HoldEnd) -> Void) {
        self.held(action)
        self.leave { action(.clientLeft) }
    }
}
