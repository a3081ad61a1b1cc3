import Base
import Foundation
import JOSE
import OpenIDConnect
import StrictJSON
import Synchronization
import Testing

@testable import Brokers

/// A provider that signs what a test says, and our broker of it, without a socket.
final class BrokerStage: Sendable {
    private static let issuer = "https://id.example.com"
    private static let now = Timestamp(seconds: 1_800_000_000)

    private let broker: OpenIDBroker
    private let signer: JWTSigner
    private let challenge = Challenge.make(state: "state")
    private let traffic: Traffic

    private final class Traffic: Sendable {
        /// The form of the last pushed request.
        let pushed = Mutex<[UInt8]>([])
        /// The response of the userinfo endpoint.
        let userInfo = Mutex("")
    }

    init(
        _ style: Client.RequestStyle, kind: any BrokerKind = PlainOpenIDConnect(),
        settings change: (inout BrokerSettings) -> Void = { _ in },
        _ document: (inout JSON.Object) -> Void
    ) throws {
        let key = try PrivateKey.generate(.p256)
        self.signer = try JWTSigner(key: key, algorithm: .es256, keyID: "1")
        let keys = JWKSet([key.publicKey.jwk(keyID: "1")]).json
        let own = try JWTSigner(key: PrivateKey.generate(.p256), algorithm: .es256, keyID: "ours")
        let client = Client(
            clientID: "switchback", authentication: .secretPost(Secret("secret")),
            redirectURI: "https://login.example.com/callback/main", requestStyle: style,
            requestObject: style.isSigned ? own : nil)
        var settings = BrokerSettings(
            id: "main", issuer: Self.issuer, client: client, endpoints: EndpointPolicy(), issuerPolicy: .promised,
            idTokenAlgorithms: [.es256])
        settings.kind = kind
        settings.loginLifetime = 900
        change(&settings)
        var metadata = Self.document
        document(&metadata)
        let said = JSON.object(metadata)
        let traffic = Traffic()
        self.traffic = traffic
        self.broker = OpenIDBroker(
            settings,
            fetch: { request throws(FetchError) in
                switch request.purpose {
                case .discovery: return Self.answer(said)
                case .keys: return Self.answer(keys)
                case .pushedAuthorization:
                    traffic.pushed.withLock { $0 = request.body }
                    return Self.answer(["request_uri": "urn:x", "expires_in": 60], status: 201)
                case .userinfo:
                    let token = traffic.userInfo.withLock { Array($0.utf8) }
                    return ProviderResponse(status: 200, contentType: "application/jwt", body: token)
                case .token, .start, .progress, .cancel: throw .unreachable("there is none")
                }
            }, now: { Self.now })
    }

    static func provider(prompt: String?) -> Provider {
        var provider = Provider(id: "eid", brokerID: "main", names: ["en": "e-ID"])
        provider.prompt = prompt
        provider.usesUserInfo = false
        return provider
    }

    private static let document: JSON.Object = [
        "issuer": .string(issuer), "authorization_endpoint": .string("\(issuer)/authorize"),
        "token_endpoint": .string("\(issuer)/token"), "jwks_uri": .string("\(issuer)/keys"),
        "pushed_authorization_request_endpoint": .string("\(issuer)/par"),
        "userinfo_endpoint": .string("\(issuer)/userinfo"),
        "code_challenge_methods_supported": ["S256"],
    ]

    private static func answer(_ json: JSON, status: Int = 200) -> ProviderResponse {
        ProviderResponse(status: status, contentType: "application/json", body: json.encoded())
    }

    /// Returns what we request, wherever it is: each value in the JSON type that it has in a request object.
    func request(_ provider: Provider) async throws -> JSON.Object {
        let url = try await self.broker.authorizationURL(for: provider, self.challenge, AuthorizationContext())
        let pushed = self.traffic.pushed.withLock { $0 }
        let query = pushed.isEmpty ? String(url.split(separator: "?")[1]) : String(decoding: pushed, as: UTF8.self)
        let parameters = try #require(
            URLComponents(string: "?" + query.replacing("+", with: "%20"))?.queryItems)
        var request: JSON.Object = [:]
        for parameter in parameters {
            let text = parameter.value ?? ""
            switch parameter.name {
            case "request": return try Self.payload(text)
            case "max_age": request["max_age"] = .integer(try #require(Int(text)))
            case "claims": request["claims"] = try JSON(parsing: Array(text.utf8))
            case let name: request[name] = .string(text)
            }
        }
        return request
    }

    /// Signs the userinfo of the next logins.
    func userInfo(_ change: (inout JSON.Object) -> Void) {
        var claims: JSON.Object = ["iss": .string(Self.issuer), "sub": "x-1"]
        change(&claims)
        let token = (try? self.signer.sign(claims)) ?? ""
        self.traffic.userInfo.withLock { $0 = token }
    }

    private static func payload(_ jwt: String) throws -> JSON.Object {
        let payload = try #require(Base64URL.decode(String(jwt.split(separator: ".")[1])))
        return try #require(try JSON(parsing: payload).object)
    }

    /// Returns why a login opened now ends without an identity. The user authenticated `age` seconds ago; nil if the ID
    /// token does not say that.
    func login(
        _ provider: Provider, age: Int?, _ change: (inout JSON.Object) -> Void = { _ in }
    ) async -> BrokerError? {
        let now = Self.now.seconds
        var claims: JSON.Object = [
            "iss": .string(Self.issuer), "aud": "switchback", "sub": "x-1", "nonce": .string(self.challenge.nonce),
            "iat": .integer(now), "exp": .integer(now + 300),
        ]
        if let age { claims["auth_time"] = .integer(now - age) }
        change(&claims)
        do throws(BrokerError) {
            let token = (try? self.signer.sign(claims)) ?? ""
            let answer: JSON = ["access_token": "a", "token_type": "Bearer", "id_token": .string(token)]
            _ = try await self.broker.identify(
                BrokerAnswer(Secret(answer.encoded())), code: Secret("code"), self.challenge, for: provider,
                openedAt: Self.now)
            return nil
        } catch {
            return error
        }
    }
}
