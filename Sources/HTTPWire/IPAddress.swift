/// An address of IPv4 or IPv6. An IPv4 address in the guise of IPv6 (`::ffff:192.0.2.1`) is the IPv4 address.
package struct IPAddress: Hashable, Sendable {
    /// The two halves. IPv4 is kept as it is mapped into IPv6 (RFC 4291 §2.5.5.2), so both guises are one value.
    let high: UInt64
    let low: UInt64

    package init(v6 high: UInt64, _ low: UInt64) {
        self.high = high
        self.low = low
    }

    /// `192.0.2.1` is 0xC0000201.
    package init(v4 bits: UInt32) {
        self.high = 0
        self.low = 0xFFFF_0000_0000 | UInt64(bits)
    }

    /// Four or sixteen bytes in network order; nil for another number of them.
    package init?(_ bytes: some Collection<UInt8>) {
        switch bytes.count {
        case 4: self.init(v4: bytes.reduce(0) { $0 << 8 | UInt32($1) })
        case 16:
            self.init(
                v6: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
                bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) })
        default: return nil
        }
    }

    package var isV4: Bool { self.high == 0 && self.low >> 32 == 0xFFFF }

    /// The four bytes of an IPv4 address.
    package var v4: UInt32? { self.isV4 ? UInt32(truncatingIfNeeded: self.low) : nil }

    /// What one customer has: an IPv4 address, or the first 64 bits of an IPv6 address.
    package var network: IPAddress { self.isV4 ? self : IPAddress(v6: self.high, 0) }

    package var isLoopback: Bool {
        if let v4 { return v4 >> 24 == 127 }
        return self.high == 0 && self.low == 1
    }
}
