import Base
import JOSE
import StrictJSON

/// A form that is posted to a provider with the client's authentication (RFC 6749 §2.3).
///
/// The token endpoint and the endpoint for pushed requests take the same authentication (RFC 9126 §2).
package struct AuthenticatedForm: Sendable {
    /// What the client's authentication adds to a request.
    private struct Credentials {
        var fields: [Parameter] = []
        var parameters: [Parameter] = []
    }

    let parameters: [Parameter]
    let client: Client

    package init(parameters: [Parameter], client: Client) {
        self.parameters = parameters
        self.client = client
    }

    package func request(
        _ purpose: ProviderRequest.Purpose, to endpoint: EndpointURL, of metadata: ProviderMetadata, now: Timestamp
    ) throws(ClientAuthenticationError) -> ProviderRequest {
        let proof = try self.credentials(to: endpoint, metadata, now)
        // RFC 6749 §3.2: no parameter may appear twice. A pushed request has the `client_id` already.
        let names = Set(self.parameters.map(\.name))
        let body = self.parameters + proof.parameters.filter { !names.contains($0.name) }
        let fields = [
            Parameter("Accept", "application/json"), Parameter("Content-Type", "application/x-www-form-urlencoded"),
        ]
        // A code, an order and a client assertion (`jti`) can each be used once.
        return ProviderRequest(
            purpose, .post, endpoint, delivery: .atMostOnce, fields: fields + proof.fields,
            body: Array(FormEncoding.encode(body).utf8))
    }
}

// MARK: - The proof

extension AuthenticatedForm {
    private func credentials(
        to endpoint: EndpointURL, _ metadata: ProviderMetadata, _ now: Timestamp
    ) throws(ClientAuthenticationError) -> Credentials {
        let clientID = Parameter("client_id", self.client.clientID)
        switch self.client.authentication {
        case .secretBasic(let secret, let encoding):
            guard let authorization = encoding.authorization(self.client.clientID, secret) else {
                throw .colonInClientID
            }
            return Credentials(fields: [Parameter("Authorization", authorization)])
        case .secretPost(let secret):
            return Credentials(parameters: [clientID, Parameter("client_secret", secret.exposedText)])
        case .secretJWT(let signer, let audience), .privateKeyJWT(let signer, let audience):
            let assertion = try self.assertion(signer, audience.value(at: endpoint, metadata), now)
            return Credentials(parameters: [
                clientID, Parameter("client_assertion_type", ClientAssertion.type),
                Parameter("client_assertion", assertion),
            ])
        case .mutualTLS:
            // RFC 8705 §2: the connection has the certificate, and `client_id` says whose it is.
            return Credentials(parameters: [clientID])
        }
    }

    private func assertion(_ signer: JWTSigner, _ audience: String, _ now: Timestamp) throws(ClientAuthenticationError)
        -> String
    {
        let statement = ClientAssertion(clientID: self.client.clientID, audience: audience, now: now)
        do {
            return try signer.sign(statement.claims, type: "JWT")
        } catch {
            throw .signing
        }
    }
}

extension ClientAuthentication.AssertionAudience {
    fileprivate func value(at endpoint: EndpointURL, _ metadata: ProviderMetadata) -> String {
        switch self {
        case .issuer: metadata.issuer
        case .tokenEndpoint: metadata.tokenEndpoint.text
        case .endpoint: endpoint.text
        }
    }
}

/// The signed client assertion of `private_key_jwt` and `client_secret_jwt` (RFC 7523 §3, Core 9). It says who we are,
/// for one audience, and can be used once.
struct ClientAssertion {
    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    static let lifetime = 60

    let clientID: String
    /// One string and no list. If it is the issuer, that is the only value.
    let audience: String
    let now: Timestamp

    var claims: JSON.Object {
        [
            "iss": .string(self.clientID), "sub": .string(self.clientID), "aud": .string(self.audience),
            "jti": .string(Base64URL.encode(RandomBytes.make(16))), "iat": .integer(self.now.seconds),
            "exp": .integer(self.now.seconds + Self.lifetime),
        ]
    }
}
