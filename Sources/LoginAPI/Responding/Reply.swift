/// What we keep of a request to respond to it: as little as possible, because thousands may wait.
import Base
import Dispatch
import EventLoop
import HTTPServer
import HTTPWire

final class Reply: Sendable {
    /// Names the request in the response and in the log.
    let id = Reply.makeID()
    private let startedAt = DispatchTime.now().uptimeNanoseconds
    /// The client's address, behind trusted proxies.
    let client: IPAddress
    let method: Method
    /// One of `Route`'s labels, or `none`.
    let route: String
    /// Whether the response depends on `Accept`.
    let varies: Bool
    /// Whether the response has a nonce for the next DPoP proof, if the server has sessions.
    let hasNonce: Bool
    let crossOrigin: CrossOrigin.Headers?
    /// Nil unless a browser asks.
    private let pageReader: PageReader?
    private let target: any ResponseTarget
    private let finisher: ResponseFinisher

    init(
        to request: Request, as match: RouteMatch<Route>, from client: IPAddress, by finisher: ResponseFinisher,
        on target: any ResponseTarget
    ) {
        self.client = client
        self.method = request.method
        self.route = match.label
        self.varies = match.hasTwoForms
        self.hasNonce = match.hasNonce
        self.crossOrigin = finisher.crossOriginHeaders(to: request.head)
        self.pageReader = PageReader(request.head)
        self.finisher = finisher
        self.target = target
    }

    static func makeID() -> String { Base64URL.encode(RandomBytes.make(9)) }

    var loop: EventLoop { self.target.loop }

    /// The time since the request was read.
    var duration: Duration { .nanoseconds(DispatchTime.now().uptimeNanoseconds - self.startedAt) }

    /// Safe to call on any thread. Only the first response counts.
    func respond(_ response: consuming Response) { self.target.respond(self.finisher.finish(response, of: self)) }

    func refuse(_ problem: Problem) {
        self.respond(self.finisher.response(to: problem, requestID: self.id, for: self.pageReader))
    }

    /// Begins a response in parts, instead of `respond`.
    func begin(_ response: consuming Response) -> ResponseStream {
        self.target.begin(self.finisher.finish(response, of: self))
    }

    /// Runs the action on the loop if the client leaves before it gets the response.
    func onGone(_ action: @escaping @Sendable () -> Void) { self.target.onGone(action) }
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
}

extension ResponseHandle: ResponseTarget {}
