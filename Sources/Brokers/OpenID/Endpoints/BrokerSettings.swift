import JOSE
import OpenIDConnect

/// The configuration of one broker.
package struct BrokerSettings: Sendable {
    package let id: String
    /// Verbatim: compared code point by code point (Core 3.1.3.7, 2).
    package let issuer: String
    package let client: Client
    package var endpoints: EndpointPolicy
    /// Whether the authorization response must contain `iss` (RFC 9207).
    package var issuerPolicy: IssuerPolicy
    package var idTokenAlgorithms: Set<SignatureAlgorithm>
    /// Set if the broker encrypts ID tokens for us. An ID token that is not encrypted is then refused.
    package var idTokenDecrypter: Decrypter?
    package var userInfoFormat = UserInfoRules.Format.json
    /// Set if the broker encrypts the userinfo for us.
    package var userInfoDecrypter: Decrypter?
    /// True if the broker redirects to a link that opens the app, and not to this server.
    package var redirectsToApp = false
    /// How the broker differs from the specifications, with the settings that only its kind has.
    package var kind: any BrokerKind = PlainOpenIDConnect()
    /// Reads a query, and keeps at least `ResponseParameters.names`.
    package var readQuery: @Sendable (String) -> Broker.Parameters = { _ in [] }
    /// Called with the keys of the broker's set that cannot be used, once for each such list.
    package var onUnusableKeys: @Sendable ([UnusableKey]) -> Void = { _ in }
    /// Milliseconds between two polls, instead of what the broker says.
    package var pollInterval: Int?
    /// How far the broker's clock may be off, in seconds.
    package var clockLeeway = 60
    /// Other parties that may be in the audience of the broker's tokens, verbatim, if `azp` names us.
    package var trustedAudiences: [String] = []
    /// Seconds until a login expires, at least one. Sent as `max_age` where only that makes the broker say when the user
    /// authenticated.
    package var loginLifetime = 600

    package init(
        id: String, issuer: String, client: Client, endpoints: EndpointPolicy, issuerPolicy: IssuerPolicy,
        idTokenAlgorithms: Set<SignatureAlgorithm>
    ) {
        self.id = id
        self.issuer = issuer
        self.client = client
        self.endpoints = endpoints
        self.issuerPolicy = issuerPolicy
        self.idTokenAlgorithms = idTokenAlgorithms
    }
}
