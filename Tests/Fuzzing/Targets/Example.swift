import Base
import OpenIDConnect
import StrictJSON

/// The provider, the client and the time that the targets use. The time never changes.
enum Example {
    static let issuer = "https://op.example"
    static let clientID = "app"
    static let state = "right"
    static let nonce = "bm9uY2U"
    static let code = "c0de"
    static let accessToken = "t0ken"
    static let now = Timestamp(seconds: 1_800_000_000)
    static let leeway = 60

    static let challenge = Challenge(
        state: Self.state, nonce: Self.nonce,
        codeVerifier: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))

    static let client = Client(
        clientID: Self.clientID, authentication: .secretPost(Secret("s3cret")),
        redirectURI: "https://login.example/callback/op")

    /// Returns the directory of a provider that responds at once, always in the same way.
    static func directory(_ keys: FuzzKeys) -> ProviderDirectory {
        let published = keys.published.json.encoded()
        return ProviderDirectory(
            issuer: self.issuer, policy: EndpointPolicy(),
            fetch: { request async throws(FetchError) in
                let body = request.purpose == .keys ? published : JSON.object(self.document).encoded()
                return ProviderResponse(status: 200, contentType: "application/json", body: body)
            }, now: { self.now }, sleep: { _ in })
    }

    private static let document: JSON.Object = [
        "issuer": "https://op.example", "authorization_endpoint": "https://op.example/authorize",
        "token_endpoint": "https://op.example/token", "jwks_uri": "https://op.example/keys",
    ]

    /// One for all inputs, because it keeps what it has fetched.
    static let shared = (try? FuzzKeys.shared()).map { Self.directory($0) }

    static func sharedDirectory() throws(Violation) -> ProviderDirectory {
        guard let shared = self.shared else { throw Violation("no directory") }
        return shared
    }
}
