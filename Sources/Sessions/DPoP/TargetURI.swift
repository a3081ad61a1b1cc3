/// The URI of a request without query and fragment, normalized so that two ways to write it are equal (RFC 3986 §6.2.2
/// and §6.2.3, which RFC 9449 §4.3 asks for).
struct TargetURI: Equatable {
    private static let byteLimit = 2048

    private let scheme: String
    private let host: [UInt8]
    private let port: Int
    private let path: [UInt8]

    /// Returns nil unless the text is an absolute http or https URI without user information.
    init?(_ text: String) {
        guard text.utf8.count <= Self.byteLimit, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        let whole = text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard let (scheme, port, rest) = Self.scheme(Array(whole)) else { return nil }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") }
        guard let (host, ownPort) = Self.hostAndPort(authority),
            let path = Self.decodingUnreserved(rest[authority.endIndex...])
        else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = ownPort ?? port
        self.path = Self.removingDotSegments(path)
    }

    /// Reads the scheme. Returns its usual port and what follows the two slashes.
    private static func scheme(_ bytes: [UInt8]) -> (String, Int, ArraySlice<UInt8>)? {
        for (name, port) in [("https", 443), ("http", 80)] {
            let start = Array("\(name)://".utf8)
            guard bytes.count > start.count, bytes.prefix(start.count).map(Self.lowercase) == start else { continue }
            return (name, port, bytes[start.count...])
        }
        return nil
    }

    private static func hostAndPort(_ authority: ArraySlice<UInt8>) -> ([UInt8], Int?)? {
        // An IPv6 address has colons of its own, within brackets.
        let end = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        let colon = authority[end...].firstIndex(of: UInt8(ascii: ":"))
        let host = authority[..<(colon ?? authority.endIndex)]
        // No host of ours has an escape.
        guard !host.isEmpty, !host.contains(UInt8(ascii: "@")), !host.contains(UInt8(ascii: "%")) else { return nil }
        guard let digits = colon.map({ authority[($0 + 1)...] }), !digits.isEmpty else {
            return (host.map(Self.lowercase), nil)
        }
        guard digits.count <= 5, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return (host.map(Self.lowercase), digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
    }

    /// Writes escapes in capitals, and what needs none without (§6.2.2.1, §6.2.2.2). Returns nil for half an escape.
    private static func decodingUnreserved(_ path: ArraySlice<UInt8>) -> [UInt8]? {
        var decoded: [UInt8] = []
        var rest = path
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Self.digit), let low = rest.popFirst().flatMap(Self.digit) else {
                return nil
            }
            let value = high << 4 | low
            decoded += Self.isUnreserved(value) ? [value] : [byte, Self.hexadecimal(high), Self.hexadecimal(low)]
        }
        return decoded
    }

    /// RFC 3986 §5.2.4.
    private static func removingDotSegments(_ path: [UInt8]) -> [UInt8] {
        let segments = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var keptSegments: [ArraySlice<UInt8>] = []
        for (index, segment) in segments.enumerated() {
            let isDots = segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8)
            guard isDots else {
                keptSegments.append(segment)
                continue
            }
            if segment.count == 2 { _ = keptSegments.popLast() }
            if index == segments.count - 1 { keptSegments.append([]) }
        }
        return keptSegments.flatMap { [UInt8(ascii: "/")] + $0 }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 { digit < 10 ? digit + 0x30 : digit + 0x37 }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
