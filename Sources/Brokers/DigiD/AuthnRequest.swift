import Base

/// A SAML authentication request as DigiD requires it (SAML Core, 3.4.1).
struct AuthnRequest: Sendable {
    let id: String
    let issuedAt: Timestamp
    let service: DigiDService
    let level: DigiDLevel

    /// Returns an `xs:ID`, which must not begin with a digit. It has 256 random bits; SAML Core 1.3.4 requires 128.
    static func makeID() -> String { "_" + Base64URL.encode(RandomBytes.make(32)) }

    var xml: String {
        let attributes = [
            ("xmlns:samlp", "urn:oasis:names:tc:SAML:2.0:protocol"),
            ("xmlns:saml", "urn:oasis:names:tc:SAML:2.0:assertion"), ("ID", self.id), ("Version", "2.0"),
            ("IssueInstant", self.issuedAt.wholeSecondRFC3339), ("Destination", self.service.destination),
            ("ForceAuthn", "false"),
        ]
        let attributeText = (attributes + self.consumer).map { " \($0.0)=\"\(Self.escaped($0.1))\"" }.joined()
        return "<samlp:AuthnRequest\(attributeText)>"
            + "<saml:Issuer>\(Self.escaped(self.service.entityID))</saml:Issuer>"
            + "<samlp:RequestedAuthnContext Comparison=\"minimum\">"
            + "<saml:AuthnContextClassRef>\(self.level.contextClass)</saml:AuthnContextClassRef>"
            + "</samlp:RequestedAuthnContext></samlp:AuthnRequest>"
    }

    private var consumer: [(String, String)] {
        switch self.service.consumer {
        case .index(let index): [("AssertionConsumerServiceIndex", String(index))]
        case .url(let url):
            [
                ("AssertionConsumerServiceURL", url),
                ("ProtocolBinding", "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact"),
            ]
        }
    }

    /// Escapes text for XML 1.0 §2.4.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }
}
