import Testing

@testable import HTTPWire

/// The PROXY header, versions 1 and 2 (proxy-protocol.txt): each row whole, split at every byte, and with more after
/// it.
@Suite struct ProxyHeaderTests {
    enum Reading: Equatable {
        case unfinished
        case client(String?)
        case refused(ProxyHeaderError)
    }

    private static func read(_ bytes: some Collection<UInt8>) -> Reading {
        do throws(ProxyHeaderError) {
            guard let header = try ProxyHeader.read(Array(bytes)) else { return .unfinished }
            return .client(header.client?.description)
        } catch {
            return .refused(error)
        }
    }

    /// Nil stands for the proxy's own connection.
    static let lines: [(String, String?)] = [
        ("PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535\r\n", "255.255.255.255"),
        ("PROXY TCP4 192.168.0.1 192.168.0.11 56324 443\r\n", "192.168.0.1"),
        ("PROXY TCP4 192.0.2.1 192.0.2.2 0 1\r\n", "192.0.2.1"),
        ("PROXY TCP6 2001:db8::1 ::1 56324 443\r\n", "2001:db8::1"),
        (
            "PROXY TCP6 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535\r\n",
            "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
        ),
        ("PROXY TCP6 ::ffff:192.0.2.1 ::ffff:192.0.2.2 1 2\r\n", "192.0.2.1"),
        ("PROXY UNKNOWN\r\n", nil),
        ("PROXY UNKNOWN and whatever else\r\n", nil),
        (
            "PROXY UNKNOWN ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535\r\n",
            nil
        ),
    ]

    @Test(arguments: lines) func `a line names the client`(_ line: String, _ client: String?) {
        Self.check(Array(line.utf8), .client(client))
    }

    @Test func `the longest line has 107 bytes`() { #expect(Self.lines.map(\.0.utf8.count).max() == 107) }

    static let badLines: [(String, ProxyHeaderError)] = [
        ("GET / HTTP/1.1\r\n", .missing), ("POST / HTTP/1.1\r\n", .missing), ("proxy TCP4", .missing),
        ("PROXY\tTCP4", .missing), ("PROXY\r\n", .missing), ("\u{16}\u{3}\u{1}", .missing), ("\r\nGET", .missing),
        (" PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n", .missing), ("PROXY \r\n", .badLine), ("PROXY \n", .badLine),
        ("PROXY  TCP4 192.0.2.1 192.0.2.2 1 2\r\n", .badLine), ("PROXY TCP4  192.0.2.1 192.0.2.2 1 2\r\n", .badLine),
        ("PROXY TCP4 192.0.2.1 192.0.2.2 1 2 \r\n", .badLine), ("PROXY TCP4 192.0.2.1 192.0.2.2 1 2 3\r\n", .badLine),
        ("PROXY TCP4 192.0.2.1 192.0.2.2 1\r\n", .badLine), ("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\n", .badLine),
        ("PROXY TCP4 192.0.2.1 192.0.2.2 01 2\r\n", .badLine), ("PROXY TCP4 192.0.2.1 192.0.2.2 1 65536\r\n", .badLine),
        ("PROXY TCP4 192.0.2.1 192.0.2.2 -1 2\r\n", .badLine), ("PROXY TCP4 192.0.2.1 192.0.2.2 a 2\r\n", .badLine),
        ("PROXY TCP4 192.0.2.01 192.0.2.2 1 2\r\n", .badLine), ("PROXY TCP4 192.0.2 192.0.2.2 1 2\r\n", .badLine),
        ("PROXY TCP4 192.0.2.1 192.0.2.256 1 2\r\n", .badLine), ("PROXY TCP4 ::1 ::2 1 2\r\n", .badLine),
        ("PROXY TCP4 a.example b.example 1 2\r\n", .badLine), ("PROXY TCP6 192.0.2.1 192.0.2.2 1 2\r\n", .badLine),
        ("PROXY TCP6 ::1 192.0.2.2 1 2\r\n", .badLine), ("PROXY TCP6 ::1::2 ::3 1 2\r\n", .badLine),
        ("PROXY TCP5 192.0.2.1 192.0.2.2 1 2\r\n", .badLine), ("PROXY tcp4 192.0.2.1 192.0.2.2 1 2\r\n", .badLine),
        ("PROXY UDP4 192.0.2.1 192.0.2.2 1 2\r\n", .badLine), ("PROXY unknown\r\n", .badLine),
        ("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\rGET / HTTP/1.1\r\n", .badLine),
        ("PROXY UNKNOWN " + String(repeating: "a", count: 92) + "\r\n", .tooLong),
        ("PROXY " + String(repeating: "a", count: 200), .tooLong),
    ]

    @Test(arguments: badLines) func `a bad line is refused`(_ line: String, _ failure: ProxyHeaderError) {
        Self.check(Array(line.utf8), .refused(failure))
    }

    static let headers: [(ProxyHeaderExample, String?)] = [
        (.v2(0x21, 0x11, .v4), "192.0.2.7"), (.v2(0x21, 0x21, .v6), "2001:db8::7"),
        (.v2(0x21, 0x12, .v4), "192.0.2.7"), (.v2(0x21, 0x22, .v6), "2001:db8::7"),
        (.v2(0x20, 0x00, []), nil), (.v2(0x20, 0x11, .v4), nil), (.v2(0x20, 0xFF, [1, 2, 3]), nil),
        (.v2(0x21, 0x00, []), nil), (.v2(0x21, 0x00, [1, 2, 3]), nil),
        (.v2(0x21, 0x31, Array(repeating: 0, count: 216)), nil),
        // PP2_TYPE_AUTHORITY, PP2_TYPE_NOOP, and a company's own extension.
        (.v2(0x21, 0x11, .v4 + [2, 0, 1, 0x61, 4, 0, 0, 0xE0, 0, 2, 1, 2]), "192.0.2.7"),
        (.v2(0x21, 0x11, .v4 + [4, 0x0F, 0xF1] + Array(repeating: 0, count: 0x0FF1)), "192.0.2.7"),
        (.v2(0x21, 0x11, .v4).withChecksum(), "192.0.2.7"),
        (.v2(0x21, 0x21, .v6 + [1, 0, 2, 0x68, 0x32]).withChecksum(), "2001:db8::7"),
    ]

    @Test(arguments: headers)
    func `a binary header names the client`(_ example: ProxyHeaderExample, _ client: String?) {
        Self.check(example.bytes, .client(client))
    }

    static let badHeaders: [(ProxyHeaderExample, ProxyHeaderError)] = [
        (.v2(0x11, 0x11, .v4), .badCommand), (.v2(0x31, 0x11, .v4), .badCommand), (.v2(0x01, 0x11, .v4), .badCommand),
        (.v2(0x22, 0x11, .v4), .badCommand), (.v2(0x2F, 0x11, .v4), .badCommand),
        (.v2(0x21, 0x13, .v4), .badFamily), (.v2(0x21, 0x41, .v4), .badFamily), (.v2(0x21, 0x10, .v4), .badFamily),
        (.v2(0x21, 0x01, .v4), .badFamily), (.v2(0x21, 0x11, []), .badFamily),
        (.v2(0x21, 0x11, Array([UInt8].v4.dropLast())), .badFamily), (.v2(0x21, 0x21, .v4), .badFamily),
        (.v2(0x21, 0x31, .v6), .badFamily), (.v2(0x21, 0x11, .v4 + [4]), .badExtension),
        (.v2(0x21, 0x11, .v4 + [4, 0]), .badExtension), (.v2(0x21, 0x11, .v4 + [4, 0, 1]), .badExtension),
        (.v2(0x21, 0x11, .v4 + [4, 0xFF, 0xFF, 1]), .badExtension),
        (.v2(0x21, 0x11, .v4 + [3, 0, 2, 1, 2]), .badExtension),
        (.v2(0x21, 0x11, .v4 + [3, 0, 4, 1, 2, 3, 4]), .badChecksum),
        (.v2(0x21, 0x11, Array(repeating: 0, count: 4097)), .tooLong),
        (.v2(0x20, 0x00, Array(repeating: 0, count: 0xFFFF)), .tooLong),
        (ProxyHeaderExample(bytes: Array("\r\n\r\n\0\r\nQUIT\r".utf8)), .missing),
        (ProxyHeaderExample(bytes: Array("\r\n\r\nGET / HTTP/1.1\r\n".utf8)), .missing),
    ]

    @Test(arguments: badHeaders)
    func `a bad header is refused`(_ example: ProxyHeaderExample, _ failure: ProxyHeaderError) {
        Self.check(example.bytes, .refused(failure))
    }

    @Test func `the checksum is Castagnoli's`() {
        #expect(CRC32C.checksum(Array("123456789".utf8).span) == 0xE306_9283)
        #expect(CRC32C.checksum(Array(repeating: 0, count: 32).span) == 0x8A91_36AA, "RFC 3720 B.4")
        #expect(CRC32C.checksum([1, 2, 3].span, zeroing: 0..<3) == CRC32C.checksum([0, 0, 0].span))
    }

    /// The result is unfinished until the header is clear, and never changes afterwards.
    private static func check(_ bytes: [UInt8], _ reading: Reading) {
        var isClear = false
        for cut in 0...bytes.count {
            let part = Self.read(bytes.prefix(cut))
            isClear = isClear || part != .unfinished
            #expect(part == (isClear ? reading : .unfinished), "the first \(cut) bytes")
        }
        #expect(isClear)
        #expect(Self.read(bytes + Array("GET / HTTP/1.1\r\n".utf8)) == reading, "with more behind it")
        guard case .client = reading else { return }
        #expect((try? ProxyHeader.read(bytes + [0]))?.length == bytes.count)
        #expect(Self.read(bytes.dropLast()) == .unfinished)
    }
}

/// A header of version 2.
struct ProxyHeaderExample: Sendable, CustomTestStringConvertible {
    var bytes: [UInt8]

    static func v2(_ command: UInt8, _ family: UInt8, _ rest: [UInt8]) -> ProxyHeaderExample {
        let length = [UInt8(rest.count >> 8), UInt8(rest.count & 0xFF)]
        return ProxyHeaderExample(bytes: Array("\r\n\r\n\0\r\nQUIT\n".utf8) + [command, family] + length + rest)
    }

    /// Adds a correct PP2_TYPE_CRC32C.
    func withChecksum() -> ProxyHeaderExample {
        var example = Self.v2(self.bytes[12], self.bytes[13], Array(self.bytes.dropFirst(16)) + [3, 0, 4, 0, 0, 0, 0])
        let checksum = CRC32C.checksum(example.bytes.span)
        example.bytes.replaceSubrange(
            (example.bytes.count - 4)..., with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> $0) })
        return example
    }

    var testDescription: String {
        self.bytes.dropFirst(12).prefix(40).map { String($0, radix: 16) }.joined(separator: " ")
    }
}

extension [UInt8] {
    /// From 192.0.2.7:56324 to 198.51.100.1:443.
    static let v4: [UInt8] = [192, 0, 2, 7, 198, 51, 100, 1, 0xDC, 0x04, 0x01, 0xBB]
    /// From [2001:db8::7]:56324 to [2001:db8::1]:443.
    static let v6: [UInt8] =
        [
            0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0,
        ]
        + [0, 1, 0xDC, 0x04, 0x01, 0xBB]
}
