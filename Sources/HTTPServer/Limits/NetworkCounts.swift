import HTTPWire

/// Counts connections by network. An IPv4 address is one network. An IPv6 address is in three: a caller can freely
/// change its address, /64 or even /56, so its /48 counts like an IPv4 address.
struct NetworkCounts {
    /// The prefixes of IPv6 that count, the smallest network first, with the part of the limit that each may have.
    private static let shares = [(length: 64, part: 16), (length: 56, part: 4), (length: 48, part: 1)]

    private var byNetwork: [Network: Int] = [:]

    private struct Network: Hashable {
        let address: IPAddress
        /// 48 for an IPv4 address, which counts like a /48.
        let length: UInt8
    }

    /// The connections of the IPv4 address or the /48.
    func count(of address: IPAddress) -> Int { self.byNetwork[Self.whole(address), default: 0] }

    /// Whether one more connection of the address exceeds the share of one of its networks: all of `limit` for an IPv4
    /// address or a /48, a quarter for a /56 and a sixteenth for a /64.
    func isFull(_ address: IPAddress, of limit: Int) -> Bool {
        Self.networks(of: address).contains { self.byNetwork[$0.network, default: 0] >= max(1, limit / $0.part) }
    }

    mutating func add(_ address: IPAddress) {
        for (network, _) in Self.networks(of: address) { self.byNetwork[network, default: 0] += 1 }
    }

    mutating func remove(_ address: IPAddress) {
        for (network, _) in Self.networks(of: address) {
            let count = self.byNetwork[network, default: 1] - 1
            self.byNetwork[network] = count > 0 ? count : nil
        }
    }

    private static func whole(_ address: IPAddress) -> Network { Network(address: address.network(48), length: 48) }

    private static func networks(of address: IPAddress) -> [(network: Network, part: Int)] {
        guard !address.isV4 else { return [(self.whole(address), 1)] }
        return self.shares.map { (Network(address: address.network($0.length), length: UInt8($0.length)), $0.part) }
    }
}
