// What to write instead of a text that is refused, where the mistake is a common one.

import Base

extension SettingKind {
    /// Returns the end of the message that refuses the text; empty if there is no advice.
    func advice(on text: String) -> String {
        if text.lowercased().contains("{tenant") {
            return
                "; put the id of your own tenant in place of the braces, because with common or organizations the users of any tenant could log in"
        }
        if text.contains("{"), !self.isPath { return "; replace what is in braces, which stands for something else" }
        switch self {
        case .origin, .pageOrigin, .issuer, .returnPrefix, .link, .host: return Self.adviceOnHost(of: text)
        case .trustedPeer: return Self.adviceOnNetwork(text)
        case .integer(_, let unit): return Self.adviceOnNumber(text, unit)
        case .boolean: return Self.adviceOnTruth(text)
        case .address: return Self.adviceOnAddress(text)
        case .file, .folder: return Self.adviceOnPath(text)
        case .language: return Self.adviceOnLanguage(text)
        case .country: return Self.accepts(country: text.uppercased()) ? "; write \(text.uppercased())" : ""
        case .choice(let words): return Self.adviceOnWord(text, words)
        case .text, .word, .ratio, .time, .scheme, .appleAppID, .androidPackage, .fingerprint, .probeLink, .picture,
            .color, .contact, .names, .list:
            return ""
        }
    }

    private static func accepts(country text: String) -> Bool { SettingKind.country.accepts(text) }

    /// What brokers were called before, or are called by others, and what other programs call our words.
    private static let otherWords = [
        "criipto": "idura", "criipto_verify": "idura", "idura_verify": "idura", "nets": "signaturgruppen",
        "nets_eid_broker": "signaturgruppen", "neb": "signaturgruppen", "vipps_mobilepay": "vipps",
        "onewelcome": "digid", "openid": "oidc", "openid_connect": "oidc", "generic": "oidc",
    ]

    private static func adviceOnWord(_ text: String, _ words: [String]) -> String {
        let text = text.lowercased().replacing("-", with: "_").replacing(" ", with: "_")
        if let same = words.first(where: { $0.lowercased() == text }) ?? Self.otherWords[text], words.contains(same) {
            return "; did you mean \(same)?"
        }
        // `link` is return_link, if no other word has it.
        let longer = words.filter { $0.split(separator: "_").contains { $0 == text } }
        // RS256 and RS512 differ in few letters and mean different things, so a name with a number has no nearest name.
        let others = words.filter { !$0.contains(where: \.isNumber) }
        let nearest = words.count > 2 ? SpellingSuggestion.word(to: text, in: others) : nil
        return (nearest ?? (longer.count == 1 ? longer.first : nil)).map { "; did you mean \($0)?" } ?? ""
    }

    /// YAML 1.1 has more words for the two, and so have people.
    private static func adviceOnTruth(_ text: String) -> String {
        switch text.lowercased() {
        case "yes", "y", "on", "1", "true", "enabled": "; write true"
        case "no", "n", "off", "0", "false", "disabled": "; write false"
        default: ""
        }
    }

    /// Durations and sizes are numbers without a unit: `5 min`, `1h30m`, `64k`, `1_000`.
    private static func adviceOnNumber(_ text: String, _ unit: Unit) -> String {
        let plain = text.lowercased().filter { !" _,'".contains($0) }
        guard let match = plain.wholeMatch(of: /([0-9]{1,9})([a-z]*)/), let number = Int(match.1) else { return "" }
        let factor: Int? =
            switch (unit, String(match.2)) {
            case (_, ""): plain == text ? nil : 1
            case (.seconds, "s"), (.seconds, "sec"), (.seconds, "secs"), (.seconds, "second"), (.seconds, "seconds"),
                (.bytes, "b"), (.bytes, "bytes"):
                1
            case (.seconds, "m"), (.seconds, "min"), (.seconds, "mins"), (.seconds, "minute"), (.seconds, "minutes"): 60
            case (.seconds, "h"), (.seconds, "hour"), (.seconds, "hours"): 3600
            case (.seconds, "d"), (.seconds, "day"), (.seconds, "days"): 86_400
            case (.bytes, "k"), (.bytes, "kb"), (.bytes, "kib"): 1024
            case (.bytes, "m"), (.bytes, "mb"), (.bytes, "mib"): 1024 * 1024
            default: nil
            }
        return factor.map { "; write \(number * $0)" } ?? ""
    }

    private static func adviceOnAddress(_ text: String) -> String {
        if text.hasPrefix("http://") || text.hasPrefix("https://") { return "; leave out what stands before the host" }
        if let port = UInt16(text.trimmingPrefix(":")) {
            return "; write 127.0.0.1:\(port), or 0.0.0.0:\(port) for all"
        }
        if text.hasPrefix("/") { return "; write unix:\(text)" }
        if text.hasPrefix("*:") { return "; write 0.0.0.0\(text.dropFirst())" }
        let host = text.prefix { $0 != ":" }
        return host.contains(where: \.isLetter) && !text.contains("[") && !text.hasPrefix("unix:")
            ? "; write the address of the host, and not its name" : ""
    }

    private static func adviceOnPath(_ text: String) -> String {
        if Self.isKeyItself(text) {
            return ", and this is a key itself: write it to a file that only the server can read"
        }
        if text.hasPrefix("~") || text.hasPrefix("$") {
            return "; no shell reads it, so write the whole path without \(text.prefix(1))"
        }
        if text.hasPrefix("[") { return "; write it without brackets, and put commas between several" }
        return text.hasPrefix("file:") ? "; leave out file://" : ", and not a URL"
    }

    private static func adviceOnLanguage(_ text: String) -> String {
        let tag = text.replacing("_", with: "-").prefix { $0 != "." }
        let parts = tag.split(separator: "-")
        guard let first = parts.first, parts.count < 3 else { return "" }
        let writtenTag = ([first.lowercased()] + parts.dropFirst().map { $0.uppercased() }).joined(separator: "-")
        return Self.isLanguage(writtenTag) && writtenTag != text ? "; write \(writtenTag)" : ""
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
