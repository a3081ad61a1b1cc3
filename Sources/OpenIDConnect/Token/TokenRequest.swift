/// The exchange of an authorization code for tokens (RFC 6749 §4.1.3, RFC 7636 §4.5), authenticated as the client.
import JOSE

package struct TokenRequest: Sendable {
    package enum Failure: String, Error, CaseIterable, Sendable {
        /// A client id with a colon cannot be told from the secret in a raw `Basic` (RFC 7617 §2).
        case colonInClientID
        case signing
    }

    private typealias Parameter = (name: String, value: String)

    private let code: Secret
    private let challenge: Challenge
    private let client: Client

    package init(code: Secret, challenge: Challenge, client: Client) {
        self.code = code
        self.challenge = challenge
        self.client = client
    }

    package func providerRequest(metadata: ProviderMetadata, now: Timestamp) throws(Failure) -> ProviderRequest {
        var fields: [ProviderRequest.Field] = [
            ("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded"),
        ]
        var parameters: [Parameter] = [
            ("grant_type", "authorization_code"), ("code", self.code.exposedText),
            ("redirect_uri", self.client.redirectURI), ("code_verifier", self.challenge.codeVerifier.exposedText),
        ]
        switch self.client.authentication {
        case .secretBasic(let secret, let encoding):
            fields.append(("Authorization", try self.basic(secret, encoding)))
        case .secretPost(let secret):
            parameters += [("client_id", self.client.clientID), ("client_secret", secret.exposedText)]
        case .privateKeyJWT(let signer, let audience):
            parameters += try self.assertion(signer, audience.value(metadata), now)
        }
        let body = Array(FormEncoding.encode(parameters).utf8)
        return ProviderRequest(.token, .post, metadata.tokenEndpoint, fields: fields, body: body)
    }
}

// MARK: - Client authentication

extension TokenRequest {
    private func basic(_ secret: Secret, _ encoding: ClientAuthentication.BasicEncoding) throws(Failure) -> String {
        let credentials: String
        switch encoding {
        case .formEncoded:
            let id = FormEncoding.encode(self.client.clientID)
            credentials = "\(id):\(FormEncoding.encode(secret.exposedText))"
        case .raw:
            guard !self.client.clientID.utf8.contains(UInt8(ascii: ":")) else { throw .colonInClientID }
            credentials = "\(self.client.clientID):\(secret.exposedText)"
        }
        return "Basic \(Base64.encode(Array(credentials.utf8)))"
    }

    private func assertion(_ signer: JWTSigner, _ audience: String, _ now: Timestamp) throws(Failure) -> [Parameter] {
        let statement = ClientAssertion(clientID: self.client.clientID, audience: audience, now: now)
        let assertion: String
        do {
            assertion = try signer.sign(statement.claims, type: "JWT")
        } catch {
            throw .signing
        }
        return [
            ("client_id", self.client.clientID), ("client_assertion_type", ClientAssertion.type),
            ("client_assertion", assertion),
        ]
    }
}

extension ClientAuthentication.AssertionAudience {
    fileprivate func value(_ metadata: ProviderMetadata) -> String {
        switch self {
        case .issuer: metadata.issuer
        case .tokenEndpoint: metadata.tokenEndpoint.text
        }
    }
}
