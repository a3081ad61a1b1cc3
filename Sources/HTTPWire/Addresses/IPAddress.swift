/// An IPv4 or IPv6 address. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) is the IPv4 address.
package struct IPAddress: Hashable, Sendable {
    /// The two halves. IPv4 is stored as mapped into IPv6 (RFC 4291 §2.5.5.2), so that both forms are one value.
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

    /// Takes four or sixteen bytes in network order. Returns nil for any other number of bytes.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        switch bytes.count {
        case 4: self.init(v4: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
        case 16:
            self.init(
                v6: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        default: return nil
        }
    }

    /// Takes four or sixteen bytes from an array.
    package init?(_ bytes: [UInt8]) {
        guard let address = bytes.withUnsafeBytes({ Self($0) }) else { return nil }
        self = address
    }

    package var isV4: Bool { self.high == 0 && self.low >> 32 == 0xFFFF }

    /// The four bytes of an IPv4 address.
    package var v4: UInt32? { self.isV4 ? UInt32(truncatingIfNeeded: self.low) : nil }

    /// The part of the address that belongs to one customer: an IPv4 address, or the first 64 bits of an IPv6 address.
    package var network: IPAddress { self.network(64) }

    /// Returns an IPv4 address, or the first `length` bits of an IPv6 address, at most 64.
    package func network(_ length: Int) -> IPAddress {
        guard !self.isV4 else { return self }
        let length = min(max(length, 0), 64)
        return IPAddress(v6: length == 0 ? 0 : self.high & (UInt64.max << (64 - length)), 0)
    }

    /// Sixteen bytes in network order.
    package var bytes: [UInt8] {
        withUnsafeBytes(of: (self.high.bigEndian, self.low.bigEndian)) { Array($0) }
    }

    /// `::`, the absence of an address (RFC 4291 §2.5.2).
    package static let unspecified = IPAddress(v6: 0, 0)

    /// Listening at this address means listening at every address of the machine.
    package var isUnspecified: Bool { self.low & 0xFFFF_FFFF == 0 && (self.isV4 || (self.high == 0 && self.low == 0)) }

    package var isLoopback: Bool {
        if let v4 { return v4 >> 24 == 127 }
        return self.high == 0 && self.low == 1
    }
}
