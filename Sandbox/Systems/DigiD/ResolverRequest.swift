import Base
import JOSE
import StrictJSON

/// A request that the resolver makes itself, signed with its own key, in a link that opens DigiD's app.
struct ResolverRequest: Sendable {
    static let entityID = "urn:sandbox:resolver"

    let id: String
    let contextClass: String
    let returnURL: String
    let relayState: String?

    func link(_ origin: String, key: PrivateKey, at now: Timestamp) -> String? {
        let xml =
            "<samlp:AuthnRequest xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\""
            + " xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\" ID=\"\(self.id)\" Version=\"2.0\""
            + " IssueInstant=\"\(now.wholeSecondRFC3339)\" Destination=\"\(origin)/saml\" ForceAuthn=\"false\""
            + " AssertionConsumerServiceIndex=\"0\"><saml:Issuer>\(Self.entityID)</saml:Issuer>"
            + "<samlp:RequestedAuthnContext Comparison=\"minimum\">"
            + "<saml:AuthnContextClassRef>\(self.contextClass)</saml:AuthnContextClassRef>"
            + "</samlp:RequestedAuthnContext></samlp:AuthnRequest>"
        guard let deflated = RedirectDeflate.compress(Array(xml.utf8)) else { return nil }
        let request = Base64.encode(deflated)
        let signedText = SAMLRequest.signed(request, relayState: self.relayState)
        guard let signature = try? key.sign(signedText, with: .rs256) else { return nil }
        let object: JSON.Object = [
            "Icon": .string("\(origin)/icon.png"), "ReturnUrl": .string(self.returnURL),
            "SAMLRequest": .string(request), "SigAlg": .string(SAMLRequest.algorithm),
            "Signature": .string(Base64.encode(signature)), "RelayState": self.relayState.map { .string($0) } ?? .null,
        ]
        return "\(DigiDRoute.app.url(origin))?app-app=\(Base64.encode(JSON.object(object).encoded()))"
    }
}
