import CSSL
import EventLoop
import Glibc
import HTTPServer
import HTTPWire
import TestSupport
import Testing

/// HTTP through TLS works as without it. Also tests how connections end.
@Suite(.blocking) struct TLSConnectionTests {
    private static let offers = [ClientTLS.Offer.tls12, .tls13]

    @Test(arguments: Polling.allCases, Self.offers) func `connections through TLS stay open and pipeline`(
        _ polling: Polling, _ offer: ClientTLS.Offer
    ) async throws {
        try await withServer(polling, tls: try TLSStage.server()) { server in
            let (client, _, _) = try await server.client(offer)
            let requests = (0..<300).map { "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n\(1000 + $0)" }
            await client.send(requests.joined())
            for number in 0..<300 { #expect(await client.reply()?.text == "POST \(1000 + number)") }
            #expect(await client.ask(TLSStage.question)?.text == "hello")
        }
    }

    @Test(arguments: TestTier.few(Polling.allCases, oneOf: 2), TestTier.few(Self.offers, oneOf: 2))
    func `slow readers get the whole response`(
        _ polling: Polling, _ offer: ClientTLS.Offer
    ) async throws {
        try await withServer(polling, tls: try TLSStage.server()) { server in
            let (client, _, _) = try await server.client(offer, window: 32_768)
            await client.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n\(TLSStage.question)")
            #expect(await client.reply()?.body == TestHandler.big)
            #expect(await client.reply()?.text == "hello")
        }
    }

    @Test func `a waiting request is answered later`() async throws {
        try await withServer(loops: 2, tls: try TLSStage.server()) { server in
            let (client, _, _) = try await server.client(.tls13)
            await client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            let responder = try #require(await server.held.next())
            responder.respond(Response(.ok, text: "late"))
            #expect(await client.reply()?.text == "late")
        }
    }

    // MARK: - Ends

    /// The client learns that the response is complete (RFC 8446 §6.1), whoever closes and why.
    @Test(arguments: Self.offers) func `the server tells a client that it ends`(_ offer: ClientTLS.Offer) async throws {
        try await withServer(tls: try TLSStage.server(), clock: StoppedClock()) { server in
            for question in ["GET /close HTTP/1.1\r\nHost: a\r\n\r\n", TLSStage.question, "nonsense\r\n\r\n"] {
                let (client, tls, _) = try await server.client(offer)
                await client.send(question)
                #expect(await client.reply() != nil)
                // A client that has not acknowledged its response for that long would be cut off.
                #expect(await server.waits { $0.unacknowledged == 0 })
                await server.pass(ServerLimits().idleTime)
                #expect(await client.rest() == "")
                #expect(tls.isEnded)
                #expect(tls.error == "")
            }
        }
    }

    /// Many clients leave without close_notify. Our own close_notify then gets a reset, and no one should wait for
    /// that.
    @Test(arguments: Self.offers, [true, false])
    func `a client that has left is forgotten`(_ offer: ClientTLS.Offer, _ asks: Bool) async throws {
        var limits = ServerLimits()
        (limits.idleTime, limits.lingerTime, limits.writeTime) = (.seconds(3600), .seconds(3600), .seconds(3600))
        try await withServer(limits: limits, tls: try TLSStage.server()) { server in
            for resets in [false, true] {
                let (client, _, _) = try await server.client(offer)
                if asks { #expect(await client.ask(TLSStage.question)?.text == "hello") }
                if resets { await client.reset() }
            }
            #expect(await server.waits { $0.server.openConnections == 0 })
        }
    }

    @Test func `draining tells clients that it ends`() async throws {
        try await withServer(tls: try TLSStage.server()) { server in
            let (client, tls, _) = try await server.client(.tls13)
            #expect(await client.ask(TLSStage.question)?.text == "hello")
            #expect(await server.server.drain(within: Patience.limit))
            #expect(await client.rest() == "")
            #expect(tls.isEnded)
        }
    }

    /// As when a client closes only the sending side of a plain connection: it still gets its response.
    @Test(arguments: Self.offers) func `a client that has ended still gets its response`(_ offer: ClientTLS.Offer)
        async throws
    {
        try await withServer(tls: try TLSStage.server()) { server in
            let (client, tls, _) = try await server.client(offer)
            await client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            let responder = try #require(await server.held.next())
            await client.sendTLS { $0.end() }
            responder.respond(Response(.ok, text: "late"))
            #expect(await client.reply()?.text == "late")
            #expect(await client.rest() == "")
            #expect(tls.isEnded)
        }
    }

    @Test(arguments: [true, false]) func `a handler is told when a client leaves`(_ isPolite: Bool) async throws {
        try await withServer(tls: try TLSStage.server()) { server in
            let (client, _, _) = try await server.client(.tls13)
            await client.send("GET /told?1 HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try #require(await server.held.next())
            if isPolite { await client.sendTLS { $0.end() } } else { client.finishWriting() }
            #expect(await server.gone.next() == "/told?1")
            await server.waits { $0.book.closed == 1 }
        }
    }

    @Test func `an idle client that ends is closed`() async throws {
        try await withServer(tls: try TLSStage.server()) { server in
            let (client, tls, _) = try await server.client(.tls13)
            #expect(await client.ask(TLSStage.question)?.text == "hello")
            await client.sendTLS { $0.end() }
            await server.waits { $0.book.closed == 1 }
            #expect(await client.rest() == "")
            #expect(tls.isEnded)
        }
    }

    /// A record that was changed on its way ends the connection, and none of it is used.
    @Test(arguments: Self.offers) func `a changed record ends the connection`(_ offer: ClientTLS.Offer) async throws {
        try await withServer(tls: try TLSStage.server()) { server in
            let (client, tls, _) = try await server.client(offer)
            #expect(await client.ask(TLSStage.question)?.text == "hello")
            await client.sendTLS { tls in
                var bytes = tls.seal(Array(TLSStage.question.utf8))
                bytes[bytes.count - 1] ^= 1
                return bytes
            }
            #expect(await client.rest() == "")
            #expect(tls.error.contains("bad record mac"))
            #expect(server.book.count("request") == 1)
        }
    }

    /// TLS 1.2: no new handshake on an old connection. TLS 1.3: a client gets new keys as often as it asks.
    @Test func `a new handshake is refused, and new keys are given`() async throws {
        try await withServer(tls: try TLSStage.server()) { server in
            let (fresh, _, _) = try await server.client(.tls13)
            for _ in 0..<10 {
                await fresh.sendTLS { $0.startOver() }
                #expect(await fresh.ask(TLSStage.question)?.text == "hello")
            }
            let (old, tls, _) = try await server.client(.tls12)
            #expect(await old.ask(TLSStage.question)?.text == "hello")
            await old.sendTLS { $0.startOver() }
            _ = await old.rest()
            #expect(tls.error.contains("no renegotiation"), "\(tls.error)")
        }
    }

    // MARK: - Clients that do not begin

    static let plain = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS * HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "g",
        "POST /v1/logins HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + String(repeating: "x", count: 50_000),
    ]

    @Test(arguments: Self.plain) func `a client of plain HTTP is told so`(_ request: String) async throws {
        try await withServer(tls: try TLSStage.server()) { server in
            let client = try server.client()
            let reply = await client.ask(request)
            #expect(reply?.status == 400)
            #expect(reply?.text == "400 this port speaks TLS: use https\n")
            #expect(reply?.closes == true)
            #expect(await client.isEnded())
            #expect(server.book.count("handshake plain_http") == 1)
            #expect(server.book.count("request") == 0)
        }
    }

    @Test(arguments: [0, 1, 5, 100]) func `a slow handshake is cut off`(_ count: Int) async throws {
        try await withServer(tls: try TLSStage.server(), clock: StoppedClock()) { server in
            let tls = try ClientTLS(.tls13)
            _ = tls.handshake()
            let hello = tls.takeOutgoing()
            let client = try server.client()
            await client.sendRaw(Array(hello.prefix(count)))
            #expect(await server.waits { $0.book.opened == 1 && $0.book.count("bytes") == min(count, 1) })
            await server.pass(ServerLimits().headTime)
            #expect(await client.rest() == "")
            #expect(server.book.count("time handshake") == 1)
        }
    }

    /// The time limit is for the whole handshake, however many pieces it comes in.
    @Test func `dripping does not prolong a handshake`() async throws {
        try await withServer(tls: try TLSStage.server(), clock: StoppedClock()) { server in
            let tls = try ClientTLS(.tls13)
            _ = tls.handshake()
            let client = try server.client()
            for (count, byte) in tls.takeOutgoing().prefix(5).enumerated() {
                await client.sendRaw([byte])
                #expect(await server.waits { $0.book.count("bytes") > count })
                await server.pass(ServerLimits().headTime / 5)
            }
            #expect(await client.rest() == "")
            #expect(server.book.count("time handshake") == 1)
        }
    }

    /// Unfinished handshakes take a bounded part of our memory and keep no client out.
    @Test func `half handshakes are bounded`() async throws {
        var limits = ServerLimits()
        limits.handshakes = 20
        try await withServer(loops: 2, limits: limits, tls: try TLSStage.server(), clock: StoppedClock()) { server in
            let (early, _, _) = try await server.client(.tls13)
            var half: [RawClient] = []
            for _ in 0..<100 {
                let tls = try ClientTLS(.tls13)
                _ = tls.handshake()
                half.append(try server.client())
                await half.last?.sendRaw(tls.takeOutgoing())
            }
            #expect(await server.waits { $0.book.count("handshake too_many") == 80 && $0.server.openConnections == 21 })
            let (late, _, isOpen) = try await server.client(.tls13)
            #expect(isOpen)
            for client in [early, late] { #expect(await client.ask(TLSStage.question)?.text == "hello") }
        }
    }

    @Test func `a client that leaves in the middle is counted`() async throws {
        try await withServer(tls: try TLSStage.server()) { server in
            let tls = try ClientTLS(.tls13)
            _ = tls.handshake()
            let client = try server.client()
            await client.sendRaw(tls.takeOutgoing())
            client.finishWriting()
            let silent = try server.client()
            silent.finishWriting()
            await server.waits { $0.book.closed == 2 }
            #expect(server.book.count("handshake ended") == 1)
        }
    }

    /// Without a handshake we cannot say why.
    @Test func `one handshake too many is closed`() async throws {
        var limits = ServerLimits()
        limits.connections = 1
        try await withServer(limits: limits, tls: try TLSStage.server()) { server in
            let (client, _, _) = try await server.client(.tls13)
            let (_, _, isOpen) = try await server.client(.tls13)
            #expect(!isOpen)
            #expect(server.book.count("refused too_many_connections") == 1)
            #expect(await client.ask(TLSStage.question)?.text == "hello")
        }
    }

    /// Runs in its own process, so that the memory is that of TLS alone.
    @Test(.enabled(if: TestTier.isWhole, "thousands of handshakes (SWITCHBACK_TEST_ALL=1)"))
    func `thousands of connections leave nothing behind`() async {
        await #expect(processExitsWith: .success) {
            endProcess(afterMinutes: 10)
            try await withServer(tls: try TLSStage.server()) { server in
                var sizes: [Int] = []
                for _ in 0..<4 {
                    for number in 0..<1000 {
                        let offer = number % 2 == 0 ? ClientTLS.Offer.tls12 : .tls13
                        let (client, _, _) = try await server.client(offer)
                        if number % 3 > 0 { _ = await client.ask(TLSStage.question) }
                        if number % 5 == 0 { await client.reset() }
                    }
                    await server.waits { $0.server.openConnections == 0 }
                    sizes.append(try ResidentMemory.kilobytes())
                }
                // The first thousand fill pools and tables.
                try #require(sizes[3] - sizes[1] < 4096, "\(sizes)")
            }
            exit(EXIT_SUCCESS)
        }
    }
}
