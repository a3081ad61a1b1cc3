import Outbound
import Synchronization
import TestSupport
import Testing

/// What libcurl does by itself when a connection ends, and what it must not do.
@Suite(.blocking) struct DeliveryTests {
    /// How the server ends a connection, and after how many bytes of its response.
    struct Death: Sendable, CustomTestStringConvertible {
        let byte: Int
        let isReset: Bool
        /// Whether the request finds a connection that was used before.
        let isKept: Bool

        var testDescription: String {
            "\(self.isKept ? "kept" : "fresh") \(self.isReset ? "reset" : "end") at \(self.byte)"
        }
    }

    /// A server that responds to `/warm`, and ends the connection on everything else.
    final class DyingServer: Sendable {
        let server: FaultServer
        private let seen: Box

        private final class Box: Sendable {
            let count = Atomic(0)
            let warmCount = Atomic(0)
        }

        init(_ death: Death) throws {
            let seen = Box()
            self.seen = seen
            self.server = try FaultServer { connection in
                var isWarm = false
                while let request = connection.readRequest() {
                    guard !request.contains(" /warm ") else {
                        connection.write(ConnectionTests.ok)
                        isWarm = true
                        continue
                    }
                    seen.count.add(1, ordering: .relaxed)
                    if isWarm { seen.warmCount.add(1, ordering: .relaxed) }
                    connection.write(Array(ConnectionTests.ok.utf8.prefix(death.byte)))
                    if death.isReset { connection.reset() }
                    return
                }
            }
        }

        var count: Int { self.seen.count.load(ordering: .relaxed) }
        /// How many of them came on a connection that was used before.
        var warmCount: Int { self.seen.warmCount.load(ordering: .relaxed) }
    }

    static let deaths = [false, true].flatMap { isKept in
        [false, true].flatMap { isReset in
            (0..<ConnectionTests.ok.utf8.count).map { Death(byte: $0, isReset: isReset, isKept: isKept) }
        }
    }

    private static func seen(_ death: Death, _ request: (String) -> OutboundRequest) async throws -> Int {
        let dying = try DyingServer(death)
        defer { dying.server.stop() }
        try await withClient { client in
            if death.isKept { _ = try await client.send(OutboundRequest(url: dying.server.url + "warm")) }
            _ = try? await client.send(request(dying.server.url + "once"))
        }
        return dying.count
    }

    @Test(arguments: deaths) func `a request sent at most once is seen once`(_ death: Death) async throws {
        #expect(try await Self.seen(death) { OutboundRequest(method: .post, url: $0, body: [1]) } == 1)
        #expect(try await Self.seen(death) { OutboundRequest(method: .post, url: $0) } == 1)
        #expect(try await Self.seen(death) { OutboundRequest(delivery: .atMostOnce, url: $0) } == 1)
    }

    /// The caller has to know that the request may have arrived: it must not send it again.
    @Test(arguments: deaths) func `a connection that ends is named`(_ death: Death) async throws {
        let dying = try DyingServer(death)
        defer { dying.server.stop() }
        try await withClient { client in
            if death.isKept { _ = try await client.send(OutboundRequest(url: dying.server.url + "warm")) }
            let error = await #expect(throws: OutboundError.self) {
                try await client.send(OutboundRequest(method: .post, url: dying.server.url + "once", body: [1]))
            }
            let isStatusComplete = death.byte >= "HTTP/1.1 200 OK\r\n".utf8.count
            #expect(error?.name == (isStatusComplete ? "broken" : "closed"))
            #expect(dying.count == 1)
            #expect(dying.warmCount == 0, "it has a connection of its own")
        }
    }

    /// The server reads the whole request, takes its time, and resets: the code may be redeemed.
    @Test func `a late reset is not repeated`() async throws {
        let seen = Atomic(0)
        let server = try FaultServer { connection in
            while let request = connection.readRequest() {
                guard request.contains(" /once ") else {
                    connection.write(ConnectionTests.ok)
                    continue
                }
                seen.add(1, ordering: .relaxed)
                connection.pause(milliseconds: 300)
                return connection.reset()
            }
        }
        defer { server.stop() }
        try await withClient { client in
            _ = try await client.send(OutboundRequest(url: server.url))
            let error = await #expect(throws: OutboundError.self) {
                try await client.send(OutboundRequest(method: .post, url: server.url + "once", body: [1]))
            }
            #expect(error?.name == "closed")
        }
        #expect(seen.load(ordering: .relaxed) == 1)
    }

    /// The body is larger than libcurl's buffer, so it is read in pieces.
    @Test(arguments: [1, 16_384, 65_536, 200_000]) func `the whole body arrives`(_ size: Int) async throws {
        let body = (0..<size).map { UInt8(0x20 + $0 % 90) }
        let server = try FaultServer { connection in
            while let request = connection.readRequest() {
                let isWhole = request.utf8.suffix(body.count).elementsEqual(body)
                guard connection.write(isWhole ? ConnectionTests.ok : "HTTP/1.1 400 No\r\nContent-Length: 0\r\n\r\n")
                else { return }
            }
        }
        defer { server.stop() }
        try await withClient { client in
            for _ in 0..<3 {
                let request = OutboundRequest(method: .post, url: server.url, body: body)
                let response = try await client.send(request)
                #expect(response.status == 200)
            }
        }
    }

    /// The caller should not notice that a persistent connection had just been closed.
    @Test func `an idempotent request is sent again`() async throws {
        let death = Death(byte: 0, isReset: false, isKept: true)
        #expect(try await Self.seen(death) { OutboundRequest(url: $0) } == 2)
    }

    /// An idempotent request reuses the connection that an at-most-once request opened.
    @Test func `the connection of such a request is kept`() async throws {
        let server = try ConnectionTests.keepAlive()
        defer { server.stop() }
        try await withClient { client in
            _ = try await client.send(OutboundRequest(method: .post, url: server.url))
            _ = try await client.send(OutboundRequest(url: server.url))
            _ = try await client.send(OutboundRequest(method: .post, url: server.url))
        }
        #expect(server.accepted == 2)
    }
}
