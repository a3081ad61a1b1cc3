import CCurl
import Glibc

/// What kind of address a name resolved to, so that a broker's name cannot lead us into our own network.
package enum AddressScope: Equatable {
    case global
    case loopback
    case privateUse
    /// No broker lives there: link-local, multicast, reserved, documentation, or a tunnel to an unknown network.
    case unusable

    /// IANA's IPv4 special-purpose registry (RFC 6890). An address outside it is global.
    private static let table4: [(network: UInt32, prefix: UInt32, scope: AddressScope)] = [
        (0x0000_0000, 8, .unusable),  // this network
        (0x0a00_0000, 8, .privateUse),
        (0x6440_0000, 10, .privateUse),  // shared with the carrier, RFC 6598
        (0x7f00_0000, 8, .loopback),
        (0xa9fe_0000, 16, .unusable),  // link-local: 169.254.169.254 hands out cloud credentials
        (0xac10_0000, 12, .privateUse),
        (0xc000_0000, 24, .unusable),  // protocol assignments
        (0xc000_0200, 24, .unusable),  // documentation
        (0xc058_6300, 24, .unusable),  // 6to4 relays
        (0xc0a8_0000, 16, .privateUse),
        (0xc612_0000, 15, .privateUse),  // benchmarks
        (0xc633_6400, 24, .unusable),  // documentation
        (0xcb00_7100, 24, .unusable),  // documentation
        (0xe000_0000, 3, .unusable),  // multicast, reserved, broadcast
    ]

    package init(ipv4 address: UInt32) {
        let entry = Self.table4.first { (address ^ $0.network) >> (32 - $0.prefix) == 0 }
        self = entry?.scope ?? .global
    }

    /// Takes sixteen bytes, most significant first. Any other count is unusable.
    package init(ipv6 bytes: [UInt8]) {
        guard bytes.count == 16 else {
            self = .unusable
            return
        }
        func word(_ index: Int) -> UInt32 {
            bytes[(index * 4)..<(index * 4 + 4)].reduce(0) { $0 << 8 | UInt32($1) }
        }
        self.init(word(0), word(1), word(2), word(3))
    }

    private init(_ first: UInt32, _ second: UInt32, _ third: UInt32, _ fourth: UInt32) {
        switch (first, second, third) {
        case (0, 0, 0): self = fourth == 1 ? .loopback : .unusable
        case (0, 0, 0xffff): self = AddressScope(ipv4: fourth)
        case (0x0064_ff9b, 0, 0): self = Self.translated(fourth)
        case (0x2001_0000, _, _), (0x2001_0db8, _, _): self = .unusable  // Teredo, documentation
        default: self = Self.byPrefix(first, second)
        }
    }

    private static func byPrefix(_ first: UInt32, _ second: UInt32) -> AddressScope {
        if first >> 16 == 0x2002 { return self.translated(first << 16 | second >> 16) }  // 6to4
        if first >> 25 == 0xfc >> 1 { return .privateUse }  // RFC 4193
        return first >> 29 == 1 ? .global : .unusable  // Only 2000::/3 is allocated.
    }

    /// A translator maps this to an IPv4 address, in a network that we do not know.
    private static func translated(_ address: UInt32) -> AddressScope {
        AddressScope(ipv4: address) == .global ? .global : .unusable
    }
}

// MARK: - From libcurl

extension AddressScope {
    /// Takes the address that libcurl is about to connect to.
    init(_ address: UnsafePointer<curl_sockaddr>) {
        guard let raw = switchback_curl_address(address) else {
            self = .unusable
            return
        }
        let length = Int(address.pointee.addrlen)
        if address.pointee.family == AF_INET, length >= MemoryLayout<sockaddr_in>.size {
            self.init(ipv4: UInt32(bigEndian: raw.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
        } else if address.pointee.family == AF_INET6, length >= MemoryLayout<sockaddr_in6>.size {
            var bytes = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            self.init(ipv6: withUnsafeBytes(of: &bytes) { Array($0) })
        } else {
            self = .unusable
        }
    }
}
