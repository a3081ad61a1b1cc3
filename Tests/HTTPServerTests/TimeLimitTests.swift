// What a slow client is told, and when (RFC 9110 §15.5.9).

import EventLoop
import HTTPServer
import HTTPWire
import Testing

@Suite struct TimeLimitTests {
    private static func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
        var limits = ServerLimits()
        change(&limits)
        return limits
    }

    @Test func aHeadThatDoesNotEndIs408() async throws {
        try await withServer(limits: Self.limits { $0.headTime = .milliseconds(200) }) { server in
            let client = try server.client()
            let start = ContinuousClock.now
            await client.send("GET /hello HTTP/1.1\r\nHost:")
            let reply = await client.reply()
            #expect(reply?.status == 408)
            #expect(reply?.closes == true)
            #expect(await client.isEnded())
            #expect(ContinuousClock.now - start >= .milliseconds(200))
            #expect(server.book.count("time head") == 1)
        }
    }

    /// The time is for the whole head, however many pieces it comes in.
    @Test func drippingDoesNotHelp() async throws {
        try await withServer(limits: Self.limits { $0.headTime = .milliseconds(300) }) { server in
            let client = try server.client()
            let start = ContinuousClock.now
            await client.send("GET /hello HTTP/1.1\r\nHost: a\r\n")
            while server.book.count("time head") == 0, ContinuousClock.now - start < .seconds(10) {
                await client.send("X: y\r\n")
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(await client.reply()?.status == 408)
            #expect(ContinuousClock.now - start < .seconds(5))
        }
    }

    @Test func aBodyThatDoesNotEndIs408() async throws {
        try await withServer(limits: Self.limits { $0.bodyTime = .milliseconds(200) }) { server in
            let client = try server.client()
            let reply = await client.ask("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel")
            #expect(reply?.status == 408)
            #expect(await client.isEnded())
            #expect(server.book.count("time body") == 1)
        }
    }

    /// A handler that does not answer holds no connection for ever; what it says later goes nowhere.
    @Test func aHandlerThatDoesNotAnswerIs503() async throws {
        try await withServer(limits: Self.limits { $0.handlerTime = .milliseconds(200) }) { server in
            let client = try server.client()
            let reply = await client.ask("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(reply?.status == 503)
            #expect(reply?.closes == true)
            let exchange = try #require(await server.held.next())
            exchange.respond(Response(.ok, text: "late"))
            #expect(await client.isEnded())
            #expect(server.book.count("time handler") == 1)
        }
    }

    @Test func anIdleConnectionIsClosedWithoutAWord() async throws {
        let limits = Self.limits {
            $0.idleTime = .milliseconds(200)
            $0.headTime = .seconds(60)
        }
        try await withServer(limits: limits) { server in
            let silent = try server.client()
            #expect(await silent.rest() == "")
            let client = try server.client()
            #expect(await client.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello")
            #expect(await client.rest() == "")
            #expect(server.book.count("time request") == 2)
        }
    }

    @Test func whoeverConnectsHasNoLongerThanForAHead() async throws {
        try await withServer(limits: Self.limits { $0.headTime = .milliseconds(200) }) { server in
            let client = try server.client()
            #expect(await client.rest() == "")
        }
    }

    /// Each request begins the idle time anew; the earlier entry in the wheel finds that there is time left.
    @Test func aBusyConnectionIsNotIdle() async throws {
        try await withServer(limits: Self.limits { $0.idleTime = .milliseconds(800) }) { server in
            let client = try server.client()
            let start = ContinuousClock.now
            var last = start
            // On a machine that is too busy to ask in time, the connection may well be closed.
            while last - start < .milliseconds(1800), ContinuousClock.now - last < .milliseconds(500) {
                last = ContinuousClock.now
                let reply = await client.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
                guard ContinuousClock.now - last < .milliseconds(500) else { break }
                #expect(reply?.text == "hello")
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(await client.rest() == "")
        }
    }

    @Test func aHeldRequestHasNoLimit() async throws {
        let limits = Self.limits {
            $0.idleTime = .milliseconds(100)
            $0.headTime = .milliseconds(100)
            $0.bodyTime = .milliseconds(100)
        }
        try await withServer(limits: limits) { server in
            let client = try server.client()
            let idle = try server.client()
            await client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            let exchange = try #require(await server.held.next())
            // By then all the limits have passed, for the other one and for this.
            #expect(await idle.rest() == "")
            exchange.respond(Response(.ok, text: "late"))
            #expect(await client.reply()?.text == "late")
        }
    }

    @Test(arguments: Polling.allCases) func whoDoesNotTakeHisAnswerIsCutOff(_ polling: Polling) async throws {
        try await withServer(polling, limits: Self.limits { $0.writeTime = .milliseconds(200) }) { server in
            let client = try server.client(window: 32_768)
            await client.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
            await server.waits { $0.book.closed == 1 }
            #expect(server.book.count("time write") == 1)
            #expect(await client.rest().utf8.count < 8_000_000)
        }
    }

    /// The client does not close: the server does not wait for it for long.
    @Test func lingeringEnds() async throws {
        try await withServer(limits: Self.limits { $0.lingerTime = .milliseconds(200) }) { server in
            let client = try server.client()
            #expect(await client.ask("nonsense\r\n\r\n")?.status == 400)
            #expect(await client.isEnded())
            await server.waits { $0.book.closed == 1 }
            #expect(server.book.count("time linger") == 1)
        }
    }
}
