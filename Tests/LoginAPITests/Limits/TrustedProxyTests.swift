import HTTPWire
import Testing

@testable import LoginAPI

/// Tests which address counts: the rightmost one that is not a trusted proxy's, and never what a stranger wrote.
@Suite struct TrustedProxyTests {
    static let peers = ["10.0.0.0/8", "fd00::/8", "unix"].compactMap { TrustedPeer($0) }

    struct Row: Sendable, CustomTestStringConvertible {
        let peer: String
        let header: String?
        let client: String

        init(_ peer: String, _ header: String?, _ client: String) {
            self.peer = peer
            self.header = header
            self.client = client
        }

        var testDescription: String { "\(self.peer) says \(self.header ?? "nothing")" }
    }

    @Test(arguments: [
        Row("192.0.2.7", nil, "192.0.2.7"),
        Row("192.0.2.7", "198.51.100.1", "192.0.2.7"),
        Row("10.0.0.1", nil, "10.0.0.1"),
        Row("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        Row("10.0.0.1", "203.0.113.9, 198.51.100.1", "198.51.100.1"),
        Row("10.0.0.1", "203.0.113.9\u{600}, 198.51.100.1", "198.51.100.1"),
        Row("10.0.0.1", "203.0.113.9, 198.51.100.1, 10.1.2.3", "198.51.100.1"),
        Row("10.0.0.1", "10.9.9.9, 10.1.2.3", "10.9.9.9"),
        Row("10.0.0.1", "203.0.113.9, nonsense", "10.0.0.1"),
        Row("10.0.0.1", "203.0.113.9, unknown, 10.1.2.3", "10.1.2.3"),
        Row("fd00::1", "2001:db8::5", "2001:db8::5"),
        Row("fd00::1", "::ffff:198.51.100.1", "198.51.100.1"),
        Row("unix", nil, "::"),
        Row("unix", "198.51.100.1", "198.51.100.1"),
        Row("unix", "203.0.113.9, 198.51.100.1, 10.1.2.3", "198.51.100.1"),
        Row("unix", "203.0.113.9, nonsense", "::"),
        Row("unix", "203.0.113.9, unix:", "::"),
        Row("unix", "203.0.113.9, ::", "::"),
    ]) func `X-Forwarded-For names the client`(_ row: Row) throws {
        let proxy = TrustedProxy(.xForwardedFor, peers: Self.peers)
        var fields: Fields = [.forwarded: "for=203.0.113.250"]
        if let header = row.header { fields.add(.xForwardedFor, header) }
        let peer = IPAddress(row.peer)
        #expect((peer == nil) == (row.peer == "unix"))
        #expect(proxy.client(of: fields, from: peer) == IPAddress(row.client))
    }

    @Test(arguments: [
        Row("10.0.0.1", "for=198.51.100.1;proto=https", "198.51.100.1"),
        Row("10.0.0.1", "for=203.0.113.9, for=\"[2001:db8::5]:4711\"", "2001:db8::5"),
        Row("10.0.0.1", "for=_hidden", "10.0.0.1"),
        Row("192.0.2.7", "for=198.51.100.1", "192.0.2.7"),
        Row("unix", "for=198.51.100.1", "198.51.100.1"),
        Row("unix", "for=unknown", "::"),
    ]) func `Forwarded names the client`(_ row: Row) throws {
        let proxy = TrustedProxy(.forwarded, peers: Self.peers)
        var fields: Fields = [.xForwardedFor: "203.0.113.250"]
        if let header = row.header { fields.add(.forwarded, header) }
        let peer = IPAddress(row.peer)
        #expect((peer == nil) == (row.peer == "unix"))
        #expect(proxy.client(of: fields, from: peer) == IPAddress(row.client))
    }

    /// We trust a peer on a Unix socket only if the operator says so.
    @Test func `a Unix socket is not trusted by itself`() {
        let proxy = TrustedProxy(.xForwardedFor, peers: ["0.0.0.0/0", "::/0"].compactMap { TrustedPeer($0) })
        #expect(proxy.client(of: [.xForwardedFor: "198.51.100.1"], from: nil) == .unspecified)
    }

    @Test func `without a header nobody is believed`() throws {
        let peer = try #require(IPAddress("10.0.0.1"))
        let fields: Fields = [.xForwardedFor: "198.51.100.1", .forwarded: "for=198.51.100.1"]
        #expect(TrustedProxy(nil, peers: Self.peers).client(of: fields, from: peer) == peer)
    }
}
