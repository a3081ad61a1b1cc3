// Networks in the notation of RFC 4632 §3.1: `10.0.0.0/8`, `fd00::/8`. An address alone is a network of one.

extension IPAddress {
    package struct Network: Hashable, Sendable, CustomStringConvertible {
        private let base: IPAddress
        /// Out of 128 bits, for IPv4 too.
        private let length: Int

        /// Returns nil for an invalid network, and if bits after the prefix are set: perhaps something else was meant.
        package init?(_ text: String) {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let base = IPAddress(String(parts[0])) else { return nil }
            let bitWidth = text.utf8.contains(.colon) ? 128 : 32
            var length = bitWidth
            if parts.count == 2 {
                guard 1...3 ~= parts[1].utf8.count, let digits = Int(digits: parts[1].utf8), digits <= bitWidth else {
                    return nil
                }
                length = digits
            }
            self.base = base
            self.length = length + 128 - bitWidth
            guard Self.masked(base, self.length) == base else { return nil }
        }

        /// An IPv4 address is in no IPv6 network, not even in `::/0`.
        package func contains(_ address: IPAddress) -> Bool {
            address.isV4 == self.base.isV4 && Self.masked(address, self.length) == self.base
        }

        /// Half of the internet, and the public part of IPv6, count as all of it. Private networks do not.
        package var coversTheInternet: Bool {
            guard !self.base.isV4 else { return self.length - 96 < 8 }
            return self.length < 16 && !self.base.bytes.prefix(1).contains { 0xFC...0xFE ~= $0 }
        }

        package var description: String { "\(self.base)/\(self.base.isV4 ? self.length - 96 : self.length)" }

        private static func masked(_ address: IPAddress, _ length: Int) -> IPAddress {
            // A shift by 64 or more gives zero. A negative shift would go the other way.
            let high = length >= 64 ? UInt64.max : UInt64.max << (64 - length)
            let low = length <= 64 ? 0 : UInt64.max << (128 - length)
            return IPAddress(v6: address.high & high, address.low & low)
        }
    }
}
