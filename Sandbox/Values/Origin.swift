/// The part of a URL that a `form-action` can name: `https://host:port`, or `scheme:` for an app's own scheme.
enum Origin {
    static func source(of url: String) -> String? {
        guard let colon = url.firstIndex(of: ":"), url.utf8.allSatisfy(Self.mayStandInPolicy) else { return nil }
        let scheme = url[..<colon]
        guard let first = scheme.utf8.first, Self.isLetter(first) else { return nil }
        let rest = url[url.index(after: colon)...]
        guard rest.hasPrefix("//") else { return "\(scheme):" }
        let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.isEmpty, !authority.contains("@") else { return nil }
        return scheme == "http" || scheme == "https" ? "\(scheme)://\(authority)" : "\(scheme):"
    }

    /// A blank, `;` or `,` would end the directive (CSP 3 §2.2.1).
    private static func mayStandInPolicy(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: ";") && byte != UInt8(ascii: ",")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
