/// An absolute `http` or `https` URL, parsed strictly: a text that two parsers could read differently is refused.
///
/// It is ASCII only, without user information or fragment. Its host has letters, digits, hyphens, underscores and dots,
/// or is an address in its usual spelling (RFC 3986 §3.2.2).
package struct EndpointURL: Equatable, Sendable {
    package enum Scheme: String, Sendable {
        case http
        case https
    }

    /// The text as given.
    package let text: String
    package let scheme: Scheme
    /// In lower case. An IPv6 address has no brackets.
    package let host: String
    package let port: Int
    /// As given: empty, or beginning with `/`.
    package let path: String
    package let query: String?

    /// Returns nil for any other text.
    package init?(_ text: String) {
        guard text.utf8.count <= 2048, let parts = Parts(text), let scheme = Scheme(rawValue: parts.scheme),
            let authority = EndpointAuthority(parts.authority),
            Self.isWritten(parts.path, with: "/:@"), Self.isWritten(parts.query ?? "", with: "/:@?")
        else { return nil }
        self.text = text
        self.scheme = scheme
        self.host = authority.host
        self.port = authority.port ?? (scheme == .https ? 443 : 80)
        self.path = String(parts.path)
        self.query = parts.query.map { String($0) }
    }

    /// The scheme, the host, and the port unless it is the default (RFC 6454 §6.2).
    package var origin: String {
        let host = self.host.utf8.contains(UInt8(ascii: ":")) ? "[\(self.host)]" : self.host
        let isUsual = self.port == (self.scheme == .https ? 443 : 80)
        return "\(self.scheme.rawValue)://\(host)" + (isUsual ? "" : ":\(self.port)")
    }

    package var isLoopback: Bool {
        if self.host == "localhost" || self.host == "::1" { return true }
        return EndpointAuthority.isIPv4(self.host) && self.host.hasPrefix("127.")
    }
}

// MARK: - The grammar

extension EndpointURL {
    /// The text cut at its delimiters (RFC 3986 appendix B).
    private struct Parts {
        let scheme: String
        let authority: Substring
        let path: Substring
        let query: Substring?

        init?(_ text: String) {
            guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), let colon = text.firstIndex(of: ":") else {
                return nil
            }
            self.scheme = text[..<colon].lowercased()
            let rest = text[colon...].dropFirst()
            guard rest.hasPrefix("//") else { return nil }
            let afterSlashes = rest.dropFirst(2)
            self.authority = afterSlashes.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            let tail = afterSlashes[self.authority.endIndex...]
            self.path = tail.prefix { $0 != "?" }
            let query = tail[self.path.endIndex...]
            self.query = query.isEmpty ? nil : query.dropFirst()
        }
    }

    /// True when every byte is a `pchar` or in `others`, and every percent sign begins an escape (RFC 3986 §3.3).
    private static func isWritten(_ text: Substring, with others: String) -> Bool {
        var escape = 0
        for byte in text.utf8 {
            if escape > 0 {
                guard byte.isHexDigit else { return false }
                escape -= 1
            } else if byte == UInt8(ascii: "%") {
                escape = 2
            } else {
                guard byte.isUnreserved || "!$&'()*+,;=".utf8.contains(byte) || others.utf8.contains(byte) else {
                    return false
                }
            }
        }
        return escape == 0
    }
}
