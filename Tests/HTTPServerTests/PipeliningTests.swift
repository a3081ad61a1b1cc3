import EventLoop
import HTTPServer
import HTTPWire
import Testing

/// Requests sent before the responses to earlier ones (RFC 9112 §9.3.2).
@Suite struct PipeliningTests {
    @Test(arguments: Polling.allCases)
    func `responses come in the order of their requests`(_ polling: Polling) async throws {
        try await withServer(polling) { server in
            let client = try server.client()
            let requests = (0..<1000).map { "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n\(1000 + $0)" }
            await client.send(requests.joined())
            for number in 0..<1000 { #expect(await client.reply()?.text == "POST \(1000 + number)") }
            #expect(server.book.count("request") == 1000)
        }
    }

    @Test(arguments: Polling.allCases)
    func `the next request is handled after the response to the one before`(_ polling: Polling)
        async throws
    {
        try await withServer(polling) { server in
            let client = try server.client()
            await client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\nGET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            await client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
            let first = try #require(await server.held.next())
            #expect(server.book.count("request") == 1)
            first.respond(Response(.ok, text: "1"))
            let second = try #require(await server.held.next())
            #expect(server.book.count("request") == 2)
            first.respond(Response(.ok, text: "again"))
            second.respond(Response(.ok, text: "2"))
            #expect(await client.reply()?.text == "1")
            #expect(await client.reply()?.text == "2")
            #expect(await client.reply()?.text == "hello")
        }
    }

    /// The client sends more than we keep while the first waits. The rest stays in the network and comes later.
    @Test(arguments: Polling.allCases) func `reading pauses when too much is kept`(_ polling: Polling) async throws {
        var limits = ServerLimits()
        limits.pipelined = 10_000
        try await withServer(polling, limits: limits) { server in
            let client = try server.client()
            await client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            let responder = try #require(await server.held.next())
            let body = String(repeating: "x", count: 9_990)
            let request = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9990\r\n\r\n\(body)"
            async let sent: Void = client.send(String(repeating: request, count: 100))
            responder.respond(Response(.ok, text: "1"))
            await sent
            #expect(await client.reply()?.text == "1")
            for _ in 0..<100 { #expect(await client.reply()?.body.count == 9_995) }
        }
    }

    @Test func `what comes after the last request is not handled`() async throws {
        try await withServer { server in
            let client = try server.client()
            await client.send("GET /close HTTP/1.1\r\nHost: a\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await client.reply()?.text == "bye")
            #expect(await client.isEnded())
            #expect(server.book.count("request") == 1)
        }
    }

    @Test func `a bad request after good ones is refused in its turn`() async throws {
        try await withServer { server in
            let client = try server.client()
            await client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\nGET /hello HTTP/1.1\r\n\r\n")
            #expect(await client.reply()?.text == "hello")
            let reply = await client.reply()
            #expect(reply?.status == 400)
            #expect(reply?.closes == true)
            #expect(await client.isEnded())
        }
    }
}
