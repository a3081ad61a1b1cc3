import Dispatch
import EventLoop
import HTTPServer
import HTTPWire
import TestSupport
import Testing

/// Requests that get a response later, from any thread, or none because the client has gone.
@Suite(.blocking) struct LongPollTests {
    @Test(arguments: Polling.allCases)
    func `a request can be answered from another thread`(_ polling: Polling) async throws {
        try await withServer(polling) { server in
            let client = try server.client()
            await client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            let responder = try #require(await server.held.next())
            DispatchQueue.global().async { @Sendable in
                responder.respond(Response(.ok, text: "late"))
                responder.respond(Response(.ok, text: "too late"))
            }
            #expect(await client.reply()?.text == "late")
            #expect(await client.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello")
        }
    }

    @Test(arguments: Polling.allCases)
    func `a handler is told that the client has gone`(_ polling: Polling) async throws {
        try await withServer(polling) { server in
            var client: RawClient? = try server.client()
            await client?.send("GET /told?1 HTTP/1.1\r\nHost: a\r\n\r\n")
            let responder = try #require(await server.held.next())
            client = nil
            #expect(await server.gone.next() == "/told?1")
            responder.respond(Response(.ok, text: "nobody hears"))
            responder.onGone { server.gone.put("at once") }
            #expect(await server.gone.next() == "at once")
            #expect(server.server.openConnections == 0)
        }
    }

    @Test(arguments: Polling.allCases) func `a reset by the client is noticed`(_ polling: Polling) async throws {
        try await withServer(polling) { server in
            let client = try server.client()
            await client.send("GET /told HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try #require(await server.held.next())
            await client.reset()
            #expect(await server.gone.next() == "/told")
        }
    }

    /// epoll reports the end even when there are unread bytes before it.
    @Test func `the end is noticed behind a full pipeline`() async throws {
        var limits = ServerLimits()
        limits.pipelined = 100
        try await withServer(limits: limits) { server in
            let client = try server.client()
            await client.send("GET /told HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try #require(await server.held.next())
            await client.send(String(repeating: "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n", count: 100))
            client.finishWriting()
            #expect(await server.gone.next() == "/told")
        }
    }

    /// `printf … | nc -N` closes its sending side and waits for the response.
    @Test(arguments: Polling.allCases) func `a half-closed client gets its response`(_ polling: Polling) async throws {
        try await withServer(polling) { server in
            let client = try server.client()
            await client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
            client.finishWriting()
            let responder = try #require(await server.held.next())
            responder.respond(Response(.ok, text: "late"))
            #expect(await client.reply()?.text == "late")
            #expect(await client.reply()?.text == "hello")
            #expect(await client.isEnded())
        }
    }

    @Test func `nobody is told after the response`() async throws {
        try await withServer { server in
            let client = try server.client()
            await client.send("GET /told HTTP/1.1\r\nHost: a\r\n\r\n")
            try #require(await server.held.next()).respond(Response(.ok, text: "1"))
            #expect(await client.reply()?.text == "1")
            client.finishWriting()
            #expect(await client.isEnded())
            #expect(server.gone.isEmpty)
        }
    }

    /// An old handle must not respond to a new request on the same connection, or on another in its place.
    @Test func `an exchange responds only to its own request`() async throws {
        try await withServer { server in
            var first: RawClient? = try server.client()
            await first?.send("GET /told HTTP/1.1\r\nHost: a\r\n\r\n")
            let old = try #require(await server.held.next())
            first = nil
            #expect(await server.gone.next() != nil)
            let second = try server.client()
            await second.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            let new = try #require(await server.held.next())
            old.respond(Response(.ok, text: "old"))
            new.respond(Response(.ok, text: "new"))
            #expect(await second.reply()?.text == "new")
        }
    }

    /// Responses of one loop turn are sent together. None is lost when the server closes in that turn.
    @Test(arguments: Polling.allCases) func `what was answered is sent before the server closes`(
        _ polling: Polling
    ) async throws {
        try await withServer(polling) { server in
            let clients = try (0..<40).map { _ in try server.client() }
            for client in clients { await client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n") }
            let exchanges = await server.held.take(40)
            exchanges.first?.loop.execute {
                for responder in exchanges { responder.respond(Response(.ok, text: "all")) }
            }
            await server.server.close()
            for client in clients { #expect(await client.reply()?.text == "all") }
        }
    }

    @Test(arguments: Polling.allCases) func `a thousand requests can wait`(_ polling: Polling) async throws {
        try await withServer(polling, loops: 2) { server in
            let clients = try (0..<1000).map { _ in try server.client() }
            for client in clients { await client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n") }
            let exchanges = await server.held.take(1000)
            #expect(exchanges.count == 1000)
            #expect(server.server.openConnections == 1000)
            for responder in exchanges { responder.respond(Response(.ok, text: "now")) }
            for client in clients { #expect(await client.reply()?.text == "now") }
        }
    }
}
