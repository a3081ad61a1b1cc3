import OpenIDConnect

/// Addresses that are taken for issuers: that of a document, and those of Microsoft Entra ID that stand for any tenant.
package enum IssuerMistake {
    /// Entra ID's discovery documents for any tenant write the issuer as a pattern, in two versions:
    /// `https://login.microsoftonline.com/{tenantid}/v2.0` and `https://sts.windows.net/{tenantid}/`.
    package static func isPattern(_ issuer: String) -> Bool { issuer.contains("{") }

    /// What to configure in place of such a pattern, or of an address that leads to one.
    package static let tenantAdvice =
        "with it the users of any tenant could log in. Use the issuer of your own tenant, as in https://login.microsoftonline.com/TENANT-ID/v2.0"

    private static let entraHosts: Set<String> = [
        "login.microsoftonline.com", "login.microsoft.com", "login.windows.net", "login.microsoftonline.us",
        "login.partner.microsoftonline.cn", "sts.windows.net",
    ]

    private static let wellKnown = "/.well-known/"

    /// Returns nil if the issuer is no such address.
    static func advice(on issuer: EndpointURL) -> String? {
        if let range = issuer.text.firstRange(of: self.wellKnown) {
            return
                "is the address of a document and not the issuer: remove the part that begins with \(self.wellKnown), and compare with issuer in it: perhaps \(issuer.text[..<range.lowerBound])"
        }
        guard self.entraHosts.contains(issuer.host) else { return nil }
        switch issuer.path.split(separator: "/").first?.lowercased() {
        case "common", "organizations": return "stands for every tenant of Entra ID: \(self.tenantAdvice)"
        case "consumers":
            return
                "is not the issuer in its tokens. That is https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0, for personal accounts of Microsoft"
        default: return nil
        }
    }
}
