import Base
import JOSE
import OpenIDConnect
import StrictJSON

/// The provider and the client of the measured requests and tokens, with realistic settings.
enum Provider {
    static let issuer = "https://example.broker.test"
    static let clientID = "urn:example:client:4711"
    static let now = Timestamp(seconds: 1_800_000_000)

    static let document: JSON.Object = [
        "issuer": .string(Self.issuer),
        "authorization_endpoint": .string(Self.issuer + "/oauth2/authorize"),
        "token_endpoint": .string(Self.issuer + "/oauth2/token"),
        "jwks_uri": .string(Self.issuer + "/.well-known/jwks"),
        "response_types_supported": ["code"],
    ]

    static func metadata() throws -> ProviderMetadata {
        try ProviderMetadata(
            parsing: JSON.object(self.document).encoded(), issuer: self.issuer, policy: EndpointPolicy())
    }

    /// Publishes this key and one more, as providers do around a rotation. It is fetched once and then cached.
    static func directory(_ key: JWK) throws -> ProviderDirectory {
        let keys = JWKSet([try PrivateKey.generate(.rsa(bits: 2048)).publicKey.jwk(keyID: "next"), key])
        let documents: [ProviderRequest.Purpose: [UInt8]] = [
            .discovery: JSON.object(self.document).encoded(), .keys: keys.json.encoded(),
        ]
        return ProviderDirectory(
            issuer: self.issuer, policy: EndpointPolicy(),
            fetch: { request async throws(FetchError) in
                ProviderResponse(status: 200, contentType: "application/json", body: documents[request.purpose] ?? [])
            },
            now: { self.now })
    }

    static func client(_ signer: JWTSigner) -> Client {
        Client(
            clientID: self.clientID, authentication: .privateKeyJWT(signer, audience: .issuer),
            redirectURI: "https://login.example.com/callback/broker", responseMode: .formPost, requestStyle: .jar,
            requestObject: signer)
    }
}
