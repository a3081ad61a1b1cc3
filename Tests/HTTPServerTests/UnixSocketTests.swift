import Base
import Dispatch
import EventLoop
import Foundation
import HTTPWire
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// A server that listens on a Unix socket: who its clients are, how they leave, and what happens to the file.
@Suite(.blocking) struct UnixSocketTests {
    private static let hello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let peer = "GET /peer HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test(arguments: Polling.allCases) func `a Unix socket is served like a port`(_ polling: Polling) async throws {
        try await Self.withSocket(polling) { server in
            let client = try server.client()
            #expect(await client.ask(Self.hello)?.text == "hello")
            #expect(await client.ask(Self.peer)?.text == "unix", "the peer has no address")
            let body = String(repeating: "x", count: 60_000)
            let reply = await client.ask("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n\(body)")
            #expect(reply?.text == "POST \(body)")
            await client.send("GET /big HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(await client.sip(1) == 1)
            #expect(await client.count(atMost: .max) > TestHandler.big.count, "the last answer is read to its end")
        }
    }

    @Test func `TLS works on a Unix socket`() async throws {
        try await Self.withSocket(tls: try TLSStage.server()) { server in
            let (client, _, isOpen) = try await server.client(.tls13)
            #expect(isOpen)
            #expect(await client.ask(Self.hello)?.text == "hello")
        }
    }

    /// The connections share no address, because they have none.
    @Test func `connections are not counted for an address`() async throws {
        var limits = ServerLimits()
        limits.connectionsPerAddress = 1
        try await Self.withSocket(limits: limits) { server in
            let clients = try (0..<3).map { _ in try server.client() }
            for client in clients { #expect(await client.ask(Self.hello)?.text == "hello") }
        }
    }

    @Test(arguments: [
        ("PROXY TCP4 192.0.2.7 198.51.100.1 56324 443\r\n", "192.0.2.7"), ("PROXY UNKNOWN\r\n", "unix"),
    ]) func `a trusted proxy names the client`(_ header: String, _ name: String) async throws {
        try await Self.withSocket(proxies: ["10.0.0.0/8", "unix"].compactMap { TrustedPeer($0) }) { server in
            let client = try server.client()
            #expect(await client.ask(header + Self.peer)?.text == name)
        }
    }

    /// This holds even where every address is trusted.
    @Test func `a proxy is trusted by the word only`() async throws {
        try await Self.withSocket(proxies: ["0.0.0.0/0", "::/0"].compactMap { TrustedPeer($0) }) { server in
            let client = try server.client()
            await client.send("PROXY TCP4 192.0.2.7 198.51.100.1 56324 443\r\n" + Self.peer)
            #expect(await client.rest() == "")
            #expect(server.book.count("refused not_from_proxy") == 1)
        }
    }

    // MARK: Leaving

    /// As with TCP, a request is handled even if its client has left since.
    @Test(arguments: Polling.allCases)
    func `a request is read after its client has left`(_ polling: Polling) async throws {
        try await Self.withSocket(polling) { server in
            var client: RawClient? = try server.client()
            #expect(await client?.ask(Self.hello)?.text == "hello")
            let (isBlocked, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            server.loops[0].execute {
                isBlocked.signal()
                goesOn.wait()
            }
            await Self.wait(for: isBlocked)
            await client?.send(Self.hello)
            client = nil
            goesOn.signal()
            #expect(await server.waits { $0.book.closed == 1 })
            #expect(server.book.count("request") == 2)
        }
    }

    @Test(arguments: Polling.allCases)
    func `a handler is told when the client leaves`(_ polling: Polling) async throws {
        try await Self.withSocket(polling) { server in
            var client: RawClient? = try server.client()
            await client?.send("GET /told HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try #require(await server.held.next())
            client = nil
            #expect(await server.gone.next() == "/told")
            #expect(await server.waits { $0.book.closed == 1 })
        }
    }

    @Test(arguments: Polling.allCases) func `a client that does not read is cut off`(_ polling: Polling) async throws {
        try await Self.withSocket(polling, clock: StoppedClock()) { server in
            let client = try server.client()
            await client.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await server.waits { $0.book.count("request") == 1 })
            await server.pass(ServerLimits().writeTime)
            #expect(await server.waits { $0.book.closed == 1 })
            #expect(server.book.count("time write") == 1)
            #expect(await client.count(atMost: .max) < TestHandler.big.count)
        }
    }

    /// Bytes that the peer has not read count as undelivered, like unacknowledged bytes with TCP.
    @Test func `a response is read before the connection closes`() async throws {
        try await Self.withSocket(clock: StoppedClock()) { server in
            var client: RawClient? = try server.client()
            await client?.send("GET /page HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(await server.book.waits { $0.count("response 200") == 1 })
            await server.pass(ServerLimits().lingerTime)
            await server.pass(.zero)
            #expect(await server.book.waits { $0.count("time linger") == 1 })
            #expect(server.book.closed == 0)
            #expect(await client?.reply()?.body == TestHandler.page)
            client = nil
            #expect(await server.waits { $0.book.closed == 1 })
            #expect(server.book.count("time write") == 0)
        }
    }

    // MARK: The file

    @Test func `the socket file belongs to user and group and goes with the server`() async throws {
        try await Self.withFolder { folder in
            let path = "\(folder)/http.sock"
            try await withServer(at: "unix:\(path)") { server in
                #expect(Self.mode(path) == 0o660)
                #expect(server.place == .unix(path: path))
                var client: RawClient? = try server.client()
                await client?.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
                let responder = try #require(await server.held.next())
                server.server.stopAccepting()
                #expect(await server.waits { _ in Self.mode(path) == nil }, "while requests are still answered")
                responder.respond(Response(.ok, text: "late"))
                #expect(await client?.reply()?.text == "late")
                client = nil
            }
        }
    }

    @Test func `the socket of a dead server is replaced`() async throws {
        try await Self.withFolder { folder in
            try UnixSocket.stale(at: "\(folder)/http.sock")
            try await withServer(at: "unix:\(folder)/http.sock") { server in
                let client = try server.client()
                #expect(await client.ask(Self.hello)?.text == "hello")
            }
        }
    }

    @Test func `another server is left alone`() async throws {
        try await Self.withSocket { server in
            let loop = try EventLoop(name: "test")
            defer { loop.close() }
            let second = HTTPServer(listen: server.place, loops: [loop], handler: TestHandler())
            #expect(throws: OperatorError.addressInUse(server.place)) { try second.start() }
            await second.close()
            let client = try server.client()
            #expect(await client.ask(Self.hello)?.text == "hello")
        }
    }

    /// A program that does not accept counts as busy too, because the system accepts for it.
    @Test func `a program that is busy is left alone`() async throws {
        try await Self.withFolder { folder in
            let (path, loop) = ("\(folder)/http.sock", try EventLoop(name: "test"))
            defer { loop.close() }
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            defer { close(descriptor) }
            #expect(UnixSocket.call(bind, descriptor, path) && listen(descriptor, 0) == 0)
            let filling = try RawClient(path: path)
            let server = HTTPServer(listen: .unix(path: path), loops: [loop], handler: TestHandler())
            #expect(throws: OperatorError.addressInUse(.unix(path: path))) { try server.start() }
            _ = filling
        }
    }

    /// We delete nothing that may still be needed: no file, no folder, and no link, even to a dead socket.
    @Test(arguments: ["file", "folder", "link"]) func `what is no socket is left alone`(_ kind: String) async throws {
        try await Self.withFolder { folder in
            let (path, loop) = ("\(folder)/http.sock", try EventLoop(name: "test"))
            defer { loop.close() }
            switch kind {
            case "file": try "precious".write(toFile: path, atomically: true, encoding: .utf8)
            case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            default:
                try UnixSocket.stale(at: "\(folder)/dead.sock")
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "\(folder)/dead.sock")
            }
            let before = Self.status(path)?.st_ino
            let server = HTTPServer(listen: .unix(path: path), loops: [loop], handler: TestHandler())
            #expect(throws: OperatorError.notSocket(.unix(path: path))) { try server.start() }
            await server.close()
            #expect(before != nil && Self.status(path)?.st_ino == before)
        }
    }

    @Test func `the file of a successor is not removed`() async throws {
        try await Self.withFolder { folder in
            let path = "\(folder)/http.sock"
            try await withServer(at: "unix:\(path)") { first in
                try FileManager.default.removeItem(atPath: path)
                try await withServer(at: "unix:\(path)") { second in
                    await first.server.close()
                    let client = try second.client()
                    #expect(await client.ask(Self.hello)?.text == "hello")
                }
            }
            #expect(Self.mode(path) == nil)
        }
    }

    /// When many servers start over the socket of a dead one, exactly one gets it, and clients reach that one.
    @Test func `of many servers that start at once, one has the socket`() async throws {
        try await Self.withFolder { folder in
            let path = "\(folder)/http.sock"
            for _ in 0..<40 {
                try UnixSocket.stale(at: path)
                let opened = Mutex<[OneTimeTransfer<ListeningSocket>]>([])
                DispatchQueue.concurrentPerform(iterations: 4) { _ in
                    guard let socket = try? ListeningSocket.open(.unix(path: path), sharesPort: false) else { return }
                    opened.withLock { [handover = OneTimeTransfer(socket)] in $0.append(handover) }
                }
                #expect(opened.withLock { $0.count } == 1)
                #expect((try? RawClient(path: path)) != nil)
                opened.withLock { $0 = [] }
                unlink(path)
            }
        }
    }

    @Test func `an error says why the socket cannot be made`() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.close() }
        let nowhere = ListenAddress.unix(path: "/nonexistent/http.sock")
        let server = HTTPServer(listen: nowhere, loops: [loop], handler: TestHandler())
        #expect(throws: OperatorError.noFolder(nowhere)) { try server.start() }
        #expect("\(OperatorError.noFolder(nowhere))".hasPrefix("the folder of unix:/nonexistent/http.sock does"))
        #expect("\(OperatorError.notPermitted(nowhere))".contains("the socket /nonexistent/http.sock or replace"))
    }

    /// systemd made the file, and keeps it for the next process.
    @Test func `an inherited socket keeps its file`() async throws {
        try await Self.withFolder { folder in
            let (path, loop) = ("\(folder)/http.sock", try EventLoop(name: "test"))
            defer { loop.close() }
            let inherited = try #require(InheritedSocket(descriptor: try UnixSocket.listening(at: path)))
            #expect(inherited.place == .unix(path: path))
            let server = HTTPServer(
                listen: try #require(ListenAddress("192.0.2.1:1")), inherited: inherited, loops: [loop],
                handler: TestHandler()
            )
            #expect(try server.start() == .unix(path: path))
            let client = try RawClient(path: path)
            #expect(await client.ask(Self.peer)?.text == "unix")
            await server.close()
            #expect(Self.mode(path) != nil)
        }
    }

    // MARK: Parts

    private static func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try UnixSocket.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private static func withSocket(
        _ polling: Polling = .standard, limits: ServerLimits = ServerLimits(), proxies: [TrustedPeer]? = nil,
        tls: ServerTLS? = nil, clock: StoppedClock? = nil, _ body: (TestServer) async throws -> Void
    ) async throws {
        try await self.withFolder { folder in
            try await withServer(
                polling, at: "unix:\(folder)/http.sock", limits: limits, proxies: proxies, tls: tls, clock: clock, body)
        }
    }

    private static func mode(_ path: String) -> mode_t? { self.status(path).map { $0.st_mode & 0o7777 } }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    private static func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { done in
            DispatchQueue.global().async {
                semaphore.wait()
                done.resume()
            }
        }
    }
}
