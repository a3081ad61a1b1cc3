// The grammar of each kind of text, and its name in messages.

import Base
import HTTPServer
import HTTPWire
import KeyFiles
import OpenIDConnect

extension SettingKind {
    /// What a message says after "must be".
    var demand: String {
        switch self {
        case .text, .names: "text"
        case .word: "printable ASCII without spaces"
        case .integer(let range, let unit) where range.upperBound == .max:
            "a whole number\(unit.phrase), at least \(range.lowerBound)"
        case .integer(let range, let unit):
            "a whole number\(unit.phrase) from \(range.lowerBound) to \(range.upperBound)"
        case .ratio: "a number from 0 to 1, as in 0.1"
        case .boolean: "true or false"
        case .time: "a time in UTC, as in 2026-11-22T14:00:00Z"
        case .choice(let words): words.count == 1 ? words.joined() : "one of \(words.joined(separator: ", "))"
        case .address:
            "an address and a port, as in 127.0.0.1:8080 or [::]:8080, or unix: and an absolute path of at most 107 bytes, as in unix:/run/switchback/http.sock"
        case .file: "the path of a file"
        case .folder: "the path of a folder"
        case .origin: "https://host or https://host:port, without a path or a final slash"
        case .pageOrigin:
            "https://host or https://host:port, without a path or a final slash, or the scheme and host of a hybrid app's pages, as in capacitor://localhost"
        case .issuer: "an https URL without query, fragment or user"
        case .returnPrefix: "https://host/path or scheme.with.dots:/path, without query, fragment or user"
        case .scheme: "a reversed domain name with a dot and without a colon, as in com.example.shop"
        case .appleAppID:
            "the team's ten letters and digits, a dot and the bundle id, as in ABCDE12345.com.example.shop"
        case .androidPackage: "an application id, as in com.example.shop"
        case .fingerprint:
            "a SHA-256 fingerprint as keytool prints it: 32 pairs of capital hex digits, separated by colons"
        case .probeLink: "a URL, as in bankid:///"
        case .link: "an https URL without a user"
        case .picture: "an https URL, or the name of a file in assets, as in example.svg"
        case .color: "a colour with six hex digits, as in #14532d"
        case .contact: "an https URL, or mailto: and an address, as in mailto:help@example.com"
        case .host: "a host name"
        case .trustedPeer: "an address or a network, as in 10.0.0.0/8 or fd00::/8, or unix"
        case .country: "a country code in capitals, as in DK"
        case .language: "a language tag, as in en, da or sv-FI"
        case .list(let element): "a list of \(element.plural)"
        }
    }

    var plural: String {
        switch self {
        case .file: "files"
        case .host: "host names"
        case .trustedPeer: "networks"
        case .country: "countries"
        case .issuer, .returnPrefix, .probeLink, .link, .picture, .contact: "URLs"
        case .origin, .pageOrigin: "origins"
        case .appleAppID: "app ids"
        case .androidPackage: "packages"
        case .fingerprint: "fingerprints"
        case .word, .choice: "words"
        case .text, .integer, .ratio, .boolean, .time, .address, .folder, .scheme, .language, .names, .color, .list:
            "texts"
        }
    }

    func accepts(_ text: String) -> Bool {
        switch self {
        case .text, .names, .integer, .boolean, .list: true
        case .file, .folder: Self.isPath(text)
        case .time: Timestamp(wholeSecondRFC3339: text) != nil
        case .ratio: Self.ratio(text) != nil
        case .word: text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        case .choice(let words): words.contains(text)
        case .address: ListenAddress(text) != nil
        case .origin: Self.isOrigin(text)
        case .pageOrigin: Self.isOrigin(text) || Self.isHybridOrigin(text)
        case .issuer: EndpointURL(text).map { $0.query == nil } ?? false
        case .returnPrefix: Self.isReturnPrefix(text)
        case .scheme: Self.isReversedDomain(text[...])
        case .appleAppID: Self.isAppleAppID(text)
        case .androidPackage: Self.isAndroidPackage(text)
        case .fingerprint: Self.isFingerprint(text)
        case .probeLink: Self.isProbeLink(text)
        case .link: Self.isLink(text)
        case .picture: Self.isLink(text) || Self.isAssetName(text)
        case .color: PageColor(text) != nil
        case .contact: Self.isLink(text) || Self.isMailto(text)
        case .host: EndpointURL("https://\(text)/").map { $0.host == text && $0.port == 443 } ?? false
        case .trustedPeer: TrustedPeer(text) != nil
        case .country: text.utf8.count == 2 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        case .language: Self.isLanguage(text)
        }
    }

    /// No shell reads the path. What looks like a key is refused, because the message about a missing file repeats its
    /// path.
    private static func isPath(_ text: String) -> Bool {
        !text.hasPrefix("~") && !text.hasPrefix("$") && !text.hasPrefix("[") && !text.contains("://")
            && !Self.isKeyItself(text)
    }

    /// Whether somebody put the content of a key file in the place of its path.
    static func isKeyItself(_ text: String) -> Bool {
        if text.contains("-----BEGIN") { return true }
        let isEncoded = text.wholeMatch(of: /[A-Za-z0-9+_-][A-Za-z0-9+\/_-]{39,}={0,2}/) != nil
        return isEncoded && text.contains(where: \.isUppercase) && text.contains(where: \.isLowercase)
            && text.contains(where: \.isNumber)
    }

    private static func isOrigin(_ text: String) -> Bool {
        EndpointURL(text)?.origin == text
    }

    /// Schemes that are no app's. The origin of a page with most of them is `null`, which anyone can have.
    private static let commonSchemes: Set<String> = [
        "about", "blob", "content", "data", "file", "filesystem", "ftp", "http", "https", "intent", "javascript", "ws",
        "wss",
    ]

    /// Checks the origin of a page that a web view loads from its app, as WKWebView writes it: a scheme of the app's
    /// framework and a host (RFC 6454 §6.2).
    private static func isHybridOrigin(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return false }
        let scheme = text[..<colon]
        return scheme.utf8.first.map(Self.isLower) ?? false
            && scheme.utf8.allSatisfy { Self.isLower($0) || Self.isDigit($0) || "+-.".utf8.contains($0) }
            && !Self.commonSchemes.contains(String(scheme))
            && SettingKind.host.accepts(String(text[colon...].dropFirst(3)))
    }

    /// A prefix needs a path: without one, `https://link.example.com` would also match `https://link.example.com.evil`.
    /// An app's own scheme has a dot (RFC 8252 §7.1); `javascript`, `data` and `intent` have none.
    private static func isReturnPrefix(_ text: String) -> Bool {
        if let url = EndpointURL(text) { return url.query == nil && Self.isAsBrowsersWrite(url) }
        guard let colon = text.firstIndex(of: ":"), SettingKind.word.accepts(text) else { return false }
        let rest = text[text.index(after: colon)...]
        return Self.isReversedDomain(text[..<colon]) && rest.hasPrefix("/")
            && !rest.contains { "?#@\\\"<>".contains($0) }
    }

    /// Checks that a browser that opens the URL has it unchanged in its address bar. An app or a page that is opened
    /// hands in what stands there, and its beginning is compared byte by byte.
    private static func isAsBrowsersWrite(_ url: EndpointURL) -> Bool {
        guard url.path.hasPrefix("/"), url.text == url.origin + url.path else { return false }
        return url.path.split(separator: "/").allSatisfy { segment in
            // A browser takes an escaped dot for a dot here.
            let dots = segment.lowercased().replacing("%2e", with: ".")
            return dots != "." && dots != ".."
        }
    }

    private static func isReversedDomain(_ scheme: Substring) -> Bool {
        let labels = scheme.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1
            && labels.allSatisfy { label in
                !label.isEmpty && label.utf8.allSatisfy { Self.isLower($0) || Self.isDigit($0) || $0 == 0x2D }
            } && scheme.utf8.first.map(Self.isLower) ?? false
    }

    private static func isLink(_ text: String) -> Bool { text.hasPrefix("https://") && EndpointURL(text) != nil }

    /// Checks one address (RFC 6068 §2) of plain characters, which need no escapes.
    private static func isMailto(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard text.hasPrefix("mailto:"), parts.count == 2, parts[0] != "mailto:",
            SettingKind.host.accepts(String(parts[1]))
        else { return false }
        return parts[0].dropFirst("mailto:".count).utf8.allSatisfy {
            Self.isLower($0 | 0x20) || Self.isDigit($0) || "._+-".utf8.contains($0)
        }
    }

    private static func isAssetName(_ text: String) -> Bool {
        [".svg", ".png"].contains { text.hasSuffix($0) } && !text.hasPrefix(".")
            && text.utf8.allSatisfy {
                Self.isLower($0 | 0x20) || Self.isDigit($0) || $0 == 0x5F || $0 == 0x2D || $0 == 0x2E
            }
    }

    /// Checks a primary language with subtags, the common form of BCP 47.
    static func isLanguage(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let first = parts.first, (2...3).contains(first.utf8.count), first.utf8.allSatisfy(Self.isLower) else {
            return false
        }
        return parts.dropFirst().allSatisfy { part in
            (2...8).contains(part.utf8.count) && part.utf8.allSatisfy { Self.isLower($0 | 0x20) || Self.isDigit($0) }
        }
    }

    /// Checks the names of apps, brokers and providers. Two underscores together would make variables ambiguous.
    package static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, Self.isLower(first), text.utf8.last != 0x5F else { return false }
        return !text.contains("__") && text.utf8.allSatisfy { Self.isLower($0) || Self.isDigit($0) || $0 == 0x5F }
    }

    static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension SettingKind.Unit {
    /// "of seconds", for a message.
    fileprivate var phrase: String {
        switch self {
        case .none: ""
        case .bytes, .seconds: " of \(self.rawValue)"
        }
    }
}

/// The grammar of the app ids of Apple and Google.
extension SettingKind {
    /// Checks a team id of ten letters and digits, and a bundle id of letters, digits, hyphens and dots.
    static func isAppleAppID(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, let team = labels.first, team.utf8.count == 10 else { return false }
        return team.utf8.allSatisfy { Self.isUpper($0) || Self.isDigit($0) }
            && labels.dropFirst().allSatisfy { label in
                !label.isEmpty && label.utf8.allSatisfy { Self.isLetter($0) || Self.isDigit($0) || $0 == 0x2D }
            }
    }

    /// Checks two segments or more; each begins with a letter and has letters, digits and underscores.
    static func isAndroidPackage(_ text: String) -> Bool {
        let segments = text.split(separator: ".", omittingEmptySubsequences: false)
        return segments.count > 1
            && segments.allSatisfy { segment in
                segment.utf8.first.map(Self.isLetter) ?? false
                    && segment.utf8.allSatisfy { Self.isLetter($0) || Self.isDigit($0) || $0 == 0x5F }
            }
    }

    /// Digital Asset Links compares fingerprints as text, so lowercase letters would match no app.
    static func isFingerprint(_ text: String) -> Bool {
        let pairs = text.split(separator: ":", omittingEmptySubsequences: false)
        return pairs.count == 32
            && pairs.allSatisfy { pair in
                pair.utf8.count == 2 && pair.utf8.allSatisfy { Self.isDigit($0) || (0x41...0x46).contains($0) }
            }
    }

    /// Checks a scheme (RFC 3986 §3.1), a colon, and printable ASCII.
    static func isProbeLink(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), SettingKind.word.accepts(text) else { return false }
        let scheme = text[..<colon].utf8
        return scheme.first.map(Self.isLetter) ?? false
            && scheme.allSatisfy { Self.isLetter($0) || Self.isDigit($0) || "+-.".utf8.contains($0) }
    }

    private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { Self.isLower(byte | 0x20) }
}

extension SettingKind {
    /// Takes digits with at most one point. `Double` would take `nan` and `0x1p-3` too.
    static func ratio(_ text: String) -> Double? {
        guard text.utf8.count <= 20,
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") }),
            let number = Double(text), (0...1).contains(number)
        else { return nil }
        return number
    }
}
