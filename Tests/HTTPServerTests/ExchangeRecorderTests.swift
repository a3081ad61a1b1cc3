import HTTPServer
import HTTPWire
import TestSupport
import Testing

/// A recorder learns how each request ends: with a response, or without one.
@Suite(.blocking) struct ExchangeRecorderTests {
    /// Notes each request's end.
    private final class Ends: ExchangeRecorder {
        let lines = Mailbox<String>()

        func end(_ request: ResponseHandle.Key, _ response: Response) -> Response {
            self.lines.put("\(response.status.rawValue)")
            return response
        }

        func cutOff(_ request: ResponseHandle.Key) { self.lines.put("cut off") }
    }

    /// How a client leaves after its requests.
    enum Leaving: Sendable { case close, reset }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The last one has no response yet when the client leaves.
        let paths: [String]
        let leaving: Leaving
        let ends: [String]

        init(_ testDescription: String, _ paths: [String], _ leaving: Leaving, _ ends: [String]) {
            (self.testDescription, self.paths, self.leaving, self.ends) = (testDescription, paths, leaving, ends)
        }
    }

    static let rows = [
        Row("a handler that asks when its client leaves", ["/told"], .close, ["cut off"]),
        Row("a request that waits for a change", ["/polled"], .close, ["cut off"]),
        Row("a reset, and a handler that does not ask", ["/held"], .reset, ["cut off"]),
        Row("the second request on a connection", ["/hello", "/told"], .close, ["200", "cut off"]),
    ]

    @Test(arguments: rows) func `a client that leaves is recorded`(_ row: Row) async throws {
        let ends = Ends()
        try await withServer(exchanges: ends) { server in
            var client: RawClient? = try server.client()
            for path in row.paths { await client?.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n") }
            let isThere = await server.waits { $0.book.count("request") == row.paths.count }
            #expect(isThere)
            if row.leaving == .reset { await client?.reset() }
            client = nil
            for end in row.ends { #expect(await ends.lines.next() == end) }
        }
    }

    @Test func `a response is recorded before its client leaves`() async throws {
        let ends = Ends()
        try await withServer(exchanges: ends) { server in
            let client = try server.client()
            #expect(await client.ask("GET /close HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "bye")
            #expect(await client.isEnded())
            #expect(await ends.lines.next() == "200")
        }
    }

    /// The handler is too late, and the client learns that from the server.
    @Test func `the server's own response is recorded`() async throws {
        let (ends, clock) = (Ends(), StoppedClock())
        var limits = ServerLimits()
        limits.handlerTime = .seconds(5)
        try await withServer(limits: limits, clock: clock, exchanges: ends) { server in
            let client = try server.client()
            await client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = await server.held.next()
            await server.pass(.seconds(5))
            #expect(await client.reply()?.status == 503)
            #expect(await ends.lines.next() == "503")
        }
    }
}
