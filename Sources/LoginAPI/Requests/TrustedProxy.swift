/// Who a client is: the peer of the connection, or whom a proxy that we trust names in the one header that it may use.
import HTTPWire

package struct TrustedProxy: Sendable {
    package enum Header: Sendable {
        case xForwardedFor
        /// RFC 7239.
        case forwarded
    }

    private let header: Header?
    private let peers: [TrustedPeer]

    /// Without a header nobody is believed.
    package init(_ header: Header? = nil, peers: [TrustedPeer] = []) {
        self.header = header
        self.peers = peers
    }

    /// The rightmost address that is not one of our proxies: what stands left of it, anybody may have written. Unspecified
    /// when the peer has no address and names nobody: all such clients share one limit.
    package func client(of fields: Fields, from peer: IPAddress?) -> IPAddress {
        var client = peer ?? .unspecified
        guard let header = self.header, self.isTrusted(peer) else { return client }
        for address in Self.addresses(in: fields, header).reversed() {
            // A trusted proxy wrote this element and does not say who was there: the proxy is the last one known.
            guard let address else { return client }
            client = address
            guard self.isTrusted(address) else { return client }
        }
        return client
    }

    private func isTrusted(_ peer: IPAddress?) -> Bool { self.peers.contains { $0.contains(peer) } }

    /// From left to right; nil where there is no address.
    private static func addresses(in fields: Fields, _ header: Header) -> [IPAddress?] {
        switch header {
        case .xForwardedFor: ForwardedAddress.xForwardedFor(fields.all(.xForwardedFor))
        case .forwarded: ForwardedAddress.forwarded(fields.all(.forwarded))
        }
    }
}
