import EventLoop
import HTTPServer
import HTTPWire
import Testing

/// Requests on one connection, one after the other (RFC 9112 §9.3), with both pollers.
@Suite struct KeepAliveTests {
    /// The request, and whether the connection stays open after the response.
    static let requests: [(String, stays: Bool)] = [
        ("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n", true),
        ("GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", false),
        ("GET /hello HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Close\r\n\r\n", false),
        ("GET /hello HTTP/1.0\r\nHost: a\r\n\r\n", false),
        ("GET /hello HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n", true),
        ("GET /close HTTP/1.1\r\nHost: a\r\n\r\n", false),
        ("GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n", true),
    ]

    @Test(arguments: requests)
    func `a connection stays open as its request says`(_ request: String, stays: Bool) async throws {
        for polling in Polling.allCases {
            try await withServer(polling) { server in
                let client = try server.client()
                let reply = try #require(await client.ask(request))
                #expect(reply.closes == !stays)
                if stays {
                    #expect(await client.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello")
                } else {
                    #expect(await client.isEnded())
                }
            }
        }
    }

    @Test func `responses say their version, date and length and no server`() async throws {
        try await withServer { server in
            let reply = try await server.client().ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(reply?.version == "HTTP/1.1")
            #expect(reply?.fields["date"]?.hasSuffix(" GMT") == true)
            #expect(reply?.fields["content-length"] == "5")
            #expect(reply?.fields["server"] == nil)
        }
    }

    @Test func `HEAD has the fields of GET and no body`() async throws {
        try await withServer { server in
            let client = try server.client()
            await client.send("HEAD /hello HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await client.reply(hasBody: false)?.fields["content-length"] == "5")
            #expect(await client.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello")
        }
    }

    @Test func `a request can come byte by byte`() async throws {
        try await withServer(clock: StoppedClock()) { server in
            let client = try server.client()
            for byte in "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc".utf8 {
                await client.send([byte])
            }
            #expect(await client.reply()?.text == "POST abc")
            for byte in "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n".utf8 { await client.send([byte]) }
            #expect(await client.reply()?.text == "hello")
        }
    }

    @Test func `a request is answered only once`() async throws {
        try await withServer { server in
            let client = try server.client()
            #expect(await client.ask("GET /twice HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "first")
            #expect(await client.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello")
        }
    }

    /// A handler's response that would forge a field is not sent, not even in part.
    @Test func `a response that cannot be written is a 500`() async throws {
        try await withServer { server in
            let client = try server.client()
            let reply = await client.ask("GET /forged HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(reply?.status == 500)
            #expect(reply?.fields["set-cookie"] == nil)
            #expect(await client.isEnded())
            #expect(server.book.count("failed") == 1)
        }
    }

    @Test func `connections are served on every loop`() async throws {
        try await withServer(loops: 3) { server in
            let clients = try (0..<9).map { _ in try server.client() }
            for client in clients {
                #expect(await client.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello")
            }
            #expect(server.server.openConnections == 9)
        }
    }
}
