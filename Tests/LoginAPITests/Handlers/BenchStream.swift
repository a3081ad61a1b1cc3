import HTTPServer
import HTTPWire
import Synchronization

/// A response in parts on a bench: it joins the parts, and responds when the stream ends.
final class BenchStream: Sendable {
    private let response: Mutex<Response>
    private let respond: @Sendable (Response) -> Void

    init(_ response: Response, _ respond: @escaping @Sendable (Response) -> Void) {
        self.response = Mutex(response)
        self.respond = respond
    }

    var stream: ResponseStream {
        ResponseStream(
            send: { part in self.response.withLock { $0.body += part } },
            end: { self.respond(self.response.withLock { $0 }) })
    }
}
