// Version 1 of the PROXY protocol: one line of text (proxy-protocol.txt §2.1).

extension ProxyHeader {
    /// The longest line in the specification, including its CRLF.
    private static let lineLimit = 107

    static func readText(_ bytes: Span<UInt8>) throws(ProxyHeaderError) -> ProxyHeader? {
        guard try Self.begins(bytes, with: "PROXY ") else { return nil }
        let bytes = bytes.extracting(0..<min(bytes.count, Self.lineLimit))
        guard let end = ByteScan.lineFeed(in: bytes, from: 0) else {
            guard bytes.count < Self.lineLimit else { throw .tooLong }
            return nil
        }
        guard bytes[end - 1] == .carriageReturn else { throw .badLine }
        let words = String(ascii: bytes.extracting(6..<(end - 1))).elements(separatedBy: .space, omittingEmpty: false)
        // We must ignore what follows UNKNOWN.
        let client = words[0].utf8.span.isEqual(to: "UNKNOWN") ? nil : try Self.client(words)
        return ProxyHeader(client: client, length: end + 1)
    }

    private static func client(_ words: [Substring]) throws(ProxyHeaderError) -> IPAddress {
        guard words.count == 5, let source = Self.address(words[1], of: words[0]),
            Self.address(words[2], of: words[0]) != nil, Self.isPort(words[3]), Self.isPort(words[4])
        else { throw .badLine }
        return source
    }

    private static func address(_ text: Substring, of family: Substring) -> IPAddress? {
        switch family {
        case "TCP4": IPAddress(v4: String(text))
        case "TCP6": IPAddress(v6: String(text))
        default: nil
        }
    }

    /// Whether it is decimal, without leading zeros.
    private static func isPort(_ text: Substring) -> Bool {
        guard 1...5 ~= text.utf8.count, text == "0" || text.utf8.first != UInt8(ascii: "0") else { return false }
        return Int(digits: text.utf8).map { $0 <= 65_535 } ?? false
    }
}
