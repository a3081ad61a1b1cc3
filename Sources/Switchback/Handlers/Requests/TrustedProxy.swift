/// Who a client is: the peer of the connection, or whom a proxy that we trust names in the one header that it may use.
import HTTPWire

package struct TrustedProxy: Sendable {
    package enum Header: Sendable {
        case xForwardedFor
        /// RFC 7239.
        case forwarded
    }

    private let header: Header?
    private let networks: [IPAddress.Network]

    /// Without a header nobody is believed.
    package init(_ header: Header? = nil, networks: [IPAddress.Network] = []) {
        self.header = header
        self.networks = networks
    }

    /// The rightmost address that is not one of our proxies: what stands left of it, anybody may have written.
    package func client(of fields: Fields, from peer: IPAddress) -> IPAddress {
        guard let header = self.header, self.isTrusted(peer) else { return peer }
        var client = peer
        for address in Self.addresses(in: fields, header).reversed() {
            // A trusted proxy wrote this element and does not say who was there: the proxy is the last one known.
            guard let address else { return client }
            client = address
            guard self.isTrusted(address) else { return client }
        }
        return client
    }

    private func isTrusted(_ address: IPAddress) -> Bool { self.networks.contains { $0.contains(address) } }

    /// From left to right; nil where there is no address.
    private static func addresses(in fields: Fields, _ header: Header) -> [IPAddress?] {
        switch header {
        case .xForwardedFor: ForwardedAddress.xForwardedFor(fields.all(.xForwardedFor))
        case .forwarded: ForwardedAddress.forwarded(fields.all(.forwarded))
        }
    }
}
