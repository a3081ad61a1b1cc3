import Base
import JOSE
import OpenIDConnect
import StrictJSON
import Synchronization
import Testing

/// The provider, the client and the time that the tests use.
enum Example {
    static let issuer = "https://id.example"
    static let clientID = "app"
    static let nonce = "bm9uY2U"
    static let redirectURI = "https://login.example/callback/id"
    static let now = Timestamp(seconds: 1_800_000_000)
    /// The verifier of RFC 7636 appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    static let challenge = Challenge(state: "st", nonce: Self.nonce, codeVerifier: Secret(Self.verifier))

    static var document: JSON.Object {
        [
            "issuer": "https://id.example", "authorization_endpoint": "https://id.example/authorize",
            "token_endpoint": "https://id.example/token", "userinfo_endpoint": "https://id.example/userinfo",
            "jwks_uri": "https://id.example/keys", "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["plain", "S256"],
            "pushed_authorization_request_endpoint": "https://id.example/par",
        ]
    }

    static func metadata(
        _ change: (inout JSON.Object) -> Void = { _ in }
    ) throws(ProviderMetadataError) -> ProviderMetadata {
        var document = self.document
        change(&document)
        return try ProviderMetadata(
            parsing: JSON.object(document).encoded(), issuer: self.issuer, policy: EndpointPolicy())
    }

    static func client(
        _ authentication: ClientAuthentication = .secretPost(Secret("s3cret")),
        responseMode: Client.ResponseMode = .query, requestStyle: Client.RequestStyle = .plain,
        requestObject: JWTSigner? = nil
    ) -> Client {
        Client(
            clientID: self.clientID, authentication: authentication, redirectURI: self.redirectURI,
            responseMode: responseMode, requestStyle: requestStyle, requestObject: requestObject)
    }

    static func json(_ object: JSON.Object, status: Int = 200) -> ProviderResponse {
        ProviderResponse(status: status, contentType: "application/json", body: JSON.object(object).encoded())
    }
}

/// A clock that stands still until a test moves it.
final class ManualClock: Sendable {
    private let moment = Mutex(Example.now)

    var now: Timestamp { self.moment.withLock { $0 } }

    func advance(_ duration: Duration) {
        self.moment.withLock { $0 = $0 + duration }
    }
}

/// The result of an authorization request, for tests that know which one it must be.
extension AuthorizationRequest {
    func url(_ metadata: ProviderMetadata) throws -> String {
        let authorization = try self.authorization(metadata: metadata, now: Example.now)
        guard case .url(let url) = authorization else {
            Issue.record("was to be pushed")
            return ""
        }
        return url
    }

    /// Returns the request that pushes it; nil when it is not pushed.
    func push(_ metadata: ProviderMetadata) throws -> ProviderRequest? {
        let authorization = try self.authorization(metadata: metadata, now: Example.now)
        guard case .push(let request) = authorization else { return nil }
        return request
    }
}
