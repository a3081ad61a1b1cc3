import EventLoop
import HTTPServer
import HTTPWire
import TestSupport
import Testing

/// Pipelines whose responses are far more than the network can buffer: all arrive, or the connection is cut off.
@Suite(.blocking) struct SlowPipelineTests {
    private static let question = "GET /page HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let clients = TestTier.isWhole ? 20 : 5
    private static let requests = TestTier.isWhole ? 400 : 100

    /// Whether the clients use TLS, and whether they close their sending side before they read.
    @Test(arguments: Polling.allCases, [(false, false), (false, true), (true, true)])
    func `pipelined requests are answered to the end`(_ polling: Polling, _ way: (isTLS: Bool, halfCloses: Bool))
        async throws
    {
        try await withServer(polling, tls: way.isTLS ? try TLSStage.server() : nil) { server in
            var clients: [RawClient] = []
            for _ in 0..<Self.clients {
                clients.append(way.isTLS ? try await server.client(.tls13).client : try server.client())
            }
            for client in clients {
                await client.send(String(repeating: Self.question, count: Self.requests))
                if way.halfCloses { if way.isTLS { await client.sendTLS { $0.end() } } else { client.finishWriting() } }
            }
            // The server has responded until the clients took no more.
            #expect(await server.waits { $0.book.count("request") >= Self.clients * 2 })
            let one = try await Self.length(server, isTLS: way.isTLS)
            for client in clients { #expect(await client.count(atMost: Self.requests * one) == Self.requests * one) }
            if way.halfCloses { #expect(await server.waits { $0.server.openConnections == 0 }) }
        }
    }

    private static func length(_ server: TestServer, isTLS: Bool) async throws -> Int {
        let client = isTLS ? try await server.client(.tls13).client : try server.client()
        await client.send(Self.question)
        if isTLS { await client.sendTLS { $0.end() } } else { client.finishWriting() }
        return await client.rest().utf8.count
    }

    /// The requests: responses beyond what we send ahead, or so small that the system's buffers take all of them.
    @Test(arguments: [
        String(repeating: Self.question, count: 400), Self.question,
        "GET /page HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    ])
    func `a client that never reads is closed with all that the system holds for it`(_ request: String) async throws {
        var limits = ServerLimits()
        limits.writeTime = .seconds(1)
        limits.lingerTime = .milliseconds(100)
        try await withServer(limits: limits) { server in
            let clients = try (0..<100).map { _ in try server.client(window: 2048) }
            for client in clients { await client.send(request) }
            #expect(await server.waits { $0.book.count("request") >= 100 })
            #expect(await server.waits { $0.server.openConnections == 0 && $0.unacknowledged == 0 })
            withExtendedLifetime(clients) {}
        }
    }
}
