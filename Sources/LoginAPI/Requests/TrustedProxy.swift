import HTTPWire

/// Finds a client's address: that of the connection, or the one that a trusted proxy names in its one configured
/// header.
package struct TrustedProxy: Sendable {
    package enum Header: Sendable {
        case xForwardedFor
        /// RFC 7239.
        case forwarded
    }

    private let header: Header?
    private let peers: [TrustedPeer]

    /// Without a header we believe no one.
    package init(_ header: Header? = nil, peers: [TrustedPeer] = []) {
        self.header = header
        self.peers = peers
    }

    /// Returns the rightmost address that is not one of our proxies: anyone may have written what is left of it.
    /// Returns the unspecified address if the peer has no address and names none; all such clients share one limit.
    package func client(of fields: Fields, from peer: IPAddress?) -> IPAddress {
        var client = peer ?? .unspecified
        guard let header = self.header, self.isTrusted(peer) else { return client }
        for address in Self.addresses(in: fields, header).reversed() {
            // A trusted proxy wrote this element but names no address, so the proxy is the last address we know.
            guard let address else { return client }
            client = address
            guard self.isTrusted(address) else { return client }
        }
        return client
    }

    private func isTrusted(_ peer: IPAddress?) -> Bool { self.peers.contains { $0.contains(peer) } }

    /// Returns them from left to right; nil for an element without an address.
    private static func addresses(in fields: Fields, _ header: Header) -> [IPAddress?] {
        switch header {
        case .xForwardedFor: ForwardedAddress.xForwardedFor(fields.all(.xForwardedFor))
        case .forwarded: ForwardedAddress.forwarded(fields.all(.forwarded))
        }
    }
}
