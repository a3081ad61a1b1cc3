import EventLoop
import HTTPServer
import HTTPWire
import TestSupport
import Testing

/// Connections that begin with a PROXY header: who their client is, and what happens without a header or with a bad
/// one.
@Suite(.blocking) struct ProxiedConnectionTests {
    static let loopback = TrustedPeer("127.0.0.1/32").map { [$0] } ?? []
    private static let client = "PROXY TCP4 192.0.2.7 198.51.100.1 56324 443\r\n"
    private static let ask = "GET /peer HTTP/1.1\r\nHost: a\r\n\r\n"

    /// The header, and the client that it names.
    static let headers: [([UInt8], String)] = [
        (Array(client.utf8), "192.0.2.7"), (Array("PROXY TCP6 2001:db8::7 ::1 1 2\r\n".utf8), "2001:db8::7"),
        (Array("PROXY UNKNOWN\r\n".utf8), "127.0.0.1"),
        (
            Array("\r\n\r\n\0\r\nQUIT\n".utf8) + [0x21, 0x11, 0, 12, 192, 0, 2, 8, 198, 51, 100, 1, 0, 1, 0, 2],
            "192.0.2.8"
        ),
        (Array("\r\n\r\n\0\r\nQUIT\n".utf8) + [0x20, 0, 0, 0], "127.0.0.1"),
    ]

    @Test(arguments: headers)
    func `the client is the one that the header names`(_ header: [UInt8], _ peer: String) async throws {
        try await withServer(proxies: Self.loopback) { server in
            for pieces in [Int.max, 1] {
                let client = try server.client()
                await client.send(header + Array(Self.ask.utf8), piecesOf: pieces)
                #expect(await client.reply()?.text == peer)
                #expect(await client.ask(Self.ask)?.text == peer, "once for all requests")
            }
        }
    }

    /// The header is unencrypted and comes before the handshake.
    @Test(arguments: headers) func `TLS begins behind the header`(_ header: [UInt8], _ peer: String) async throws {
        try await withServer(proxies: Self.loopback, tls: try TLSStage.server()) { server in
            let client = try server.client()
            await client.send(header)
            #expect(await client.begin(try ClientTLS(.tls13)))
            #expect(await client.ask(Self.ask)?.text == peer)
        }
    }

    /// Such bytes may mean anything, so the server closes without a response.
    @Test(arguments: [
        "GET /peer HTTP/1.1\r\nHost: a\r\n\r\n", "PROXY TCP4 192.0.2.7\r\n", "PROXY TCP4 192.0.2.7 192.0.2.8 1 2\n",
        "PROXY " + String(repeating: "a", count: 200), "\r\n\r\n\0\r\nQUIT\n\u{31}", "\u{16}\u{3}\u{1}",
    ]) func `another beginning ends the connection without a word`(_ text: String) async throws {
        try await withServer(proxies: Self.loopback) { server in
            let client = try server.client()
            await client.send(text)
            #expect(await client.rest() == "")
            #expect(await server.book.waits { $0.count("refused bad_proxy_header") == 1 })
            #expect(server.book.count("request") == 0)
        }
    }

    @Test func `a client that is no proxy is sent away`() async throws {
        try await withServer(proxies: Self.loopback) { server in
            let client = try server.client(from: "127.0.0.2")
            await client.send(Self.client + Self.ask)
            #expect(await client.rest() == "")
            #expect(server.book.count("refused not_from_proxy") == 1)
            #expect(server.book.opened == 0)
        }
    }

    /// Without proxies it is just a bad request line (RFC 9112).
    @Test func `without proxies a header is no request`() async throws {
        try await withServer { server in
            let client = try server.client()
            #expect(await client.ask(Self.client + Self.ask)?.status == 400)
        }
    }

    @Test func `a second header is no request`() async throws {
        try await withServer(proxies: Self.loopback) { server in
            let client = try server.client()
            #expect(await client.ask(Self.client + Self.client + Self.ask)?.status == 400)
        }
    }

    @Test(arguments: ["", "PROXY TCP4 192.0.2.7 ", client])
    func `a header is not awaited for long`(_ text: String) async throws {
        try await withServer(proxies: Self.loopback, clock: StoppedClock()) { server in
            let client = try server.client()
            await client.send(text)
            #expect(await server.waits { $0.book.opened == 1 && $0.book.count("bytes") == (text.isEmpty ? 0 : 1) })
            await server.pass(ServerLimits().headTime)
            #expect(await client.rest() == "")
            #expect(server.book.count("time request") == 1)
        }
    }

    @Test func `an end within the header is no fault`() async throws {
        try await withServer(proxies: Self.loopback) { server in
            let client = try server.client()
            await client.send("PROXY TCP4 192")
            client.finishWriting()
            #expect(await client.rest() == "")
        }
    }

    /// The limit for an address applies to the client, not to the proxy.
    @Test func `connections are counted for the client`() async throws {
        var limits = ServerLimits()
        limits.connections = 5
        limits.connectionsPerAddress = 1
        try await withServer(limits: limits, proxies: Self.loopback) { server in
            var first: RawClient? = try server.client()
            #expect(await first?.ask(Self.client + Self.ask)?.text == "192.0.2.7")
            let other = try server.client()
            #expect(await other.ask("PROXY TCP4 192.0.2.9 192.0.2.1 1 2\r\n" + Self.ask)?.text == "192.0.2.9")
            let second = try server.client()
            let reply = await second.ask(Self.client + Self.ask)
            #expect(reply?.status == 503)
            #expect(reply?.closes == true)
            #expect(await second.isEnded())
            #expect(server.book.count("refused too_many_from_address") == 1)
            // The proxy's own health checks count for no client.
            let looks = try (0..<3).map { _ in try server.client() }
            for look in looks { #expect(await look.ask("PROXY UNKNOWN\r\n" + Self.ask)?.text == "127.0.0.1") }
            first = nil
            await server.waits { $0.book.closed == 2 }
            #expect(try await server.client().ask(Self.client + Self.ask)?.text == "192.0.2.7")
        }
    }

    @Test func `one connection too many is told so`() async throws {
        var limits = ServerLimits()
        limits.connections = 0
        try await withServer(limits: limits, proxies: Self.loopback) { server in
            let client = try server.client()
            #expect(await client.ask(Self.client + Self.ask)?.status == 503)
        }
    }

    @Test func `stopping closes the connections that have said nothing`() async throws {
        try await withServer(proxies: Self.loopback) { server in
            let client = try server.client()
            await client.send("PROXY TCP4 ")
            #expect(await server.book.waits { $0.count("bytes") >= 1 })
            #expect(await server.server.drain(within: Patience.limit))
            #expect(await client.rest() == "")
        }
    }

    /// Uses a real HAProxy, which also checks whether the server is alive.
    @Test(.enabled(if: TestTier.isWhole), arguments: ["send-proxy", "send-proxy-v2", "send-proxy-v2-ssl"])
    func `HAProxy names the client`(_ option: String) async throws {
        try await withServer(proxies: Self.loopback) { server in
            let front = try HAProxyFront(upstream: server.port, options: "\(option) check inter 200ms")
            defer { front.stop() }
            let client = try RawClient(port: front.port, from: "127.0.0.5")
            #expect(await client.ask(Self.ask)?.text == "127.0.0.5")
            #expect(await client.ask(Self.ask)?.text == "127.0.0.5")
            #expect(await server.book.waits { $0.opened >= 3 }, "its checks are taken")
            #expect(server.book.count("refused bad_proxy_header") == 0)
        }
    }
}
