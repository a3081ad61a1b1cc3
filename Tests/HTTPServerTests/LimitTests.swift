import EventLoop
import HTTPServer
import HTTPWire
import TestSupport
import Testing

/// The limits: sizes, connections, and connections of one address.
@Suite(.blocking) struct LimitTests {
    /// Requests just too large for small limits, and the status of the refusal.
    static let large: [(String, Int)] = [
        ("GET /\(String(repeating: "a", count: 600)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 2000))\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: y\r\n", count: 30))\r\n", 431),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n", 413),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n", 413),
    ]

    @Test(arguments: large)
    func `a request that is too large is refused`(_ request: String, _ status: Int) async throws {
        var limits = ServerLimits()
        limits.request.head = 1000
        limits.request.target = 500
        limits.request.fields = 20
        limits.request.body = 100
        try await withServer(limits: limits) { server in
            let client = try server.client()
            let reply = await client.ask(request)
            #expect(reply?.status == status)
            #expect(reply?.closes == true)
            #expect(await client.isEnded())
        }
    }

    /// The client still sends when it is refused, and sees the response nevertheless.
    @Test(arguments: Polling.allCases)
    func `a client that keeps sending sees the refusal`(_ polling: Polling) async throws {
        try await withServer(polling) { server in
            let client = try server.client()
            await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n")
            for _ in 0..<50 { await client.send(String(repeating: "x", count: 10_000)) }
            let reply = await client.reply()
            #expect(reply?.status == 413)
            #expect(reply?.fields["content-type"] == "text/plain; charset=utf-8")
            #expect(await client.isEnded())
        }
    }

    @Test(arguments: Polling.allCases) func `one connection too many is a 503`(_ polling: Polling) async throws {
        var limits = ServerLimits()
        limits.connections = 2
        try await withServer(polling, limits: limits) { server in
            var first: RawClient? = try server.client()
            let second = try server.client()
            #expect(await first?.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello")
            #expect(await second.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello")
            let third = try server.client()
            let reply = await third.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(reply?.status == 503)
            #expect(reply?.closes == true)
            #expect(await third.isEnded())
            #expect(server.book.count("refused too_many_connections") == 1)
            first = nil
            await server.waits { $0.server.openConnections == 1 }
            #expect(try await server.client().ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello")
        }
    }

    @Test func `one address cannot have all connections`() async throws {
        var limits = ServerLimits()
        limits.connections = 3
        limits.connectionsPerAddress = 1
        try await withServer(limits: limits) { server in
            var first: RawClient? = try server.client(from: "127.0.0.2")
            #expect(await first?.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello")
            let other = try server.client(from: "127.0.0.3")
            #expect(await other.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello")
            let second = try server.client(from: "127.0.0.2")
            #expect(await second.reply()?.status == 503)
            #expect(server.book.count("refused too_many_from_address") == 1)
            first = nil
            await server.waits { $0.server.openConnections == 1 }
            let third = try server.client(from: "127.0.0.2")
            #expect(await third.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello")
        }
    }
}
