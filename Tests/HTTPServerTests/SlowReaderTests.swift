import EventLoop
import HTTPServer
import HTTPWire
import Testing

/// Responses larger than the sockets' buffers, to clients that read slowly.
@Suite struct SlowReaderTests {
    @Test(arguments: Polling.allCases) func `slow readers get the whole response`(_ polling: Polling) async throws {
        try await withServer(polling) { server in
            let client = try server.client(window: 32_768)
            await client.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await client.reply()?.body == TestHandler.big)
            #expect(await client.reply()?.text == "hello")
        }
    }

    /// While one client does not read, the others on the same loop are served.
    @Test(arguments: Polling.allCases) func `slow readers do not hold up others`(_ polling: Polling) async throws {
        try await withServer(polling) { server in
            let slow = try server.client(window: 32_768)
            await slow.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await slow.sip(1) == 1)
            let quick = try server.client()
            for _ in 0..<100 { #expect(await quick.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello") }
            #expect(await slow.sip(1) == 1)
        }
    }

    /// The next request of a pipeline waits until the client has taken the response before it.
    @Test func `slow readers get no response ahead of their reading`() async throws {
        try await withServer { server in
            let client = try server.client(window: 32_768)
            await client.send(String(repeating: "GET /big HTTP/1.1\r\nHost: a\r\n\r\n", count: 10))
            #expect(await client.sip(1) == 1)
            #expect(server.book.count("request") == 1)
        }
    }
}
