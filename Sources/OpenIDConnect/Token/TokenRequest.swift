import Base

/// The exchange of an authorization code for tokens (RFC 6749 §4.1.3, RFC 7636 §4.5), authenticated as the client.
package struct TokenRequest: Sendable {
    private let code: Secret
    private let challenge: Challenge
    private let client: Client

    package init(code: Secret, challenge: Challenge, client: Client) {
        self.code = code
        self.challenge = challenge
        self.client = client
    }

    package func providerRequest(metadata: ProviderMetadata, now: Timestamp) throws(ClientAuthenticationError)
        -> ProviderRequest
    {
        let endpoint = try self.client.alias(\.token, of: metadata) ?? metadata.tokenEndpoint
        let form = AuthenticatedForm(
            parameters: [
                Parameter("grant_type", "authorization_code"), Parameter("code", self.code.exposedText),
                Parameter("redirect_uri", self.client.redirectURI),
                Parameter("code_verifier", self.challenge.codeVerifier.exposedText),
            ],
            client: self.client)
        return try form.request(.token, to: endpoint, of: metadata, now: now)
    }
}
