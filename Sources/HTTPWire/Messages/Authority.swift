/// `host [":" port]` in a Host field or a target (RFC 3986 §3.2 without user information).
enum Authority {
    /// There must be a host, although the grammar lets it be empty: every http URI has one (RFC 9110 §4.2.1).
    static func isValid(_ bytes: Span<UInt8>, needsPort: Bool = false) -> Bool {
        guard let end = Self.endOfHost(bytes), end > 0 else { return false }
        guard end < bytes.count else { return !needsPort }
        guard bytes[end] == .colon else { return false }
        let port = bytes.extracting((end + 1)...)
        guard port.count <= 5, !needsPort || !port.isEmpty else { return false }
        for index in port.indices where !port[index].isDigit { return false }
        return true
    }

    private static func endOfHost(_ bytes: Span<UInt8>) -> Int? {
        if !bytes.isEmpty, bytes[0] == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            return IPAddress(v6: bytes.extracting(1..<end)) == nil ? nil : end + 1
        }
        var index = 0
        while index < bytes.count, bytes[index] != .colon {
            if bytes[index] == .percent {
                guard bytes.isEscape(at: index) else { return nil }
                index += 2
            } else if !bytes[index].isRegisteredName {
                return nil
            }
            index += 1
        }
        return index
    }
}

extension Span<UInt8> {
    /// Whether there is a percent sign and two hexadecimal digits (RFC 3986 §2.1).
    func isEscape(at index: Int) -> Bool {
        index + 2 < self.count && self[index] == .percent && self[index + 1].hexValue != nil
            && self[index + 2].hexValue != nil
    }
}
