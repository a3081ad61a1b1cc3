import Base
import Outbound
import TestSupport
import Testing

/// Which servers a client does not talk to, and what it does not send.
@Suite(.blocking) struct RefusalTests {
    /// None of these may cause a connection. `PORT` is that of a listening server.
    static let refused: [(String, Set<String>)] = [
        ("http://127.0.0.2:PORT/", ["127.0.0.1"]),
        ("http://localhost.:PORT/", ["localhost"]),
        ("http://127.0.0.1.:PORT/", ["localhost"]),
        ("http://localhost@127.0.0.1:PORT/", ["localhost"]),
        ("http://user:pass@127.0.0.1:PORT/", ["127.0.0.1"]),
        ("http://127.0.0.1:PORT\\@localhost/", ["localhost"]),
        ("http://127.0.0.1 :PORT/", ["127.0.0.1"]),
        ("http://127.0.0.1:PORT/\r\nHost: other", ["127.0.0.1"]),
        ("http://127.0.0.1:PORT/\u{0}", ["127.0.0.1"]),
        ("http://127.0.0.1:PORT/\u{7f}", ["127.0.0.1"]),
        ("127.0.0.1:PORT/", ["127.0.0.1"]),
        ("//127.0.0.1:PORT/", ["127.0.0.1"]),
        ("ftp://127.0.0.1:PORT/", ["127.0.0.1"]),
        ("gopher://127.0.0.1:PORT/", ["127.0.0.1"]),
        ("telnet://127.0.0.1:PORT/", ["127.0.0.1"]),
        ("dict://127.0.0.1:PORT/", ["127.0.0.1"]),
        ("ws://127.0.0.1:PORT/", ["127.0.0.1"]),
        ("file:///etc/passwd", ["", "127.0.0.1"]),
        ("http:///", ["", "127.0.0.1"]),
        ("", ["", "127.0.0.1"]),
        ("http://example.org/", ["example.org"]),  // plain, and not loopback
        ("http://127.example.org/", ["127.example.org"]),
        ("http://[fe80::1%25lo]:PORT/", ["fe80::1", "[fe80::1]", "fe80::1%lo"]),
    ]

    @Test(arguments: refused)
    func `other servers are refused without a request`(_ url: String, _ hosts: Set<String>) async throws {
        let server = try FaultServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let target = url.replacing("PORT", with: "\(server.port)")
        try await withClient(hosts: hosts) { client in
            await #expect { try await client.send(OutboundRequest(url: target)) } throws: {
                Self.isRefusal($0)
            }
        }
        #expect(server.accepted == 0)
    }

    /// curl reads 127.1 and 0x7f000001 as 127.0.0.1, so the host that we check is the host that it uses.
    @Test(arguments: ["http://127.1:PORT/", "http://0x7f000001:PORT/", "http://LOCALHOST:PORT/", "http://[::1]:1/"])
    func `the host that is used is checked`(_ url: String) async throws {
        let server = try FaultServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let target = url.replacing("PORT", with: "\(server.port)")
        try await withClient(hosts: ["other"]) { client in
            await #expect { try await client.send(OutboundRequest(url: target)) } throws: { Self.isRefusal($0) }
        }
        try await withClient(hosts: ["127.0.0.1", "LocalHost"]) { client in
            guard !url.contains("::") else { return }
            let response = try await client.send(OutboundRequest(url: target))
            #expect(response.status == 200)
        }
    }

    /// The name is allowed, but its address is not. No packet is sent to any of them.
    static let addresses: [(String, String, OutboundSettings.Reach)] = [
        ("10.0.0.1", "", .standard),
        ("192.168.0.1", "", .loopback),
        ("100.64.0.1", "", .loopback),
        ("127.0.0.1", ":1", .standard),
        ("[::1]", ":1", .standard),
        ("localhost", ":1", .standard),
        ("169.254.169.254", "", .everything),
        ("[fe80::1]", "", .everything),
        ("[::ffff:169.254.169.254]", "", .everything),
        ("[::ffff:10.0.0.1]", "", .standard),
        ("[fd00::1]", "", .loopback),
        ("0.0.0.0", ":1", .everything),
        ("[::]", ":1", .everything),
        ("224.0.0.1", "", .everything),
        ("255.255.255.255", "", .everything),
    ]

    @Test(arguments: addresses)
    func `private addresses are refused`(_ host: String, _ port: String, _ reach: OutboundSettings.Reach) async throws {
        let change: (inout OutboundSettings) -> Void = {
            $0.allowInsecureLoopback = reach != .standard
            $0.allowPrivateAddresses = reach == .everything
        }
        try await withClient(hosts: [host], change: change) { client in
            let request = OutboundRequest(url: "https://\(host)\(port)/")
            await #expect { try await client.send(request) } throws: { "\($0)".contains("address not allowed") }
        }
    }

    static let fields: [(String, String)] = [
        ("X", "a\r\nY: b"), ("X", "a\nb"), ("X", "a\u{0}b"), ("X\r\nY", "b"), ("", "b"), ("X Y", "b"), ("X:", "b"),
        ("Host", "other"), ("Content-Length", "1"), ("transfer-encoding", "chunked"), ("Connection", "close"),
        ("Expect", "100-continue"), ("Accept-Encoding", "gzip"),
    ]

    @Test(arguments: fields) func `malformed fields are refused`(_ name: String, _ value: String) async throws {
        let server = try FaultServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let outcome = try await ask(server) { OutboundRequest(url: $0, fields: [Parameter(name, value)]) }
        #expect(outcome.failure == "refused")
        #expect(server.accepted == 0)
    }

    @Test func `authorities that cannot be read are an error at the start`() async {
        await #expect(throws: OperatorError("cannot read /nonexistent.pem")) {
            try await withClient(change: { $0.caFile = "/nonexistent.pem" }) { _ in }
        }
    }

    static func isRefusal(_ error: any Error) -> Bool {
        guard case OutboundError.refused = error else { return false }
        return true
    }
}

extension OutboundSettings {
    enum Reach { case standard, loopback, everything }
}
