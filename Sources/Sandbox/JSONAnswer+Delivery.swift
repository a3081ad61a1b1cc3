/// How an answer gets to the client: at once, too late, or not at all.
import EventLoop
import HTTPServer
import HTTPWire

extension JSONAnswer {
    /// From any thread.
    func send(on exchange: Exchange, lateBy lateness: Duration) {
        switch self.delivery {
        case .atOnce: exchange.respond(self.response)
        case .late:
            let response = self.response
            exchange.loop.execute {
                _ = exchange.loop.schedule(after: lateness) { exchange.respond(response) }
            }
        case .never: exchange.respond(Self.end)
        }
    }

    /// An interim response (RFC 9110 §15.2), after which the connection ends: the answer itself never comes.
    private static let end = Response(Status(rawValue: 103), fields: [.connection: "close"])
}
