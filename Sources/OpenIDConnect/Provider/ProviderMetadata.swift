/// What a provider says about itself (Discovery 1.0, 3), checked against the issuer that was asked.
import JOSE

package struct ProviderMetadata: Sendable {
    package let issuer: String
    package let authorizationEndpoint: EndpointURL
    package let tokenEndpoint: EndpointURL
    package let userinfoEndpoint: EndpointURL?
    package let jwksURI: EndpointURL
    /// Nil when the provider does not say.
    package let codeChallengeMethods: [String]?
    /// `client_secret_basic` when the provider does not say (Discovery 1.0, 3).
    package let tokenEndpointAuthMethods: [String]
    /// Nil when the provider does not say.
    package let idTokenAlgorithms: [String]?
    /// Nil when the provider does not say.
    package let responseModes: [String]?
    /// Whether it promises `iss` in every authorization response (RFC 9207 §3).
    package let issParameterSupported: Bool

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
        self.jwksURI = try document.endpoint(.jwksURI)
        self.codeChallengeMethods = try document.list(.codeChallengeMethods)
        self.tokenEndpointAuthMethods = try document.list(.tokenEndpointAuthMethods) ?? ["client_secret_basic"]
        self.idTokenAlgorithms = try document.list(.idTokenAlgorithms)
        self.responseModes = try document.list(.responseModes)
        self.issParameterSupported = try document.flag(.issParameterSupported) ?? false

        let responseTypes = try document.list(.responseTypes)
        guard responseTypes?.contains("code") ?? true else { throw .codeFlowUnsupported }
        // RFC 7636 §4.2: never fall back to `plain`.
        guard self.codeChallengeMethods?.contains("S256") ?? true else { throw .challengeMethodUnsupported }
    }
}
