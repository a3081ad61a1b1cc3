import EventLoop
import HTTPWire

/// The right to respond to one request, once, at any time and from any thread.
///
/// It names its connection but does not keep it alive. If the client has gone, or a response was sent already,
/// `respond` does nothing.
///
/// A client that has closed only its sending side may still be reading, so it gets its response. If the handler has
/// called `onGone`, that action runs instead, and the connection is closed.
package struct ResponseHandle: Sendable {
    // Small enough that `any` protocol keeps it in place: thousands of requests wait.
    let request: RequestID
    let table: ConnectionTable

    /// The client. Nil for a Unix socket, unless a PROXY header has named it. Ask for it while the handler is called.
    package var peer: IPAddress? { self.table[self.request.connection]?.peer }

    /// The loop that read the request. The handler's further work runs best there.
    package var loop: EventLoop { self.table.loop }

    /// Names the request among all requests of its server.
    package var key: Key { Key(table: ObjectIdentifier(self.table), request: self.request) }

    package struct Key: Hashable, Sendable {
        fileprivate let table: ObjectIdentifier
        fileprivate let request: RequestID
    }

    package func respond(_ response: Response) { self.perform(.answer(response)) }

    /// Begins a response of unknown length, in place of `respond`. The body of `response` is ignored: the parts come
    /// through the stream.
    package func begin(_ response: Response) -> ResponseStream {
        self.perform(.begin(response))
        return ResponseStream(send: { self.perform(.send($0)) }, end: { self.perform(.end) })
    }

    /// Runs `action` on the loop if the client leaves before the response, and at once if it has already left.
    package func onGone(_ action: @escaping @Sendable () -> Void) { self.perform(.watch(action)) }

    /// Does the same for a request that waits for a change. `action` also runs when other clients need the connection:
    /// the handler should then respond as soon as it can, and the connection ends with that.
    package func hold(_ action: @escaping @Sendable (HoldEnd) -> Void) { self.perform(.hold(action)) }

    /// Runs on the loop, at once if this is the loop.
    private func perform(_ step: ResponseStep) {
        var step = step
        if let exchanges = self.table.parts.exchanges { step.change { exchanges.end(self.key, $0) } }
        self.run(step)
    }

    private func run(_ step: ResponseStep) {
        guard !self.loop.isCurrent else { return self.table.perform(step, for: self.request) }
        self.loop.execute { self.table.perform(step, for: self.request) }
    }
}

/// What a handler can do for one request.
enum ResponseStep: Sendable {
    case answer(Response)
    /// The head of a response that is sent in parts.
    case begin(Response)
    case send([UInt8])
    case end
    /// Call the action when the client leaves.
    case watch(@Sendable () -> Void)
    /// Call the action when the client leaves, or when its connection should end.
    case hold(@Sendable (HoldEnd) -> Void)

    /// Changes the response that it begins. Its body may follow in parts.
    fileprivate mutating func change(_ body: (Response) -> Response) {
        switch self {
        case .answer(let response): self = .answer(body(response))
        case .begin(let response): self = .begin(body(response))
        case .send, .end, .watch, .hold: break
        }
    }
}

/// Why a held request ends before what it waits for.
package enum HoldEnd: Sendable {
    case clientLeft
    /// Other clients need its connection.
    case placeNeeded
}

/// Names a request: its connection's slot in the loop's table, and its number on that connection.
struct RequestID: Hashable, Sendable {
    let connection: ConnectionID
    let sequence: UInt32
}

/// Names a connection within its loop's table. It names nothing once that connection is closed, even if the slot is
/// used again.
typealias ConnectionID = SlotMap<Connection>.Token

/// The rest of a response that has begun. Any thread may send parts; the parts of one thread keep their order.
///
/// If the client has gone, nothing happens. A client that does not take its parts is cut off when `ServerLimits.unsent`
/// bytes wait for it, or when bytes have waited for `writeTime`.
package struct ResponseStream: Sendable {
    package let send: @Sendable (_ part: [UInt8]) -> Void
    /// Completes the response. Nothing is sent after it.
    package let end: @Sendable () -> Void

    package init(send: @escaping @Sendable ([UInt8]) -> Void, end: @escaping @Sendable () -> Void) {
        self.send = send
        self.end = end
    }
}
