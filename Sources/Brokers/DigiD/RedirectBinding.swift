import Base
import OpenIDConnect

/// A SAML request as parameters of a URL, with its signature (SAML Bindings, 3.4.4.1).
struct RedirectBinding: Sendable {
    /// RSA with SHA-256 (RFC 4051 §2.3.2).
    static let algorithm = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"

    /// Deflated, in base64.
    let request: String
    let relayState: String
    let signature: String

    init(_ request: AuthnRequest, relayState: String) throws(BrokerError) {
        guard let deflated = SAMLDeflate.compress(Array(request.xml.utf8)) else {
            throw BrokerError(.unavailable, .signedRequest(.deflate))
        }
        self.request = Base64.encode(deflated)
        self.relayState = relayState
        // The signature covers the query in this order. The parameters themselves are sent in the app's JSON.
        let query = FormEncoding.encode([
            Parameter("SAMLRequest", self.request), Parameter("RelayState", relayState),
            Parameter("SigAlg", Self.algorithm),
        ])
        guard let signature = try? request.service.key.sign(Array(query.utf8), with: .rs256) else {
            throw BrokerError(.unavailable, .signedRequest(.signing))
        }
        self.signature = Base64.encode(signature)
    }
}
