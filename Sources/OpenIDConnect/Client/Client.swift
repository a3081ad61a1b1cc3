import JOSE

/// Our registration as a client at one provider.
package struct Client: Sendable {
    /// How the browser brings the authorization response.
    package enum ResponseMode: String, CaseIterable, Sendable {
        case query
        case formPost = "form_post"
        case queryJWT = "query.jwt"
        case formPostJWT = "form_post.jwt"
        /// JSON, in the response to a request that did not come from a browser. No specification defines it.
        case json

        /// Whether the response is one signed JWT (JARM) instead of parameters.
        package var isJWT: Bool {
            switch self {
            case .query, .formPost, .json: false
            case .queryJWT, .formPostJWT: true
            }
        }
    }

    /// How the authorization request reaches the provider.
    package enum RequestStyle: String, CaseIterable, Sendable {
        /// As parameters of the URL.
        case plain
        /// We post it beforehand, and the browser brings a reference (RFC 9126).
        case par
        /// As a signed object in the URL (RFC 9101).
        case jar
        /// As a signed object that we post.
        case parAndJAR = "par+jar"

        package var isPushed: Bool {
            switch self {
            case .par, .parAndJAR: true
            case .plain, .jar: false
            }
        }

        package var isSigned: Bool {
            switch self {
            case .jar, .parAndJAR: true
            case .plain, .par: false
            }
        }
    }

    package let clientID: String
    package let authentication: ClientAuthentication
    package let redirectURI: String
    package let responseMode: ResponseMode
    package let requestStyle: RequestStyle
    /// Signs the authorization request (RFC 9101); set for the signed styles.
    package let requestObject: JWTSigner?
    /// The `typ` of a request object. It keeps the object from being taken for another kind of JWT (RFC 9101 §10.8).
    /// Some providers want `JWT`.
    package var requestObjectType = "oauth-authz-req+jwt"
    /// Whether requests name the user's languages (`ui_locales`, Core 3.1.2.1). Some providers refuse parameters that
    /// they do not know, against RFC 6749 §3.1.
    package var namesLanguages = true

    package init(
        clientID: String, authentication: ClientAuthentication, redirectURI: String,
        responseMode: ResponseMode = .query, requestStyle: RequestStyle = .plain, requestObject: JWTSigner? = nil
    ) {
        self.clientID = clientID
        self.authentication = authentication
        self.redirectURI = redirectURI
        self.responseMode = responseMode
        self.requestStyle = requestStyle
        self.requestObject = requestObject
    }

    /// Whether an authorization request needs a signature: its own, or that of the client assertion that pushes it.
    package var signsRequests: Bool {
        self.requestStyle.isSigned || (self.requestStyle.isPushed && self.authentication.isSigned)
    }
}

// MARK: - Endpoints

/// Where a client with a certificate sends its requests (RFC 8705 §5).
extension Client {
    /// Returns the alias that the client has to use; nil without a certificate, or if the provider names none.
    func alias(
        _ alias: KeyPath<EndpointAliases, NamedEndpoint>, of metadata: ProviderMetadata
    ) throws(ClientAuthenticationError) -> EndpointURL? {
        guard self.authentication.isMutualTLS else { return nil }
        switch metadata.mtlsEndpointAliases[keyPath: alias] {
        case .success(let url): return url
        case .failure: throw .endpointAlias
        }
    }

    /// Looks at the endpoints that only some clients use, and returns why one that this client uses is refused; nil if
    /// none is. So it stops a login before it sends the user anywhere. Aliases are checked when they are used.
    package func refusedEndpoint(of metadata: ProviderMetadata, usesUserInfo: Bool) -> ProviderMetadataError? {
        let aliases = metadata.mtlsEndpointAliases
        if usesUserInfo, !self.hasAlias(aliases.userinfo), case .failure(let refusal) = metadata.userinfoEndpoint {
            return refusal
        }
        if self.requestStyle.isPushed, !self.hasAlias(aliases.pushedAuthorizationRequest),
            case .failure(let refusal) = metadata.pushedAuthorizationRequestEndpoint
        {
            return refusal
        }
        return nil
    }

    private func hasAlias(_ alias: NamedEndpoint) -> Bool {
        guard self.authentication.isMutualTLS else { return false }
        if case .success(nil) = alias { return false }
        return true
    }
}
