import Base

/// The `ID` of a SAML request that somebody else made (SAML Core, 3.2.1), from its form in the redirect binding.
///
/// We read only the first tag, and accept only what XML 1.0 allows there. A browser that returns to us must name this
/// id, so we take no id from a request that leaves one in doubt.
package enum SAMLRequestID {
    /// In bytes of XML. Requests with a certificate take some 3,000.
    private static let limit = 64 * 1024
    /// DigiD's ids have at most 80 characters. SAML sets no limit.
    private static let idLimit = 256

    /// Returns the id of a deflated request in base64 (SAML Bindings, 3.4.4.1). Nil if it is anything else.
    package static func read(_ text: String) -> String? {
        guard let deflated = Base64.decode(text), let xml = SAMLDeflate.decompress(deflated, limit: Self.limit) else {
            return nil
        }
        return Self.read(xml: xml)
    }

    /// Returns the id of a request in XML.
    package static func read(xml: [UInt8]) -> String? {
        guard var rest = String(validating: xml, as: UTF8.self)?.unicodeScalars[...] else { return nil }
        Self.skipProlog(&rest)
        guard rest.popFirst() == "<", let name = Self.name(&rest),
            name.split(separator: ":", omittingEmptySubsequences: false).last == "AuthnRequest"
        else { return nil }
        return Self.id(inAttributes: &rest).flatMap { Self.isID($0) ? $0 : nil }
    }

    /// Skips the XML declaration, white space and comments. A document type could give names another meaning, so none
    /// is accepted.
    private static func skipProlog(_ rest: inout Substring.UnicodeScalarView) {
        if rest.first == "\u{FEFF}" { rest.removeFirst() }
        while true {
            Self.skipSpace(&rest)
            if rest.starts(with: "<?".unicodeScalars) {
                Self.skip(&rest, through: "?>")
            } else if rest.starts(with: "<!--".unicodeScalars) {
                Self.skip(&rest, through: "-->")
            } else {
                return
            }
        }
    }

    /// Returns the value of the attribute `ID`. Nil if there is none, or if the tag is not well-formed.
    private static func id(inAttributes rest: inout Substring.UnicodeScalarView) -> String? {
        var attributes: [String: String] = [:]
        while true {
            let before = rest.count
            Self.skipSpace(&rest)
            let hasSpace = rest.count < before
            switch rest.first {
            case ">": return attributes["ID"]
            case "/":
                rest.removeFirst()
                return rest.first == ">" ? attributes["ID"] : nil
            default: break
            }
            guard hasSpace, let name = Self.name(&rest), let value = Self.value(&rest),
                attributes.updateValue(value, forKey: name) == nil
            else { return nil }
        }
    }

    private static func name(_ rest: inout Substring.UnicodeScalarView) -> String? {
        let name = rest.prefix { $0.isNameCharacter || $0 == ":" }
        rest.removeFirst(name.count)
        return name.isEmpty ? nil : String(name)
    }

    private static func value(_ rest: inout Substring.UnicodeScalarView) -> String? {
        Self.skipSpace(&rest)
        guard rest.popFirst() == "=" else { return nil }
        Self.skipSpace(&rest)
        guard let quote = rest.popFirst(), quote == "\"" || quote == "'" else { return nil }
        let value = rest.prefix { $0 != quote && $0 != "<" }
        rest.removeFirst(value.count)
        guard rest.popFirst() == quote else { return nil }
        return String(value)
    }

    /// `xs:ID`, in ASCII: it begins with a letter or an underscore, and has no reference (`&…;`).
    private static func isID(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, text.utf8.count <= Self.idLimit else { return false }
        return (first == "_" || first.properties.isAlphabetic) && text.unicodeScalars.allSatisfy(\.isNameCharacter)
    }

    private static func skipSpace(_ rest: inout Substring.UnicodeScalarView) {
        rest.removeFirst(rest.prefix { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\n" }.count)
    }

    private static func skip(_ rest: inout Substring.UnicodeScalarView, through end: String) {
        while !rest.isEmpty, !rest.starts(with: end.unicodeScalars) { rest.removeFirst() }
        rest.removeFirst(min(rest.count, end.unicodeScalars.count))
    }
}

extension Unicode.Scalar {
    /// The ASCII characters of an `NCName` (Namespaces in XML 1.0 §3).
    fileprivate var isNameCharacter: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".": true
        default: false
        }
    }
}
