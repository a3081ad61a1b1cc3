/// Who we are to one provider, as registered there.
import JOSE

package struct Client: Sendable {
    /// How the browser brings the authorization response.
    package enum ResponseMode: String, CaseIterable, Sendable {
        case query
        case formPost = "form_post"
    }

    package let clientID: String
    package let authentication: ClientAuthentication
    package let redirectURI: String
    package let responseMode: ResponseMode
    /// Signs the authorization request (RFC 9101); nil sends it plain.
    package let requestObject: JWTSigner?

    package init(
        clientID: String, authentication: ClientAuthentication, redirectURI: String,
        responseMode: ResponseMode = .query, requestObject: JWTSigner? = nil
    ) {
        self.clientID = clientID
        self.authentication = authentication
        self.redirectURI = redirectURI
        self.responseMode = responseMode
        self.requestObject = requestObject
    }
}
