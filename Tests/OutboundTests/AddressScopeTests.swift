import Outbound
import Testing

/// RFC 6890, RFC 4291, RFC 6052: which addresses a broker's name may resolve to.
@Suite struct AddressScopeTests {
    static let addresses4: [([UInt32], AddressScope)] = [
        ([8, 8, 8, 8], .global),
        ([1, 1, 1, 1], .global),
        ([172, 15, 255, 255], .global),
        ([172, 32, 0, 0], .global),
        ([100, 63, 255, 255], .global),
        ([100, 128, 0, 0], .global),
        ([223, 255, 255, 255], .global),
        ([10, 0, 0, 1], .privateUse),
        ([100, 64, 0, 1], .privateUse),
        ([172, 16, 0, 0], .privateUse),
        ([172, 31, 255, 255], .privateUse),
        ([192, 168, 255, 255], .privateUse),
        ([198, 19, 0, 1], .privateUse),
        ([127, 0, 0, 1], .loopback),
        ([127, 255, 255, 254], .loopback),
        ([0, 0, 0, 0], .unusable),
        ([0, 1, 2, 3], .unusable),
        ([169, 254, 169, 254], .unusable),
        ([192, 0, 0, 8], .unusable),
        ([192, 0, 2, 1], .unusable),
        ([192, 88, 99, 1], .unusable),
        ([198, 51, 100, 1], .unusable),
        ([203, 0, 113, 1], .unusable),
        ([224, 0, 0, 1], .unusable),
        ([240, 0, 0, 1], .unusable),
        ([255, 255, 255, 255], .unusable),
    ]

    @Test(arguments: addresses4) func `each IPv4 address has its scope`(_ parts: [UInt32], _ expected: AddressScope) {
        #expect(AddressScope(ipv4: parts.reduce(0) { $0 << 8 | $1 }) == expected)
    }

    static let addresses6: [([UInt16], AddressScope)] = [
        ([0x2606, 0x4700, 0, 0, 0, 0, 0, 0x1111], .global),
        ([0x2a00, 0, 0, 0, 0, 0, 0, 1], .global),
        ([0, 0, 0, 0, 0, 0, 0, 1], .loopback),
        ([0, 0, 0, 0, 0, 0, 0, 0], .unusable),
        ([0, 0, 0, 0, 0, 0, 0x0808, 0x0808], .unusable),  // "IPv4-compatible", deprecated
        ([0, 0, 0, 0, 0, 0xffff, 0x0808, 0x0808], .global),  // mapped
        ([0, 0, 0, 0, 0, 0xffff, 0x7f00, 1], .loopback),
        ([0, 0, 0, 0, 0, 0xffff, 0x0a00, 1], .privateUse),
        ([0, 0, 0, 0, 0, 0xffff, 0xa9fe, 0xa9fe], .unusable),
        ([0x64, 0xff9b, 0, 0, 0, 0, 0x0808, 0x0808], .global),  // NAT64
        ([0x64, 0xff9b, 0, 0, 0, 0, 0x0a00, 1], .unusable),
        ([0x64, 0xff9b, 0, 0, 0, 0, 0x7f00, 1], .unusable),
        ([0x64, 0xff9b, 1, 0, 0, 0, 0x0808, 0x0808], .unusable),
        ([0x2002, 0x0808, 0x0808, 0, 0, 0, 0, 1], .global),  // 6to4
        ([0x2002, 0x0a00, 0x0001, 0, 0, 0, 0, 1], .unusable),
        ([0x2001, 0, 0, 0, 0, 0, 0, 1], .unusable),  // Teredo
        ([0x2001, 0x0db8, 0, 0, 0, 0, 0, 1], .unusable),
        ([0xfc00, 0, 0, 0, 0, 0, 0, 1], .privateUse),
        ([0xfdff, 0, 0, 0, 0, 0, 0, 1], .privateUse),
        ([0xfe80, 0, 0, 0, 0, 0, 0, 1], .unusable),
        ([0xfec0, 0, 0, 0, 0, 0, 0, 1], .unusable),
        ([0xff02, 0, 0, 0, 0, 0, 0, 1], .unusable),
        ([0x4000, 0, 0, 0, 0, 0, 0, 1], .unusable),
    ]

    @Test(arguments: addresses6) func `each IPv6 address has its scope`(_ parts: [UInt16], _ expected: AddressScope) {
        #expect(AddressScope(ipv6: parts.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }) == expected)
    }

    @Test(arguments: [0, 4, 15, 17]) func `addresses of other lengths are refused`(_ count: Int) {
        #expect(AddressScope(ipv6: [UInt8](repeating: 0x20, count: count)) == .unusable)
    }
}
