import EventLoop
import HTTPServer
import HTTPWire
import Testing

/// What a slow client gets, and when (RFC 9110 §15.5.9).
@Suite struct TimeLimitTests {
    private static let limits = ServerLimits()
    private static let aSecond = Duration.seconds(1)

    @Test func `a head that does not end is a 408`() async throws {
        try await withServer(clock: StoppedClock()) { server in
            let client = try server.client()
            await client.send("GET /hello HTTP/1.1\r\nHost:")
            #expect(await server.waits { $0.book.count("bytes") == 1 })
            await server.pass(Self.limits.headTime - Self.aSecond)
            #expect(server.book.count("time head") == 0)
            await server.pass(Self.aSecond)
            let reply = await client.reply()
            #expect(reply?.status == 408)
            #expect(reply?.closes == true)
            #expect(await client.isEnded())
            #expect(server.book.count("time head") == 1)
        }
    }

    /// The time limit is for the whole head, however many pieces it comes in.
    @Test func `dripping does not prolong a head`() async throws {
        try await withServer(clock: StoppedClock()) { server in
            let client = try server.client()
            await client.send("GET /hello HTTP/1.1\r\nHost: a\r\n")
            for count in 1...5 {
                #expect(await server.waits { $0.book.count("bytes") >= count })
                await server.pass(Self.limits.headTime / 5)
                if count < 5 { await client.send("X: y\r\n") }
            }
            #expect(await client.reply()?.status == 408)
            #expect(server.book.count("time head") == 1)
        }
    }

    @Test func `a body that does not end is a 408`() async throws {
        try await withServer(clock: StoppedClock()) { server in
            let client = try server.client()
            await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel")
            #expect(await server.waits { $0.book.count("bytes") == 1 })
            await server.pass(Self.limits.bodyTime)
            #expect(await client.reply()?.status == 408)
            #expect(await client.isEnded())
            #expect(server.book.count("time body") == 1)
        }
    }

    /// A handler that does not respond does not keep a connection forever. A later response goes nowhere.
    @Test func `a handler that does not respond is a 503`() async throws {
        try await withServer(clock: StoppedClock()) { server in
            let client = try server.client()
            await client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            let responder = try #require(await server.held.next())
            await server.pass(Self.limits.handlerTime)
            let reply = await client.reply()
            #expect(reply?.status == 503)
            #expect(reply?.closes == true)
            responder.respond(Response(.ok, text: "late"))
            #expect(await client.isEnded())
            #expect(server.book.count("time handler") == 1)
        }
    }

    @Test func `an idle connection is closed without a word`() async throws {
        try await withServer(clock: StoppedClock()) { server in
            let client = try server.client()
            #expect(await client.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello")
            #expect(await server.waits { $0.unacknowledged == 0 })
            await server.pass(Self.limits.idleTime)
            #expect(await client.rest() == "")
            #expect(server.book.count("time request") == 1)
        }
    }

    @Test func `a new connection has no longer than a head`() async throws {
        try await withServer(clock: StoppedClock()) { server in
            let client = try server.client()
            #expect(await server.waits { $0.book.opened == 1 })
            await server.pass(Self.limits.headTime)
            #expect(await client.rest() == "")
        }
    }

    /// Each request restarts the idle time. The earlier entry in the wheel finds that there is time left.
    @Test func `a busy connection is not idle`() async throws {
        try await withServer(clock: StoppedClock()) { server in
            let client = try server.client()
            for _ in 0..<6 {
                #expect(await client.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello")
                await server.pass(Self.limits.idleTime * 0.4)
            }
            #expect(await server.waits { $0.unacknowledged == 0 })
            await server.pass(Self.limits.idleTime * 0.6)
            #expect(await client.rest() == "")
            #expect(server.book.count("request") == 6)
        }
    }

    @Test func `a waiting request has no limit`() async throws {
        try await withServer(clock: StoppedClock()) { server in
            let client = try server.client()
            let idle = try server.client()
            await client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            let responder = try #require(await server.held.next())
            #expect(await server.waits { $0.book.opened == 2 })
            // All the limits have passed now, for both connections.
            await server.pass(Self.limits.idleTime)
            #expect(await idle.rest() == "")
            responder.respond(Response(.ok, text: "late"))
            #expect(await client.reply()?.text == "late")
        }
    }

    @Test(arguments: Polling.allCases)
    func `a client that does not read its response is cut off`(_ polling: Polling) async throws {
        try await withServer(polling, clock: StoppedClock()) { server in
            let client = try server.client(window: 32_768)
            await client.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await server.waits { $0.book.count("request") == 1 })
            await server.pass(Self.limits.writeTime)
            #expect(await server.waits { $0.book.closed == 1 })
            #expect(server.book.count("time write") == 1)
            #expect(await client.rest().utf8.count < 8_000_000)
        }
    }

    /// The client does not close, and the server does not wait for it long.
    @Test func `lingering ends after its time`() async throws {
        try await withServer(clock: StoppedClock()) { server in
            let client = try server.client()
            #expect(await client.ask("nonsense\r\n\r\n")?.status == 400)
            #expect(await client.isEnded())
            // The system may take a while to acknowledge the end.
            #expect(await server.waits { $0.unacknowledged == 0 })
            await server.pass(Self.limits.lingerTime)
            #expect(await server.waits { $0.book.closed == 1 })
            #expect(server.book.count("time linger") == 1)
        }
    }
}
