/// The endpoints of a provider for clients that show a certificate (RFC 8705 §5), those that it names.
package struct EndpointAliases: Sendable {
    package let token: EndpointURL?
    package let pushedAuthorizationRequest: EndpointURL?
    package let userinfo: EndpointURL?

    init(_ document: ProviderMetadata.Document) throws(ProviderMetadata.Failure) {
        try document.checkObject(.mtlsEndpointAliases)
        self.token = try document.optionalEndpoint(.mtlsTokenEndpoint)
        self.pushedAuthorizationRequest = try document.optionalEndpoint(.mtlsPushedAuthorizationRequestEndpoint)
        self.userinfo = try document.optionalEndpoint(.mtlsUserinfoEndpoint)
    }
}
