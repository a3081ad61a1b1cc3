/// What is left of a request that has been read: no more than it takes to answer it, since thousands may wait.
import Base
import EventLoop
import HTTPServer
import HTTPWire

final class Reply: Sendable {
    /// Names the request in the answer and in the log.
    let id = Reply.makeID()
    let startedAt = ContinuousClock.now
    /// Who asks, behind the proxies that are trusted.
    let client: IPAddress
    let method: Method
    /// One of `Route`'s labels, or `none`.
    let route: String
    /// Whether `Accept` decides what the answer is.
    let varies: Bool
    let crossOrigin: CrossOrigin.Words?
    private let exchange: any Answerable
    /// Puts on every answer what belongs on it.
    private let finisher: AnswerFinisher

    init(
        to request: Request, as match: RouteMatch<Route>, from client: IPAddress, by finisher: AnswerFinisher,
        on exchange: any Answerable
    ) {
        self.client = client
        self.method = request.method
        self.route = match.label
        self.varies = match.hasTwoForms
        self.crossOrigin = finisher.crossOriginWords(to: request.head)
        self.finisher = finisher
        self.exchange = exchange
    }

    static func makeID() -> String { Base64URL.encode(RandomBytes.make(9)) }

    var loop: EventLoop { self.exchange.loop }

    /// From any thread. Only the first answer counts.
    func respond(_ response: consuming Response) { self.exchange.respond(self.finisher.finished(response, of: self)) }

    func refuse(_ problem: Problem) {
        self.respond(problem.response(requestID: self.id, publicURL: self.finisher.publicURL))
    }

    /// Begins an answer in parts, in place of `respond`.
    func begin(_ response: consuming Response) -> ResponseStream {
        self.exchange.begin(self.finisher.finished(response, of: self))
    }

    /// Does the action on the loop when the client leaves before it is answered.
    func onGone(_ action: @escaping @Sendable () -> Void) { self.exchange.onGone(action) }
}

/// Where the answer to one request goes: to the connection that it came on, or to whoever asks without one.
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

extension ResponseHandle: Answerable {}
