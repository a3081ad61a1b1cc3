// What to write instead of a text that is refused, where the mistake is a common one.

extension SettingKind {
    /// Returns the end of the message that refuses the text; empty if there is no advice.
    func advice(on text: String) -> String {
        if text.lowercased().contains("{tenant") {
            return
                "; put the id of your own tenant in place of the braces, because with common or organizations the users of any tenant could log in"
        }
        if text.contains("{") { return "; replace what is in braces, which stands for something else" }
        switch self {
        case .origin, .pageOrigin, .issuer, .returnPrefix, .link, .host: return Self.adviceOnHost(of: text)
        case .trustedPeer: return Self.adviceOnNetwork(text)
        case .text, .word, .integer, .ratio, .boolean, .time, .choice, .address, .file, .folder, .scheme, .appleAppID,
            .androidPackage, .fingerprint, .probeLink, .picture, .color, .contact, .country, .language, .names, .list:
            return ""
        }
    }

    private static func adviceOnHost(of text: String) -> String {
        let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        let authority = rest.prefix { !"/?#".contains($0) }
        let host = authority.prefix { $0 != ":" }
        if !authority.utf8.allSatisfy({ $0 < 0x80 }) {
            return "; write the domain as DNS has it, with labels that begin with xn--"
        }
        if authority.contains(where: \.isUppercase) { return "; write the host in lower case" }
        if host.hasSuffix(".") { return "; leave out the final dot of the host" }
        if authority.hasSuffix(":443"), text.hasPrefix("https:") { return "; leave out :443, which https always has" }
        if authority.hasSuffix(":80"), text.hasPrefix("http:") { return "; leave out :80, which http always has" }
        return ""
    }

    private static func adviceOnNetwork(_ text: String) -> String {
        let parts = text.split(separator: "/")
        guard parts.count == 2, let length = Int(parts[1]), (0...32).contains(length) else { return "" }
        let bytes = parts[0].split(separator: ".").compactMap { UInt32($0) }
        guard bytes.count == 4, bytes.allSatisfy({ $0 < 256 }) else { return "" }
        let address = bytes.reduce(UInt32(0)) { $0 << 8 | $1 }
        let network = length == 0 ? 0 : address & (UInt32.max << UInt32(32 - length))
        let dotted = [24, 16, 8, 0].map { String(network >> UInt32($0) & 0xFF) }.joined(separator: ".")
        return "; the network of that length is \(dotted)/\(length)"
    }
}
