import Base
import JOSE
import OpenIDConnect
import StrictJSON
import Synchronization

/// An OpenID provider as a closure: it signs whatever was approved, and needs no socket.
final class FakeProvider: Sendable {
    static let issuer = "https://id.example.com"
    static let clientID = "switchback"

    private let signer: JWTSigner
    private let keys: JWKSet
    private let now: @Sendable () -> Timestamp
    /// The nonce of each approved request, by its code.
    private let nonces = Mutex<[String: String]>([:])
    private let isReachable = Atomic(true)
    private let isSlow = Atomic(false)

    init(now: @escaping @Sendable () -> Timestamp) throws {
        let key = try PrivateKey.generate(.p256)
        self.signer = try JWTSigner(key: key, algorithm: .es256, keyID: "1")
        self.keys = JWKSet([key.publicKey.jwk(keyID: "1")])
        self.now = now
    }

    func become(reachable: Bool) { self.isReachable.store(reachable, ordering: .relaxed) }

    /// While this is set, token requests get no response.
    func become(slow: Bool) { self.isSlow.store(slow, ordering: .relaxed) }

    /// The user approves the request with this nonce; returns the code that the browser brings back.
    func approve(nonce: String) -> String {
        let code = Base64URL.encode(RandomBytes.make(16))
        self.nonces.withLock { $0[code] = nonce }
        return code
    }

    var fetch: Fetch {
        { request throws(FetchError) in
            guard self.isReachable.load(ordering: .relaxed) else { throw .unreachable("off") }
            switch request.purpose {
            case .discovery: return Self.answer(Self.metadata)
            case .keys: return Self.answer(self.keys.json)
            case .token: return try await self.tokens(for: request)
            case .userinfo, .pushedAuthorization, .start, .progress, .cancel: throw .unreachable("there is none")
            }
        }
    }

    private func tokens(for request: ProviderRequest) async throws(FetchError) -> ProviderResponse {
        while self.isSlow.load(ordering: .relaxed) { try? await Task.sleep(for: .milliseconds(5)) }
        let body = String(decoding: request.body, as: UTF8.self)
        let known = self.nonces.withLock { nonces in nonces.first { body.contains("code=\($0.key)") }?.value }
        guard let nonce = known, let token = try? self.signer.sign(self.claims(nonce)) else {
            throw .broken("no such code")
        }
        return Self.answer(["access_token": "a", "token_type": "Bearer", "id_token": .string(token)])
    }

    private func claims(_ nonce: String) -> JSON.Object {
        let now = self.now().seconds
        return [
            "iss": .string(Self.issuer), "aud": .string(Self.clientID), "sub": "subject-1", "nonce": .string(nonce),
            "iat": .integer(now), "exp": .integer(now + 300), "auth_time": .integer(now), "acr": "high",
            "name": "Anne Ærlig", "hair": "red",
        ]
    }

    private static let metadata: JSON = [
        "issuer": .string(issuer), "authorization_endpoint": .string("\(issuer)/authorize"),
        "token_endpoint": .string("\(issuer)/token"), "jwks_uri": .string("\(issuer)/keys"),
        "response_types_supported": ["code"], "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"], "code_challenge_methods_supported": ["S256"],
    ]

    private static func answer(_ json: JSON) -> ProviderResponse {
        ProviderResponse(status: 200, contentType: "application/json", body: json.encoded())
    }
}
