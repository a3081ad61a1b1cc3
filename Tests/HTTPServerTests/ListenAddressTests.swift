import Base
import EventLoop
import Glibc
import HTTPServer
import HTTPWire
import TestSupport
import Testing

/// The addresses to listen at, and the errors when that fails.
@Suite(.blocking) struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1:8080"),
        ("0.0.0.0:0", "0.0.0.0:0"),
        ("localhost:65535", "127.0.0.1:65535"),
        ("[::]:8080", "[::]:8080"),
        ("[0:0::1]:80", "[::1]:80"),
        ("unix:/run/switchback/http.sock", "unix:/run/switchback/http.sock"),
        ("unix:/a b:80", "unix:/a b:80"),
        ("unix:/" + String(repeating: "a", count: 106), "unix:/" + String(repeating: "a", count: 106)),
    ]) func `an address to listen at is read`(_ text: String, _ description: String) {
        #expect(ListenAddress(text)?.description == description)
    }

    @Test(arguments: [
        "", ":", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1: 1",
        "127.0.0.1:80a", "example.com:80", "::1:80", "[::1:80", "::1]:80", "[127.0.0.1]:80", "[]:80", "127.1:80",
        "unix", "unix:", "unix:/", "unix:run/http.sock", "unix:./http.sock", "unix:@http", "unix:/run/",
        "UNIX:/run/http.sock",
        "unix:/run/\0", "unix:/" + String(repeating: "a", count: 107),
    ]) func `a malformed address is refused`(_ text: String) {
        #expect(ListenAddress(text) == nil)
    }

    /// Runs in its own process: a program that another test starts has our sockets until its exec, and the port stays
    /// taken until then.
    @Test func `the old port can be had again`() async {
        await #expect(processExitsWith: .success) {
            endProcess(afterMinutes: 10)
            let loop = try EventLoop(name: "test")
            let port = try FreePort.find()
            for _ in 0..<3 {
                let listen = try #require(ListenAddress("127.0.0.1:\(port)"))
                let server = HTTPServer(listen: listen, loops: [loop], handler: TestHandler())
                try #require(try server.start() == listen)
                let client = try RawClient(port: port)
                try #require(await client.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello")
                await server.close()
            }
            loop.close()
            exit(EXIT_SUCCESS)
        }
    }

    /// `[::]` is every address. A client that connects by IPv4 is known by its IPv4 address.
    @Test func `the unspecified IPv6 address means both families`() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.close() }
        let server = HTTPServer(listen: try #require(ListenAddress("[::]:0")), loops: [loop], handler: TestHandler())
        guard let port = try? server.start().port else { return }  // A machine without IPv6.
        let client = try RawClient(port: port)
        #expect(await client.ask("GET /peer HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "127.0.0.1")
        await server.close()
    }

    /// SO_REUSEPORT: all listeners must set it, and the system distributes the connections.
    @Test func `two servers can share a port`() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.close() }
        let first = HTTPServer(
            listen: try #require(ListenAddress("127.0.0.1:0")), sharesPort: true, loops: [loop], handler: TestHandler())
        let listen = try #require(ListenAddress("127.0.0.1:\(try first.start().port)"))
        let second = HTTPServer(listen: listen, sharesPort: true, loops: [loop], handler: TestHandler())
        #expect(try second.start() == listen)
        let alone = HTTPServer(listen: listen, loops: [loop], handler: TestHandler())
        #expect(throws: OperatorError.addressInUse(listen)) { try alone.start() }
        var clients: [RawClient] = []
        while clients.count < 200, first.openConnections == 0 || second.openConnections == 0 {
            let client = try RawClient(port: listen.port)
            #expect(await client.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello")
            clients.append(client)
        }
        #expect(first.openConnections > 0 && second.openConnections > 0)
        await first.close()
        let client = try RawClient(port: listen.port)
        #expect(await client.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello", "the other goes on")
        await second.close()
    }

    /// A socket as systemd passes it on: it listens already, and blocks.
    @Test func `a socket can be inherited`() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.close() }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #expect(InheritedSocket(descriptor: descriptor) == nil)
        try #require(Glibc.listen(descriptor, 16) == 0)
        let inherited = try #require(InheritedSocket(descriptor: descriptor))
        let server = HTTPServer(
            listen: try #require(ListenAddress("192.0.2.1:1")), inherited: inherited,
            loops: [loop], handler: TestHandler())
        let port = try server.start().port
        #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC, "no child has it")
        let client = try RawClient(port: port)
        #expect(await client.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello")
        await server.close()
    }

    @Test func `not every descriptor is a listening socket`() throws {
        #expect(InheritedSocket(descriptor: 1_000_000) == nil)
        let file = open("/dev/null", O_RDONLY)
        let datagrams = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let local = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        for descriptor in [file, datagrams, local] {
            #expect(InheritedSocket(descriptor: descriptor) == nil)
            close(descriptor)
        }
    }

    @Test func `an error says why the server cannot listen`() async throws {
        try await withServer { server in
            let loop = try EventLoop(name: "test")
            defer { loop.close() }
            let taken = try #require(ListenAddress("127.0.0.1:\(server.port)"))
            let second = HTTPServer(listen: taken, loops: [loop], handler: TestHandler())
            #expect(throws: OperatorError.addressInUse(taken)) { try second.start() }
            let foreign = try #require(ListenAddress("192.0.2.1:0"))
            let third = HTTPServer(listen: foreign, loops: [loop], handler: TestHandler())
            #expect(throws: OperatorError.noSuchAddress(foreign)) { try third.start() }
            #expect(throws: OperatorError.noLoop) {
                try HTTPServer(listen: taken, loops: [], handler: TestHandler()).start()
            }
            #expect("\(OperatorError.addressInUse(taken))".hasPrefix("127.0.0.1:\(server.port) is in use"))
        }
    }
}
