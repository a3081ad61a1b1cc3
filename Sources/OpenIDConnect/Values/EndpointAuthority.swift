/// The host and port of a URL (RFC 3986 §3.2), without user information.
struct EndpointAuthority {
    let host: String
    let port: Int?

    init?(_ text: Substring) {
        let isBracketed = text.hasPrefix("[")
        guard !isBracketed || text.contains("]") else { return nil }
        let hostEnd = isBracketed ? text.firstIndex(of: "]").map { text.index(after: $0) } : text.firstIndex(of: ":")
        let host = text[..<(hostEnd ?? text.endIndex)].lowercased()
        let tail = text[(hostEnd ?? text.endIndex)...]

        guard tail.isEmpty || tail.hasPrefix(":") else { return nil }
        let port = tail.isEmpty ? nil : Self.port(tail.dropFirst())
        guard tail.isEmpty || port != nil else { return nil }

        let bare = isBracketed ? String(host.dropFirst().dropLast()) : host
        guard isBracketed ? Self.isIPv6(bare) : Self.isName(bare) || Self.isIPv4(bare) else { return nil }
        self.host = bare
        self.port = port
    }

    private static func port(_ digits: Substring) -> Int? {
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isDigit), let port = Int(digits),
            (1...65535).contains(port)
        else { return nil }
        return port
    }

    /// A DNS name whose last label does not begin with a digit: some resolvers take `2130706433` and `0x7f.1` for
    /// addresses.
    private static func isName(_ host: String) -> Bool {
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard host.utf8.count <= 253, let last = labels.last, last.first?.isDigit == false else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.count)
                && label.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        }
    }

    static func isIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy(\.isDigit), let value = Int(part) else {
                    return false
                }
                return value <= 255 && (part.utf8.count == 1 || !part.hasPrefix("0"))
            }
    }

    /// Groups of hex digits with at most one `::`. A zone or a dotted tail is not allowed.
    private static func isIPv6(_ host: String) -> Bool {
        let groups = host.split(separator: ":", omittingEmptySubsequences: false)
        guard (3...9).contains(groups.count) else { return false }
        guard groups.allSatisfy({ $0.utf8.count <= 4 && $0.utf8.allSatisfy(\.isHexDigit) }) else { return false }
        let filledCount = groups.count { !$0.isEmpty }
        let halves = host.split(separator: "::", omittingEmptySubsequences: false)
        switch halves.count {
        case 1: return filledCount == 8 && groups.count == 8
        case 2: return filledCount <= 7 && halves.allSatisfy { !$0.hasPrefix(":") && !$0.hasSuffix(":") }
        default: return false
        }
    }
}
