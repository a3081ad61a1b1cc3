/// Answers with the handler of the present configuration. A request goes on with the one that it began with.
import HTTPServer
import HTTPWire
import Synchronization

final class CurrentHandler: RequestHandler {
    private let handler: Mutex<PublicHandler>

    init(_ handler: PublicHandler) { self.handler = Mutex(handler) }

    var current: PublicHandler { self.handler.withLock { $0 } }

    func replace(with handler: PublicHandler) { self.handler.withLock { $0 = handler } }

    func response(to refusal: ServerRefusal) -> Response { self.current.response(to: refusal) }

    func handle(_ request: Request, _ exchange: Exchange) { self.current.handle(request, exchange) }
}
