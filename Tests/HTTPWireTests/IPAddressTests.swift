import HTTPWire
import Testing

/// Addresses, networks, and the fields of proxies (RFC 4291, RFC 5952, RFC 4632, RFC 7239).
@Suite struct IPAddressTests {
    /// The address as given, and as RFC 5952 writes it.
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("::", "::"),
        ("::1", "::1"), ("1::", "1::"), ("2001:db8::1", "2001:db8::1"), ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"),
        ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
        ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
        ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:c000:0201", "192.0.2.1"),
        ("0:0:0:0:0:ffff:192.0.2.1", "192.0.2.1"), ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
        ("::192.0.2.1", "::c000:201"),
        ("fe80::1", "fe80::1"), ("0001:0002:0003:0004:0005:0006:0007:0008", "1:2:3:4:5:6:7:8"),
    ]) func `an address is read and written`(_ text: String, _ written: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == written)
        #expect(IPAddress(written) == address)
        #expect(address.isV4 == !written.contains(":"))
    }

    @Test(arguments: [
        "", " ", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.-4", "01.2.3.4", "1.2.3.00", "1.2.3.4 ", " 1.2.3.4",
        "1.2.3.",
        ".1.2.3", "1..2.3", "0x1.2.3.4", "1.2.3.4/8", "a.b.c.d", ":", ":::", "1:2", "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "::1::", "1::2::3", "1:2:3:4::5:6:7:8", "::12345", "::g", "::-1", ":1:2:3:4:5:6:7", "1:2:3:4:5:6:7:", "[::1]",
        "::1%eth0",
        "::1.2.3", "::1.2.3.4.5", "1.2.3.4::", "::1.2.3.4:5", "::256.1.1.1", "::01.2.3.4", "localhost", "::1 ",
        "１.2.3.4",
        "::ffff:1.2.3.4:1", "1:2:3:4:5:6:7:1.2.3.4",
    ]) func `what is no address is refused`(_ text: String) { #expect(IPAddress(text) == nil) }

    @Test func `an address is made of bytes`() {
        #expect(IPAddress([192, 0, 2, 1] as [UInt8])?.description == "192.0.2.1")
        #expect(IPAddress([0x20, 1, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [1])?.description == "2001:db8::1")
        #expect(IPAddress(Array(repeating: 0, count: 10) + [255, 255, 10, 0, 0, 1])?.description == "10.0.0.1")
        #expect(IPAddress([1, 2, 3] as [UInt8]) == nil)
        #expect(IPAddress(v4: 0xC000_0201).v4 == 0xC000_0201)
        #expect(IPAddress(v6: 1, 2).v4 == nil)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("::ffff:10.0.0.1", "10.0.0.1"),
        ("::1", "::"),
    ]) func `an address has the network of one customer`(_ text: String, _ network: String) {
        #expect(IPAddress(text)?.network.description == network)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("128.0.0.1", false),
        ("::2", false),
    ]) func `loopback addresses are known`(_ text: String, _ isLoopback: Bool) {
        #expect(IPAddress(text)?.isLoopback == isLoopback)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
        ("10.0.0.0/8", "::ffff:10.1.2.3", true),
        ("0.0.0.0/0", "1.2.3.4", true), ("0.0.0.0/0", "::1", false), ("::/0", "::1", true), ("::/0", "1.2.3.4", false),
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1/32", "192.0.2.1", true),
        ("192.0.2.128/25", "192.0.2.127", false), ("192.0.2.128/25", "192.0.2.128", true),
        ("fd00::/8", "fdff::1", true),
        ("fd00::/8", "fe00::", false), ("2001:db8::/32", "2001:db8:ffff::", true),
        ("2001:db8::/64", "2001:db8:0:1::", false),
        ("2001:db8::/65", "2001:db8::7fff:0:0:0", true), ("2001:db8::/65", "2001:db8::8000:0:0:0", false),
        ("::1", "::1", true), ("::1/128", "::2", false), ("::ffff:10.0.0.0/104", "10.1.1.1", true),
        ("::ffff:0:0/96", "1.2.3.4", true),
    ]) func `an address is in its network`(_ text: String, _ address: String, _ isIn: Bool) throws {
        let network = try #require(IPAddress.Network(text))
        #expect(network.contains(try #require(IPAddress(address))) == isIn)
        #expect(IPAddress.Network(network.description) == network)
    }

    @Test(arguments: [
        "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08x", "10.0.0.0/8/8", "10.0.0.1/8", "::/129",
        "::1/64",
        "10.0.0.0/255.0.0.0", "10.0.0/8", "10.0.0.0/ 8", "10.0.0.0/1000", "example.com", "::ffff:10.0.0.1/104",
    ]) func `what is no network is refused`(_ text: String) { #expect(IPAddress.Network(text) == nil) }
}

@Suite struct ForwardedAddressTests {
    private static func text(_ addresses: [IPAddress?]) -> String {
        addresses.map { $0?.description ?? "-" }.joined(separator: " ")
    }

    @Test(arguments: [
        (["192.0.2.1"], "192.0.2.1"), (["192.0.2.1, 2001:db8::1"], "192.0.2.1 2001:db8::1"),
        (["192.0.2.1", "192.0.2.2"], "192.0.2.1 192.0.2.2"), (["192.0.2.1:4711"], "192.0.2.1"),
        (["[2001:db8::1]:4711"], "2001:db8::1"), (["[2001:db8::1]"], "2001:db8::1"),
        (["unknown, 192.0.2.1"], "- 192.0.2.1"),
        (["192.0.2.1,,192.0.2.2"], "192.0.2.1 192.0.2.2"), (["::ffff:10.0.0.1"], "10.0.0.1"), ([], ""), ([""], ""),
        (["192.0.2.1 192.0.2.2"], "-"), (["192.0.2.1:"], "-"), (["192.0.2.1:x"], "-"), (["192.0.2.1:123456"], "-"),
        (["[2001:db8::1"], "-"), (["[2001:db8::1]4711"], "-"), (["[192.0.2.1]"], "-"), (["[]"], "-"),
        (["\"192.0.2.1\""], "-"),
        (["<script>"], "-"), (["192.0.2.1, "], "192.0.2.1"), (["localhost"], "-"),
        // To Swift, a combining mark next to the comma makes another character, but the byte is the same.
        (["203.0.113.9\u{600}, 192.0.2.7"], "- 192.0.2.7"), (["192.0.2.1,\u{362}, 192.0.2.7"], "192.0.2.1 - 192.0.2.7"),
        ([" \u{301}192.0.2.1"], "-"),
    ]) func `X-Forwarded-For is read from its fields`(_ values: [String], _ addresses: String) {
        #expect(Self.text(ForwardedAddress.xForwardedFor(values)) == addresses)
    }

    @Test(arguments: [
        (["for=192.0.2.43"], "192.0.2.43"), (["For=\"[2001:db8:cafe::17]:4711\""], "2001:db8:cafe::17"),
        (["for=192.0.2.60;proto=http;by=203.0.113.43"], "192.0.2.60"),
        (["for=192.0.2.43, for=198.51.100.17"], "192.0.2.43 198.51.100.17"),
        (["for=192.0.2.43", "for=198.51.100.17"], "192.0.2.43 198.51.100.17"),
        (["proto=https;for=\"192.0.2.1:80\""], "192.0.2.1"),
        (["for=_hidden, for=unknown"], "- -"), (["proto=https"], "-"), (["for=\"_a, for=1.2.3.4\""], "-"),
        (["by=\"a,b\";for=192.0.2.1"], "192.0.2.1"), ([], ""), ([""], ""), (["for=192.0.2.1; proto=http"], "192.0.2.1"),
        (["192.0.2.1"], "-"), (["for=\"192.0.2.1"], "-"), (["for=192.0.2.1;for=192.0.2.2"], "-"), (["for=[::1]"], "-"),
        (["for=192.0.2.1 x"], "-"), (["for="], "-"), (["for=192.0.2.1;", "for=192.0.2.2"], "- 192.0.2.2"),
    ]) func `Forwarded is read from its fields`(_ values: [String], _ addresses: String) {
        #expect(Self.text(ForwardedAddress.forwarded(values)) == addresses)
    }
}
