import HTTPServer
import TestSupport
import Testing

/// Requests that do not end: what a client gets when the time is up (RFC 9110 §15.5.9), and what it gets when it ends
/// the connection instead.
@Suite(.blocking) struct UnfinishedRequestTests {
    /// The sent bytes, and the status of each response.
    static let rows: [(String, [String])] = [
        ("", []), ("\r\n", []), ("G", ["408"]), ("GET /hello HTTP/1.1", ["408"]), ("GET /hello HTTP/1.1\r", ["408"]),
        ("GET /hello HTTP/1.1\r\n", ["408"]), ("GET /hello HTTP/1.1\r\nHost: a", ["408"]),
        ("GET /hello HTTP/1.1\r\nHost: a\r\n", ["408"]), ("GET /hello HTTP/1.1\r\nHost: a\r\n\r", ["408"]),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", ["408"]),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell", ["408"]),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n", ["100", "408"]),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", ["408"]),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe", ["408"]),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello", ["408"]),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", ["408"]),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n", ["408"]),
        ("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n", ["200"]),
        ("GET /hello HTTP/1.1\r\nHost: a\r\n\r\nGET", ["200", "408"]),
    ]

    @Test func `unfinished requests are told that the time is up`() async throws {
        try await withServer(clock: StoppedClock()) { server in
            var clients: [RawClient] = []
            for (text, _) in Self.rows {
                clients.append(try server.client())
                await clients.last?.send(text)
            }
            let texts = Self.rows.count { !$0.0.isEmpty }
            #expect(await server.waits { $0.book.opened == clients.count && $0.book.count("bytes") == texts })
            await server.pass(ServerLimits().idleTime)
            for (client, (text, statuses)) in zip(clients, Self.rows) {
                #expect(RawReplies(await client.rest()).lines == statuses, "\(text)")
            }
        }
    }

    /// A client that has half-closed gets no refusal.
    @Test func `unfinished requests end with the connection`() async throws {
        try await withServer { server in
            for (text, statuses) in Self.rows {
                let client = try server.client()
                await client.send(text)
                client.finishWriting()
                let lines = RawReplies(await client.rest()).lines
                #expect(lines == statuses.filter { $0 == "200" } || lines == ["100"], "\(text)")
            }
        }
    }
}
