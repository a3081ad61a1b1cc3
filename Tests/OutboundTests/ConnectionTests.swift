import EventLoop
import Glibc
import Outbound
import Synchronization
import TestSupport
import Testing

/// Connections are reused, limited, and released.
@Suite(.blocking) struct ConnectionTests {
    static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    static func keepAlive(pause: UInt32 = 0) throws -> FaultServer {
        try FaultServer { connection in
            while connection.readRequest() != nil {
                if pause > 0 { connection.pause(milliseconds: pause) }
                guard connection.write(Self.ok) else { return }
            }
        }
    }

    @Test func `a connection is used again`() async throws {
        let server = try Self.keepAlive()
        defer { server.stop() }
        try await withClient { client in
            for _ in 0..<20 {
                let response = try await client.send(OutboundRequest(url: server.url))
                #expect(response.text == "ok")
            }
        }
        #expect(server.accepted == 1)
    }

    @Test func `there are no more connections than allowed`() async throws {
        let server = try Self.keepAlive(pause: 20)
        defer { server.stop() }
        try await withClient(change: { $0.maxConnections = 3 }) { client in
            try await withThrowingTaskGroup { group in
                for _ in 0..<30 {
                    group.addTask { try await client.send(OutboundRequest(url: server.url)).text }
                }
                for try await text in group { #expect(text == "ok") }
            }
        }
        #expect(server.peak <= 3)
        #expect(server.accepted <= 3)
    }

    @Test func `bytes that are left over on a connection are not the next response`() async throws {
        let server = try FaultServer { connection in
            while connection.readRequest() != nil {
                guard connection.write(Self.ok + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil") else { return }
            }
        }
        defer { server.stop() }
        try await withClient { client in
            for _ in 0..<5 {
                let response = try await client.send(OutboundRequest(url: server.url))
                #expect(response.text == "ok")
            }
        }
    }

    /// A request that may happen once never meets a connection that the server is about to close.
    @Test func `a request that may happen once has its own connection`() async throws {
        let server = try FaultServer(answer: Self.ok)
        defer { server.stop() }
        try await withClient { client in
            for _ in 0..<10 {
                let response = try await client.send(OutboundRequest(method: .post, url: server.url, body: [1]))
                #expect(response.text == "ok")
            }
        }
        #expect(server.accepted == 10)
    }

    @Test func `names on loopback can be reached`() async throws {
        let server = try Self.keepAlive()
        defer { server.stop() }
        try await withClient { client in
            let request = OutboundRequest(url: "http://localhost:\(server.port)/")
            let response = try await client.send(request)
            #expect(response.text == "ok")
        }
    }

    @Test func `two hundred requests at once give everything back`() async throws {
        let server = try Self.keepAlive(pause: 5)
        defer { server.stop() }
        let loop = try EventLoop(name: "test")
        defer { loop.close() }
        var settings = OutboundSettings(allowedHosts: ["127.0.0.1"])
        settings.allowInsecureLoopback = true
        settings.maxConnections = 200
        let before = Self.connections(to: server.port)
        let client = try OutboundClient(loop: loop, settings: settings)
        for _ in 0..<3 {
            try await withThrowingTaskGroup { group in
                for _ in 0..<200 {
                    group.addTask { try await client.send(OutboundRequest(url: server.url)).text }
                }
                for try await text in group { #expect(text == "ok") }
            }
        }
        #expect(server.accepted <= 200)
        await client.close()
        #expect(Self.connections(to: server.port) == before)
    }

    /// A client that ends without `close` releases its connections too.
    @Test func `a client that ends without close releases its connections`() async throws {
        let server = try Self.keepAlive()
        defer { server.stop() }
        let loop = try EventLoop(name: "test")
        defer { loop.close() }
        var settings = OutboundSettings(allowedHosts: ["127.0.0.1"])
        settings.allowInsecureLoopback = true
        _ = try await OutboundClient(loop: loop, settings: settings).send(OutboundRequest(url: server.url))
        // The loop works in order, so this runs after the release.
        await withCheckedContinuation { continuation in loop.execute { continuation.resume() } }
        #expect(Self.connections(to: server.port) == 0)
    }

    /// Returns how many descriptors of this process are connected to a server's `port`.
    static func connections(to port: UInt16) -> Int {
        (0..<4096).count { descriptor in
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(Int32(descriptor), $0, &length) }
            }
            return code == 0 && address.sin_family == sa_family_t(AF_INET)
                && UInt16(bigEndian: address.sin_port) == port
        }
    }
}
