import Base
import HTTPWire
import JOSE
import OpenIDConnect
import StrictJSON
import Synchronization

/// An OpenID provider as a function. Its responses are made in advance, so that they cost nothing.
final class GuardProvider: Sendable {
    static let issuer = "https://id.example.com"
    static let clientID = "switchback"
    private static let subject = "subject-1"

    private let signer: JWTSigner
    private let now: @Sendable () -> Timestamp
    private let documents: [ProviderRequest.Purpose: ProviderResponse]
    /// The token responses, by code.
    private let tokens = Mutex<[String: ProviderResponse]>([:])

    init(key: PrivateKey, now: @escaping @Sendable () -> Timestamp) throws {
        self.signer = try JWTSigner(key: key, algorithm: .rs256, keyID: "1")
        self.now = now
        self.documents = [
            .discovery: Self.answer(Self.metadata),
            .keys: Self.answer(JWKSet([key.publicKey.jwk(keyID: "1")]).json),
            .userinfo: Self.answer(["sub": .string(Self.subject), "name": "Anne Ærlig", "birthdate": "1979-11-03"]),
        ]
    }

    /// Approves the request with this nonce, as a user does. Returns the code that the browser brings back.
    func approve(nonce: String) throws -> String {
        let code = Base64URL.encode(RandomBytes.make(16))
        let now = self.now().seconds
        let token = try self.signer.sign([
            "iss": .string(Self.issuer), "aud": .string(Self.clientID), "sub": .string(Self.subject),
            "nonce": .string(nonce), "iat": .integer(now), "exp": .integer(now + 300), "auth_time": .integer(now),
            "acr": "high",
        ])
        let answer = Self.answer(["access_token": "a", "token_type": "Bearer", "id_token": .string(token)])
        self.tokens.withLock { $0[code] = answer }
        return code
    }

    func answer(to request: ProviderRequest) throws(FetchError) -> ProviderResponse {
        if let document = self.documents[request.purpose] { return document }
        let form = (try? FormBody.parse(request.body)) ?? []
        guard request.purpose == .token, let code = form.first(where: { $0.name == "code" })?.value,
            let answer = self.tokens.withLock({ $0[code] })
        else { throw .broken("unknown code") }
        return answer
    }

    private static let metadata: JSON = [
        "issuer": .string(issuer), "authorization_endpoint": .string("\(issuer)/authorize"),
        "token_endpoint": .string("\(issuer)/token"), "userinfo_endpoint": .string("\(issuer)/userinfo"),
        "jwks_uri": .string("\(issuer)/keys"), "response_types_supported": ["code"],
        "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
        "code_challenge_methods_supported": ["S256"],
    ]

    private static func answer(_ json: JSON) -> ProviderResponse {
        ProviderResponse(status: 200, contentType: "application/json", body: json.encoded())
    }
}
