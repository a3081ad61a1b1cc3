import Base
import Dispatch
import EventLoop
import HTTPServer
import HTTPWire
import Traces

/// What we keep of a request to respond to it: as little as possible, because thousands may wait.
final class Reply: Sendable {
    private let number = RequestNumber()
    /// Nil for most requests.
    private let extras: ReplyExtras?
    let method: Method
    private let startedAt = DispatchTime.now().uptimeNanoseconds
    /// The client's address, behind trusted proxies.
    let client: IPAddress
    private let target: ReplyTarget
    private let finisher: ResponseFinisher

    init(
        to request: Request, from client: IPAddress, by finisher: ResponseFinisher, on target: ReplyTarget
    ) {
        self.extras = finisher.extras(of: request, self.number)
        self.method = request.method
        self.client = client
        self.finisher = finisher
        self.target = target
    }

    /// Names the request in the response and in the log.
    var id: String { self.number.text }

    var loop: EventLoop { self.target.loop }

    /// The time since the request was read.
    var duration: Duration { .nanoseconds(DispatchTime.now().uptimeNanoseconds - self.startedAt) }

    /// Safe to call on any thread. Only the first response counts.
    func respond(_ response: consuming Response) { self.target.respond(self.finisher.finish(response, of: self)) }

    func refuse(_ problem: Problem) {
        self.respond(self.finisher.response(to: problem, requestID: self.id, for: self.extras?.pageReader))
    }

    /// Begins a response in parts, instead of `respond`.
    func begin(_ response: consuming Response) -> ResponseStream {
        self.target.begin(self.finisher.finish(response, of: self))
    }

    /// What a browser's program needs of the response. Nil unless one asks from a page of another origin.
    var crossOrigin: CrossOrigin.Headers? { self.extras?.crossOrigin }

    /// The work on this request, for each of its tasks. If nothing is traced, each task makes its own.
    var work: WorkContext { self.currentWork ?? self.extras?.tracedWork ?? WorkContext(self.number, nil) }

    private var currentWork: WorkContext? { WorkContext.current.flatMap { $0.belongs(to: self.number) ? $0 : nil } }

    /// Runs `body` as a part of the work on this request.
    func working(_ body: () -> Void) {
        guard self.currentWork == nil else { return body() }
        WorkContext.$current.withValue(self.work, operation: body)
    }

    /// Nil if nothing is traced.
    var span: RecordedSpan? { self.extras?.tracedWork?.span }

    /// Ends the request's span, if it got no response.
    func abandon() { self.finisher.abandon(self.span) }

    /// Runs the action on the loop if the client leaves before it gets the response.
    func onGone(_ action: @escaping @Sendable () -> Void) { self.target.onGone(action) }

    /// Does the same for a request that waits, and also runs the action when other clients need its connection.
    func hold(_ action: @escaping @Sendable (HoldEnd) -> Void) { self.target.hold(action) }
}

/// What few requests have: a browser that asks, or a trace. A class, so that each request that waits has room for one
/// reference only.
final class ReplyExtras: Sendable {
    let crossOrigin: CrossOrigin.Headers?
    /// Nil if the browser's program, and not its user, reads the response.
    let pageReader: PageReader?
    /// Nil if nothing is traced.
    let tracedWork: WorkContext?

    /// Returns nil if there is nothing.
    init?(crossOrigin: CrossOrigin.Headers?, pageReader: PageReader?, tracedWork: WorkContext?) {
        guard crossOrigin != nil || pageReader != nil || tracedWork != nil else { return nil }
        self.crossOrigin = crossOrigin
        self.pageReader = pageReader
        self.tracedWork = tracedWork
    }
}

/// Where the response to one request goes: to its connection, or to a caller without one, such as a test.
package protocol ResponseTarget: Sendable {
    /// The loop that read the request. Its handler should run there.
    var loop: EventLoop { get }

    /// Safe to call on any thread. Only the first response counts.
    func respond(_ response: Response)

    /// Begins a response in parts, instead of `respond`.
    func begin(_ response: Response) -> ResponseStream

    /// Runs the action on the loop if the client leaves before it gets the response.
    func onGone(_ action: @escaping @Sendable () -> Void)

    /// Does the same for a request that waits, and also runs the action when other clients need its connection. By
    /// default no one does.
    func hold(_ action: @escaping @Sendable (HoldEnd) -> Void)
}

extension ResponseTarget {
    package func hold(_ action: @escaping @Sendable (HoldEnd) -> Void) { self.onGone { action(.clientLeft) } }
}

extension ResponseHandle: ResponseTarget {}

/// The target of a reply. `any ResponseTarget` would take 16 bytes more, and thousands of replies wait.
enum ReplyTarget: ResponseTarget {
    case connection(ResponseHandle)
    indirect case other(any ResponseTarget)

    var loop: EventLoop {
        switch self {
        case .connection(let handle): handle.loop
        case .other(let target): target.loop
        }
    }

    func respond(_ response: Response) {
        switch self {
        case .connection(let handle): handle.respond(response)
        case .other(let target): target.respond(response)
        }
    }

    func begin(_ response: Response) -> ResponseStream {
        switch self {
        case .connection(let handle): handle.begin(response)
        case .other(let target): target.begin(response)
        }
    }

    func onGone(_ action: @escaping @Sendable () -> Void) {
        switch self {
        case .connection(let handle): handle.onGone(action)
        case .other(let target): target.onGone(action)
        }
    }

    func hold(_ action: @escaping @Sendable (HoldEnd) -> Void) {
        switch self {
        case .connection(let handle): handle.hold(action)
        case .other(let target): target.hold(action)
        }
    }
}
