/// What a provider says about itself (Discovery 1.0, 3), checked against the issuer that was asked.
import Base

package struct ProviderMetadata: Sendable {
    package let issuer: String
    package let authorizationEndpoint: EndpointURL
    package let tokenEndpoint: EndpointURL
    package let userinfoEndpoint: EndpointURL?
    /// Where authorization requests are pushed to (RFC 9126 §5).
    package let pushedAuthorizationRequestEndpoint: EndpointURL?
    /// Where a login without a browser is asked for (CIBA Core 4). One that may not be used is none.
    package let backchannelAuthenticationEndpoint: EndpointURL?
    /// Empty when the provider names none. One that may not be used is nothing to clients without a certificate.
    package let mtlsEndpointAliases: Result<EndpointAliases, Failure>
    package let jwksURI: EndpointURL
    /// Nil when the provider does not say.
    package let codeChallengeMethods: [String]?
    /// `client_secret_basic` when the provider does not say (Discovery 1.0, 3).
    package let tokenEndpointAuthMethods: [String]
    /// Nil when the provider does not say.
    package let idTokenAlgorithms: [String]?
    /// Nil when the provider does not say, or does not sign it. So are the two after it.
    package let userinfoAlgorithms: [String]?
    /// Of authorization responses (JARM 4).
    package let authorizationAlgorithms: [String]?
    /// That it takes in request objects.
    package let requestObjectAlgorithms: [String]?
    /// Nil when the provider does not say.
    package let responseModes: [String]?
    /// Whether it promises `iss` in every authorization response (RFC 9207 §3).
    package let issParameterSupported: Bool
    /// Whether it takes authorization requests only when they are pushed (RFC 9126 §5).
    package let requirePushedAuthorizationRequests: Bool
    /// Whether it takes authorization requests only when they are signed (RFC 9101 §10.5).
    package let requireSignedRequestObject: Bool

    package init(parsing body: [UInt8], issuer: String, policy: EndpointPolicy) throws(Failure) {
        let expected: EndpointURL
        do throws(EndpointPolicy.Refusal) {
            expected = try policy.issuer(issuer)
        } catch {
            throw .refused(.issuer, error)
        }
        let document = try Document(parsing: body, issuer: expected, policy: policy)

        // Discovery 1.0, 4.3: identical, or somebody else's document could name our endpoints.
        guard identical(try document.text(.issuer), issuer) else { throw .issuer }
        self.issuer = issuer
        self.authorizationEndpoint = try document.endpoint(.authorizationEndpoint)
        self.tokenEndpoint = try document.endpoint(.tokenEndpoint)
        self.userinfoEndpoint = try document.optionalEndpoint(.userinfoEndpoint)
        self.pushedAuthorizationRequestEndpoint = try document.optionalEndpoint(.pushedAuthorizationRequestEndpoint)
        self.backchannelAuthenticationEndpoint =
            (try? document.optionalEndpoint(.backchannelAuthenticationEndpoint)) ?? nil
        self.mtlsEndpointAliases = Result { () throws(Failure) in try EndpointAliases(document) }
        self.jwksURI = try document.endpoint(.jwksURI)
        self.codeChallengeMethods = try document.list(.codeChallengeMethods)
        self.tokenEndpointAuthMethods = try document.list(.tokenEndpointAuthMethods) ?? ["client_secret_basic"]
        self.idTokenAlgorithms = try document.list(.idTokenAlgorithms)
        self.responseModes = try document.list(.responseModes)
        self.issParameterSupported = try document.flag(.issParameterSupported) ?? false
        // What is told to nobody but the one who sets a client up keeps nobody from logging in.
        self.userinfoAlgorithms = try? document.list(.userinfoAlgorithms)
        self.authorizationAlgorithms = try? document.list(.authorizationAlgorithms)
        self.requestObjectAlgorithms = try? document.list(.requestObjectAlgorithms)
        self.requirePushedAuthorizationRequests = (try? document.flag(.requirePushedAuthorizationRequests)) ?? false
        self.requireSignedRequestObject = (try? document.flag(.requireSignedRequestObject)) ?? false

        let responseTypes = try document.list(.responseTypes)
        guard responseTypes?.contains("code") ?? true else { throw .codeFlowUnsupported }
        // RFC 7636 §4.2: never fall back to `plain`.
        guard self.codeChallengeMethods?.contains("S256") ?? true else { throw .challengeMethodUnsupported }
    }
}
