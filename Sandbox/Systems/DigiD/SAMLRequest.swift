import Base

/// A SAML authentication request as DigiD reads it: only the parts that matter.
struct SAMLRequest: Sendable {
    static let algorithm = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
    private static let limit = 16 * 1024

    let id: String
    let issuer: String
    let issueInstant: String
    let contextClass: String

    /// Reads the value of `SAMLRequest`: deflated, in base64. Nil if DigiD would respond with 404.
    init?(encoded text: String) {
        guard let bytes = Base64.decode(text), let inflated = RedirectDeflate.decompress(bytes, limit: Self.limit),
            let xml = String(validating: inflated, as: UTF8.self), xml.hasPrefix("<samlp:AuthnRequest "),
            let id = Self.first(xml, /\sID="([^"]+)"/), let instant = Self.first(xml, /\sIssueInstant="([^"]+)"/),
            Self.first(xml, /\sDestination="(https?:\/\/[^"]+)"/) != nil,
            Self.first(xml, /\sAssertionConsumerService(?:Index|URL)="([^"]+)"/) != nil,
            Self.first(xml, /\sForceAuthn="(false)"/) != nil, Self.first(xml, /\sVersion="(2\.0)"/) != nil,
            let issuer = Self.first(xml, /<saml:Issuer>([^<]+)<\/saml:Issuer>/),
            let contextClass = Self.first(xml, /<saml:AuthnContextClassRef>([^<]+)<\/saml:AuthnContextClassRef>/),
            Self.first(xml, /<samlp:RequestedAuthnContext (Comparison="minimum")>/) != nil
        else { return nil }
        self.id = id
        self.issuer = issuer
        self.issueInstant = instant
        self.contextClass = contextClass
    }

    /// Returns the pattern's group in its first match.
    private static func first(_ xml: String, _ pattern: Regex<(Substring, Substring)>) -> String? {
        (try? pattern.firstMatch(in: xml)).flatMap { $0 }.map { String($0.1) }
    }

    /// Returns whether DigiD's app refuses the request, because its time is more than a minute from ours.
    func isOld(at now: Timestamp) -> Bool {
        let (earliest, latest) = (now - .seconds(60), now + .seconds(60))
        return self.issueInstant < earliest.wholeSecondRFC3339 || self.issueInstant > latest.wholeSecondRFC3339
    }

    /// SAML Bindings, 3.4.4.1: the signature covers the query.
    static func signed(_ request: String, relayState: String?) -> [UInt8] {
        let relay = relayState.map { "&RelayState=\(Self.escaped($0))" } ?? ""
        return Array("SAMLRequest=\(Self.escaped(request))\(relay)&SigAlg=\(Self.escaped(Self.algorithm))".utf8)
    }

    private static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { out, byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
                out.append(character)
            } else {
                out += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }
}
