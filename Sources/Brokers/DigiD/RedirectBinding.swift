/// A SAML request as a URL carries it, with its signature (SAML Bindings, 3.4.4.1).
import Base
import OpenIDConnect

struct RedirectBinding: Sendable {
    enum Failure: String, Error, CaseIterable, Sendable {
        case deflate
        case signing
    }

    /// RSA with SHA-256 (RFC 4051 §2.3.2).
    static let algorithm = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"

    /// Deflated, in base64.
    let request: String
    let relayState: String
    let signature: String

    init(_ request: AuthnRequest, relayState: String) throws(Failure) {
        guard let deflated = RawDeflate.compress(Array(request.xml.utf8)) else { throw .deflate }
        self.request = Base64.encode(deflated)
        self.relayState = relayState
        // What is signed is the query, in this order; the parameters themselves travel in the app's JSON.
        let query = FormEncoding.encode([
            ("SAMLRequest", self.request), ("RelayState", relayState), ("SigAlg", Self.algorithm),
        ])
        guard let signature = try? request.service.key.sign(Array(query.utf8), with: .rs256) else { throw .signing }
        self.signature = Base64.encode(signature)
    }
}
