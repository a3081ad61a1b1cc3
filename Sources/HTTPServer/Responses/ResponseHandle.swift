/// One request's right to be answered, once, at any time and from any thread.
///
/// It names its connection and does not hold it. If the client has gone, or the answer was given, `respond` does nothing.
///
/// A client that has closed only its sending side may still be reading: it gets its answer, unless somebody has asked
/// by `onGone` to be told, who is told then, and the connection is closed.

import EventLoop
import HTTPWire

package struct ResponseHandle: Sendable {
    /// Nil at the other end of a Unix socket, unless a PROXY header has named the client.
    package let peer: IPAddress?
    let request: RequestID
    let sink: any ResponseSink

    /// Where the request was read, and where a handler of it best goes on.
    package var loop: EventLoop { self.sink.loop }

    package func respond(_ response: Response) { self.perform(.answer(response)) }

    /// Begins an answer whose length is not known yet; the body of `response` is left out, it comes by the stream. In
    /// place of `respond`.
    package func begin(_ response: Response) -> ResponseStream {
        self.perform(.begin(response))
        return ResponseStream(send: { self.perform(.send($0)) }, end: { self.perform(.end) })
    }

    /// Does `action` on the loop when the client leaves before it is answered, at once if it has left.
    package func onGone(_ action: @escaping @Sendable () -> Void) { self.perform(.watch(action)) }

    /// On the loop, at once if this is it.
    private func perform(_ step: ResponseStep) {
        guard !self.loop.isCurrent else { return self.sink.perform(step, for: self.request) }
        self.loop.execute { self.sink.perform(step, for: self.request) }
    }
}

/// Where handles send their answers: the connections of one loop.
protocol ResponseSink: AnyObject, Sendable {
    var loop: EventLoop { get }

    /// Called on the loop. The connection may be gone.
    func perform(_ step: ResponseStep, for request: RequestID)
}

/// What a handler does for one request.
enum ResponseStep: Sendable {
    case answer(Response)
    /// The head of an answer in parts.
    case begin(Response)
    case send([UInt8])
    case end
    /// Tell when the client leaves.
    case watch(@Sendable () -> Void)
}

/// Names a request: the place of its connection in the loop's table, and its number there.
struct RequestID: Sendable {
    let connection: ConnectionID
    let sequence: UInt32
}

/// Names a connection within its loop's table; worthless once that is closed, even when its place is used again.
struct ConnectionID: Hashable, Sendable {
    let place: UInt32
    let generation: UInt32
}

/// The rest of an answer that has begun, sent in parts from any thread, in the order in which one thread sends them.
///
/// If the client has gone, nothing happens. One that does not take its parts is cut off: when `ServerLimits.unsent` bytes
/// wait for it, or when some have waited for `writeTime`.
package struct ResponseStream: Sendable {
    package let send: @Sendable (_ part: [UInt8]) -> Void
    /// The answer is whole. Nothing is sent after it.
    package let end: @Sendable () -> Void

    package init(send: @escaping @Sendable ([UInt8]) -> Void, end: @escaping @Sendable () -> Void) {
        self.send = send
        self.end = end
    }
}
