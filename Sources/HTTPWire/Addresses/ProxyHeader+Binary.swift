// Version 2 of the PROXY protocol: sixteen bytes, addresses, and extensions (proxy-protocol.txt §2.2).

extension ProxyHeader {
    private enum Command: UInt8 {
        /// The connection is the proxy's own.
        case local = 0
        case proxy = 1
    }

    /// Family and protocol in one byte. TCP or UDP makes no difference to the address.
    private enum Family: UInt8 {
        case unspecified = 0x00
        case tcp4 = 0x11
        case udp4 = 0x12
        case tcp6 = 0x21
        case udp6 = 0x22
        case unixStream = 0x31
        case unixDatagram = 0x32

        /// The bytes of both addresses, and of both ports if the family has ports.
        var size: Int {
            switch self {
            case .unspecified: 0
            case .tcp4, .udp4: 12
            case .tcp6, .udp6: 36
            case .unixStream, .unixDatagram: 216
            }
        }

        /// The bytes of the source address, which comes first.
        var sourceSize: Int? {
            switch self {
            case .tcp4, .udp4: 4
            case .tcp6, .udp6: 16
            case .unspecified, .unixStream, .unixDatagram: nil
            }
        }
    }

    private static let fixedSize = 16
    /// The limit for the bytes after the fixed part. Proxies send some hundreds, and more with a client certificate.
    private static let variableLimit = 4096
    /// `PP2_TYPE_CRC32C`.
    private static let checksumType: UInt8 = 0x03

    static func readBinary(_ bytes: Span<UInt8>) throws(ProxyHeaderError) -> ProxyHeader? {
        guard try Self.begins(bytes, with: "\r\n\r\n\0\r\nQUIT\n"), bytes.count > 12 else { return nil }
        guard bytes[12] >> 4 == 2, let command = Command(rawValue: bytes[12] & 0x0F) else { throw .badCommand }
        guard bytes.count >= Self.fixedSize else { return nil }
        let count = Int(bytes[14]) << 8 | Int(bytes[15])
        guard count <= Self.variableLimit else { throw .tooLong }
        let length = Self.fixedSize + count
        switch command {
        // We must discard all that follows, including the family.
        case .local: return bytes.count < length ? nil : ProxyHeader(client: nil, length: length)
        case .proxy:
            guard let family = Family(rawValue: bytes[13]), count >= family.size else { throw .badFamily }
            guard bytes.count >= length else { return nil }
            let header = bytes.extracting(0..<length)
            if family != .unspecified { try Self.checkExtensions(of: header, from: Self.fixedSize + family.size) }
            return ProxyHeader(client: family.sourceSize.flatMap { Self.source(header, size: $0) }, length: length)
        }
    }

    private static func source(_ header: Span<UInt8>, size: Int) -> IPAddress? {
        header.extracting(Self.fixedSize..<(Self.fixedSize + size)).withUnsafeBytes { IPAddress($0) }
    }

    /// Type, length and value follow each other. We need none of them, but their lengths must add up.
    private static func checkExtensions(of header: Span<UInt8>, from start: Int) throws(ProxyHeaderError) {
        var index = start
        while index < header.count {
            guard index + 3 <= header.count else { throw .badExtension }
            let value = (index + 3)..<(index + 3 + (Int(header[index + 1]) << 8 | Int(header[index + 2])))
            guard value.upperBound <= header.count else { throw .badExtension }
            if header[index] == Self.checksumType { try Self.checkChecksum(of: header, at: value) }
            index = value.upperBound
        }
    }

    /// The checksum covers the header with the checksum itself set to zero (§2.2.3).
    private static func checkChecksum(of header: Span<UInt8>, at value: Range<Int>) throws(ProxyHeaderError) {
        guard value.count == 4 else { throw .badExtension }
        var statedChecksum: UInt32 = 0
        for index in value { statedChecksum = statedChecksum << 8 | UInt32(header[index]) }
        guard CRC32C.checksum(header, zeroing: value) == statedChecksum else { throw .badChecksum }
    }
}

/// Castagnoli's checksum (RFC 9260 appendix A), bit by bit: it covers few bytes, once per connection.
enum CRC32C {
    /// The polynomial 0x1EDC6F41, lowest bit first.
    private static let polynomial: UInt32 = 0x82F6_3B78

    /// Computes the checksum as if the bytes of `hole` were zero.
    static func checksum(_ bytes: Span<UInt8>, zeroing hole: Range<Int> = 0..<0) -> UInt32 {
        var rest = UInt32.max
        for index in bytes.indices {
            rest ^= UInt32(hole.contains(index) ? 0 : bytes[index])
            for _ in 0..<8 { rest = rest & 1 == 1 ? rest >> 1 ^ Self.polynomial : rest >> 1 }
        }
        return ~rest
    }
}
