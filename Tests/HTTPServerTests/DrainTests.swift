import Base
import Dispatch
import EventLoop
import HTTPServer
import HTTPWire
import TestSupport
import Testing

/// How a server stops: idle connections close, running requests get their responses, and then everything closes.
@Suite(.blocking) struct DrainTests {
    @Test(arguments: Polling.allCases) func `requests in progress are answered`(_ polling: Polling) async throws {
        try await withServer(polling, loops: 2) { server in
            let idle = try server.client()
            #expect(await idle.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.closes == false)
            let holding = try server.client()
            await holding.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            let sending = try server.client()
            await sending.send("POST /held HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n")
            let responder = try #require(await server.held.next())
            // A request without a read byte does not count as running. All three clients have sent some.
            #expect(await server.book.waits { $0.count("bytes") >= 3 })
            async let isDrained = server.server.drain(within: Patience.limit)
            #expect(await idle.isEnded())
            #expect(throws: RawClient.Failure.self) { try server.client() }
            await sending.send("x")
            let other = try #require(await server.held.next())
            for responder in [responder, other] { responder.respond(Response(.ok, text: "late")) }
            for client in [holding, sending] {
                let reply = await client.reply()
                #expect(reply?.text == "late")
                #expect(reply?.closes == true)
                #expect(await client.isEnded())
            }
            #expect(await isDrained)
        }
    }

    @Test(arguments: Polling.allCases) func `what is not answered in time is cut off`(_ polling: Polling) async throws {
        try await withServer(polling) { server in
            let client = try server.client()
            await client.send("GET /told HTTP/1.1\r\nHost: a\r\n\r\n")
            let responder = try #require(await server.held.next())
            #expect(await server.server.drain(within: .milliseconds(100)) == false)
            #expect(server.server.openConnections == 0)
            #expect(await client.rest() == "")
            #expect(await server.gone.next() == "/told")
            responder.respond(Response(.ok, text: "nobody hears"))
        }
    }

    @Test func `nothing to drain is drained at once`() async throws {
        try await withServer { server in
            #expect(await server.server.drain(within: Patience.limit))
            #expect(await server.server.drain(within: Patience.limit))
        }
    }

    @Test func `a server that never started can be closed`() async throws {
        let loop = try EventLoop(name: "test")
        let server = HTTPServer(
            listen: try #require(ListenAddress("127.0.0.1:0")), loops: [loop], handler: TestHandler())
        await server.close()
        #expect(throws: OperatorError.alreadyStarted) { try server.start() }
        loop.close()
    }

    /// A client that waits to be accepted has connected and sent a request. Closing the listening socket would reset
    /// it.
    @Test(arguments: Polling.allCases)
    func `a client that waits to be accepted is answered`(_ polling: Polling) async throws {
        try await withServer(polling, loops: 2) { server in
            let open = try server.client()
            await open.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            let responder = try #require(await server.held.next())
            let (isBlocked, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            responder.loop.execute {
                isBlocked.signal()
                goesOn.wait()
            }
            await Self.wait(for: isBlocked)
            // The loop goes on even if the test fails before it says so.
            defer { goesOn.signal() }
            var waiting: [RawClient] = []
            for _ in 0..<600 {
                let client = try server.client()
                await client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
                waiting.append(client)
            }
            server.server.stopAccepting()
            goesOn.signal()
            async let isDrained = server.server.drain(within: Patience.limit)
            responder.respond(Response(.ok, text: "late"))
            for client in waiting {
                let reply = await client.reply()
                #expect(reply?.text == "hello")
                #expect(reply?.closes == true)
            }
            #expect(await open.reply()?.text == "late")
            #expect(await isDrained)
        }
    }

    /// A client that connects and sends nothing is dropped after a second.
    @Test func `a silent newcomer does not hold up the end`() async throws {
        try await withServer(clock: StoppedClock()) { server in
            let silent = try server.client()
            #expect(await server.waits { $0.server.openConnections == 1 })
            async let isDrained = server.server.drain(within: Patience.limit)
            #expect(await server.waits { _ in (try? server.client()) == nil })
            await server.pass(ServerLimits().lingerTime)
            #expect(await isDrained)
            #expect(await silent.rest() == "")
        }
    }

    /// Clients should look for another server, but this one still accepts new connections.
    @Test func `before the end each response closes its connection`() async throws {
        try await withServer { server in
            let old = try server.client()
            #expect(await old.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.closes == false)
            let holding = try server.client()
            await holding.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            let responder = try #require(await server.held.next())
            server.server.endKeepAlive()
            await withCheckedContinuation { continuation in responder.loop.execute { continuation.resume() } }
            for client in [old, try server.client()] {
                let reply = await client.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(reply?.text == "hello")
                #expect(reply?.closes == true)
                #expect(await client.isEnded())
            }
            responder.respond(Response(.ok, text: "late"))
            #expect(await holding.reply()?.closes == true)
        }
    }

    private static func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { @Sendable in
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    /// After `stopAccepting` alone, an open connection gets at most one more response.
    @Test func `a response after stopping says close`() async throws {
        try await withServer { server in
            let client = try server.client()
            await client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
            let responder = try #require(await server.held.next())
            server.server.stopAccepting()
            responder.respond(Response(.ok, text: "last"))
            let reply = await client.reply()
            #expect(reply?.text == "last")
            #expect(reply?.closes == true)
            #expect(await client.isEnded())
        }
    }
}
