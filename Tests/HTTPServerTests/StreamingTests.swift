import Dispatch
import EventLoop
import HTTPServer
import HTTPWire
import TestSupport
import Testing

/// Responses in parts, from any thread, to readers of every kind.
@Suite(.blocking) struct StreamingTests {
    private static func part(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(arguments: Polling.allCases) func `a stream comes in chunks`(_ polling: Polling) async throws {
        try await withServer(polling) { server in
            let client = try server.client()
            await client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            let stream = try #require(await server.held.next()).begin(Response(.ok, text: "left out"))
            let head = try #require(await client.reply(hasBody: false))
            #expect(head.fields["transfer-encoding"] == "chunked")
            #expect(head.fields["content-length"] == nil)
            #expect(!head.closes)
            stream.send(Self.part("one"))
            #expect(await client.sip(8) == 8, "3, one: sent at once")
            stream.send([])
            stream.send(Self.part("two"))
            stream.end()
            stream.send(Self.part("three"))
            stream.end()
            // The next request uses the same connection.
            await client.send("GET /close HTTP/1.1\r\nHost: a\r\n\r\n")
            let rest = await client.rest()
            #expect(rest.hasPrefix("3\r\ntwo\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n"))
            #expect(rest.hasSuffix("bye"))
            #expect(server.book.count("response 200") == 2)
        }
    }

    @Test func `to the old version a stream ends with its connection`() async throws {
        try await withServer { server in
            let client = try server.client()
            await client.send("GET /held HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n")
            let stream = try #require(await server.held.next()).begin(Response(.ok, text: ""))
            stream.send(Self.part("one"))
            stream.send(Self.part("two"))
            stream.end()
            let rest = await client.rest()
            #expect(rest.contains("Connection: close\r\n"))
            #expect(!rest.contains("Transfer-Encoding"))
            #expect(rest.hasSuffix("\r\n\r\nonetwo"))
        }
    }

    @Test func `HEAD gets only the head of a stream`() async throws {
        try await withServer { server in
            let client = try server.client()
            await client.send("HEAD /held HTTP/1.1\r\nHost: a\r\n\r\n")
            let stream = try #require(await server.held.next()).begin(Response(.ok, text: ""))
            stream.send(Self.part("nothing"))
            stream.end()
            #expect(await client.reply(hasBody: false)?.fields["transfer-encoding"] == "chunked")
            #expect(await client.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello")
        }
    }

    @Test(arguments: Polling.allCases) func `parts come from another thread`(_ polling: Polling) async throws {
        try await withServer(polling) { server in
            let client = try server.client()
            await client.send("GET /held HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let responder = try #require(await server.held.next())
            DispatchQueue.global().async { @Sendable in
                let stream = responder.begin(Response(.ok, text: ""))
                for number in 0..<1000 { stream.send(Self.part("\(number % 10)")) }
                stream.end()
                responder.respond(Response(.ok, text: "too late"))
            }
            let rest = await client.rest()
            #expect(rest.hasSuffix("1\r\n9\r\n0\r\n\r\n"))
            #expect(rest.split(separator: "\r\n").filter { $0 == "7" }.count == 100)
        }
    }

    /// A finished response cannot begin again, and one that has begun in parts cannot be replaced.
    @Test func `only the first response counts`() async throws {
        try await withServer { server in
            let client = try server.client()
            await client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            let responder = try #require(await server.held.next())
            responder.respond(Response(.ok, text: "whole"))
            responder.begin(Response(.ok, text: "")).send(Self.part("part"))
            #expect(await client.reply()?.text == "whole")
            await client.send("GET /held HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let second = try #require(await server.held.next())
            let stream = second.begin(Response(.ok, text: ""))
            second.respond(Response(.ok, text: "whole"))
            _ = second.begin(Response(.ok, text: "again"))
            stream.end()
            #expect(await client.rest().hasSuffix("\r\n\r\n0\r\n\r\n"))
        }
    }

    @Test(arguments: Polling.allCases) func `a reader that leaves is noticed`(_ polling: Polling) async throws {
        try await withServer(polling) { server in
            var client: RawClient? = try server.client()
            await client?.send("GET /told HTTP/1.1\r\nHost: a\r\n\r\n")
            let stream = try #require(await server.held.next()).begin(Response(.ok, text: ""))
            _ = await client?.reply(hasBody: false)
            client = nil
            #expect(await server.gone.next() == "/told")
            stream.send(Self.part("nobody hears"))
            stream.end()
            #expect(server.server.openConnections == 0)
        }
    }

    /// Its parts wait longer than `writeTime`.
    @Test func `a reader that does not read is cut off`() async throws {
        var limits = ServerLimits()
        limits.unsent = .max
        try await withServer(limits: limits, clock: StoppedClock()) { server in
            let client = try server.client(window: 32_768)
            await client.send("GET /told HTTP/1.1\r\nHost: a\r\n\r\n")
            let stream = try #require(await server.held.next()).begin(Response(.ok, text: ""))
            for _ in 0..<10 { stream.send(TestHandler.big) }
            await server.pass(limits.writeTime)
            #expect(await server.gone.next() == "/told")
            #expect(server.book.count("time write") == 1)
            stream.send(Self.part("nobody hears"))
        }
    }

    /// We keep only a bounded amount for a client that does not read, however long `writeTime` is.
    @Test func `a reader that lets too much wait is cut off at once`() async throws {
        var limits = ServerLimits()
        limits.writeTime = .seconds(600)
        try await withServer(limits: limits) { server in
            let client = try server.client(window: 32_768)
            await client.send("GET /told HTTP/1.1\r\nHost: a\r\n\r\n")
            let stream = try #require(await server.held.next()).begin(Response(.ok, text: ""))
            let part = [UInt8](repeating: 65, count: 16 * 1024)
            for _ in 0..<1000 { stream.send(part) }
            #expect(await server.gone.next() == "/told")
        }
    }

    /// A client that reads, however slowly between two parts, is not cut off.
    @Test func `a reader that reads is not cut off`() async throws {
        try await withServer(clock: StoppedClock()) { server in
            let client = try server.client()
            await client.send("GET /held HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let stream = try #require(await server.held.next()).begin(Response(.ok, text: ""))
            _ = await client.reply(hasBody: false)
            for _ in 0..<5 {
                stream.send(Self.part("."))
                #expect(await client.count(atMost: 6) == 6)
                await server.pass(ServerLimits().idleTime)
            }
            stream.end()
            #expect(await client.rest() == "0\r\n\r\n")
        }
    }

    /// When the server stops, a stream that has begun runs until its handler ends it. Then its connection closes.
    @Test func `a drain waits for the end of streams`() async throws {
        try await withServer { server in
            let client = try server.client()
            await client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            let stream = try #require(await server.held.next()).begin(Response(.ok, text: ""))
            _ = await client.reply(hasBody: false)
            async let isDrained = server.server.drain(within: Patience.limit)
            #expect(await server.waits { _ in (try? server.client()) == nil })
            stream.send(Self.part("last"))
            stream.end()
            #expect(await client.rest() == "4\r\nlast\r\n0\r\n\r\n")
            #expect(await isDrained)
        }
    }

    @Test func `a forged field of a stream is a 500`() async throws {
        try await withServer { server in
            let client = try server.client()
            await client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            let responder = try #require(await server.held.next())
            let stream = responder.begin(Response(.ok, fields: [.location: "/\r\nSet-Cookie: a=b"], body: []))
            stream.send(Self.part("no"))
            #expect(await client.reply()?.status == 500)
            #expect(await client.isEnded())
        }
    }
}
