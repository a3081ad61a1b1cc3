import Base
import Cryptography
import JOSE
import OpenIDConnect
import StrictJSON
import Synchronization
import Testing

@testable import Brokers

/// The exchange of a code, from the token response to the identity: what is judged, what is stored, and where requests
/// go when an endpoint has moved.
@Suite struct ExchangeTests {
    /// A provider with one key, whose responses a test changes.
    final class ScriptedProvider: Sendable {
        struct State {
            var document: JSON.Object
            var tokens: JSON.Object = [:]
            var userinfo: JSON.Object = ["sub": "s-1", "name": "Anne"]
            /// The paths that are gone.
            var gone: Set<String> = []
            var asked: [String] = []
        }

        static let issuer = "https://op.example"
        static let now = Timestamp(seconds: 1_800_000_000)
        static let nonce = "bm9uY2U"
        let key: PrivateKey
        let state: Mutex<State>

        init() throws {
            self.key = try .generate(.p256)
            var document: JSON.Object = ["issuer": .string(Self.issuer), "response_types_supported": ["code"]]
            for (name, path) in [
                ("authorization_endpoint", "authorize"), ("token_endpoint", "token"), ("jwks_uri", "keys"),
                ("userinfo_endpoint", "userinfo"),
            ] {
                document[name] = .string("\(Self.issuer)/\(path)")
            }
            self.state = Mutex(State(document: document))
            self.state.withLock { $0.tokens = ["access_token": "t0ken", "token_type": "Bearer"] }
        }

        var asked: [String] { self.state.withLock { $0.asked } }

        /// The paths that were asked, without discovery and keys.
        var exchanges: [String] { self.asked.filter { !$0.hasPrefix("/.well-known") && !$0.hasPrefix("/keys") } }

        func idToken(_ change: (inout JSON.Object) -> Void = { _ in }) throws -> String {
            var claims: JSON.Object = [
                "iss": .string(Self.issuer), "aud": "app", "sub": "s-1", "nonce": .string(Self.nonce),
                "iat": .integer(Self.now.seconds), "exp": .integer(Self.now.seconds + 300),
            ]
            change(&claims)
            let header: JSON = ["alg": "ES256", "kid": "k"]
            let input = Base64URL.encode(header.encoded()) + "." + Base64URL.encode(JSON.object(claims).encoded())
            return input + "." + Base64URL.encode(try self.key.sign(Array(input.utf8), with: .es256))
        }

        func broker() -> OpenIDBroker {
            let client = Client(
                clientID: "app", authentication: .secretPost(Secret("s")),
                redirectURI: "https://login.example/callback/op")
            let settings = BrokerSettings(
                id: "op", issuer: Self.issuer, client: client, endpoints: EndpointPolicy(), issuerPolicy: .promised,
                idTokenAlgorithms: [.es256])
            return OpenIDBroker(
                settings, fetch: { request async throws(FetchError) in self.answer(request) }, now: { Self.now })
        }

        private func answer(_ request: ProviderRequest) -> ProviderResponse {
            let path = String(request.url.dropFirst(Self.issuer.count))
            return self.state.withLock { state in
                state.asked.append(path)
                guard !state.gone.contains(path) else {
                    return ProviderResponse(status: 404, contentType: "text/html", body: [])
                }
                let body: JSON =
                    switch request.purpose {
                    case .discovery: .object(state.document)
                    case .keys: JWKSet([self.key.publicKey.jwk(keyID: "k")]).json
                    case .token: .object(state.tokens)
                    default: .object(state.userinfo)
                    }
                return ProviderResponse(status: 200, contentType: "application/json", body: body.encoded())
            }
        }

        func move(_ name: String, to path: String) {
            self.state.withLock { state in
                let old = state.document[name]?.string ?? ""
                state.gone.insert(String(old.dropFirst(Self.issuer.count)))
                state.document[name] = .string(path.hasPrefix("https:") ? path : Self.issuer + path)
            }
        }
    }

    let provider: ScriptedProvider
    let broker: OpenIDBroker
    var settings = Provider(id: "p", brokerID: "op", names: ["en": "P"])

    init() throws {
        self.provider = try ScriptedProvider()
        self.broker = self.provider.broker()
        let token = try self.provider.idToken()
        self.provider.state.withLock { $0.tokens["id_token"] = .string(token) }
    }

    private static let challenge = Challenge(
        state: "st", nonce: ScriptedProvider.nonce, codeVerifier: Secret(String(repeating: "v", count: 43)))

    /// Plays an exchange, and returns the identity and what was stored in between.
    private func exchange(_ settings: Provider) async throws(BrokerError) -> (identity: Identity, stored: String) {
        let answer = try await self.broker.redeem(code: Secret("c0de"), Self.challenge, nil)
        let stored = self.broker.retained(answer, for: settings)
        let identity = try await self.broker.identify(
            BrokerAnswer(stored), code: Secret("c0de"), Self.challenge, for: settings, openedAt: ScriptedProvider.now)
        return (identity, stored.exposedText)
    }

    /// After a take-over only the stored part is there, and it makes the same identity.
    @Test func `a response that was read is not read again`() async throws {
        let answer = try await self.broker.redeem(code: Secret("c0de"), Self.challenge, nil)
        let tokens = try #require(answer.content(as: TokenResponse.self))
        let unreadable = BrokerAnswer(Secret("no JSON"), content: tokens)
        let identity = try await self.broker.identify(
            unreadable, code: Secret("c0de"), Self.challenge, for: self.settings, openedAt: ScriptedProvider.now)
        #expect(identity == (try await self.exchange(self.settings).identity))
        #expect(
            self.broker.retained(unreadable, for: self.settings) == self.broker.retained(answer, for: self.settings))
    }

    private func refusal(_ settings: Provider) async -> String? {
        do throws(BrokerError) {
            _ = try await self.exchange(settings)
            return nil
        } catch {
            return error.detail
        }
    }

    private var withoutUserInfo: Provider {
        var settings = self.settings
        settings.usesUserInfo = false
        return settings
    }

    // MARK: - The access token

    @Test func `nothing is stored that is not used`() async throws {
        self.provider.state.withLock {
            $0.tokens["refresh_token"] = "r3fresh"
            $0.tokens["scope"] = "openid"
        }
        let used = try await self.exchange(self.settings)
        #expect(used.identity.name == "Anne")
        #expect(used.stored.contains("t0ken") && !used.stored.contains("r3fresh"))
        let unused = try await self.exchange(self.withoutUserInfo)
        #expect(unused.identity.name == nil)
        #expect(!unused.stored.contains("t0ken") && !unused.stored.contains("r3fresh"))
    }

    /// Whatever the access token is, it is judged where it is used, and only there.
    @Test(
        arguments: [
            ("of 200 KiB", String(repeating: "t", count: 200_000), "Bearer", nil),
            ("with a blank", "t t", "Bearer", "token_malformed"),
            ("empty", "", "Bearer", "token_malformed"),
            ("of another type", "t", "DPoP", "token_type"),
        ] as [(String, String, String, String?)])
    func `an access token is validated only where it is used`(
        _ name: String, _ token: String, _ type: String, _ expected: String?
    ) async throws {
        self.provider.state.withLock {
            $0.tokens["access_token"] = .string(token)
            $0.tokens["token_type"] = .string(type)
        }
        #expect(await self.refusal(self.settings) == expected)
        #expect(await self.refusal(self.withoutUserInfo) == nil)
    }

    /// Core 3.1.3.8: `at_hash` is judged, used or not.
    @Test(arguments: [true, false]) func `a wrong hash of the access token is refused`(_ isRight: Bool) async throws {
        let digest = Digest.sha256.hash(Array("t0ken".utf8)).prefix(16)
        let hash = isRight ? Base64URL.encode(digest) : Base64URL.encode([UInt8](repeating: 7, count: 16))
        let token = try self.provider.idToken { $0["at_hash"] = .string(hash) }
        self.provider.state.withLock { $0.tokens["id_token"] = .string(token) }
        for settings in [self.settings, self.withoutUserInfo] {
            #expect(await self.refusal(settings) == (isRight ? nil : "id_token_access_token_hash"))
        }
    }

    // MARK: - Members that are null

    @Test func `a null of the userinfo hides nothing`() async throws {
        let token = try self.provider.idToken {
            $0["name"] = "Anne of the token"
            $0["hair"] = "red"
            $0["amr"] = "pwd"
            $0["id"] = .some(.null)
        }
        self.provider.state.withLock {
            $0.tokens["id_token"] = .string(token)
            $0.userinfo = ["sub": "s-1", "name": .null, "hair": .null, "eyes": .null]
        }
        var settings = self.settings
        settings.claims = ["hair", "eyes", "none"]
        settings.methods = ["pwd"]
        let identity = try await self.exchange(settings).identity
        #expect(identity.name == "Anne of the token")
        #expect(identity.claims == ["hair": "red", "eyes": .null])
        #expect(identity.methods == ["pwd"])
    }

    // MARK: - Endpoints

    @Test func `an endpoint is validated where it is used`() async throws {
        self.provider.state.withLock { $0.document["userinfo_endpoint"] = "https://evil.example/u" }
        let refusal = ProviderMetadataError.refused(.userinfoEndpoint, .host)
        await #expect(throws: BrokerError(.unavailable, .directory(.metadata(refusal)))) {
            _ = try await self.broker.startAuthorization(for: self.settings, Self.challenge, AuthorizationContext())
        }
        _ = try await self.broker.startAuthorization(for: self.withoutUserInfo, Self.challenge, AuthorizationContext())
        #expect(await self.refusal(self.withoutUserInfo) == nil)
        #expect(await self.refusal(self.settings) == "discovery_refused_userinfo_endpoint_host")
        #expect(!self.provider.asked.contains { $0.contains("evil") })
    }

    /// The code went to an address that is gone. It never goes to another, and the next login uses the new one.
    @Test func `the code is not sent to the new endpoint`() async throws {
        _ = try await self.broker.endpoints.metadata()
        self.provider.move("token_endpoint", to: "/token2")
        #expect(await self.refusal(self.settings) == "token_status_404")
        #expect(self.provider.exchanges == ["/token"])
        #expect(await self.refusal(self.settings) == nil)
        #expect(self.provider.exchanges == ["/token", "/token2", "/userinfo"])
    }

    /// The user has logged in by then, and an access token of this provider may go to its other endpoint.
    @Test func `the userinfo is asked for at the new endpoint`() async throws {
        _ = try await self.broker.endpoints.metadata()
        self.provider.move("userinfo_endpoint", to: "/userinfo2")
        #expect(await self.refusal(self.settings) == nil)
        #expect(self.provider.exchanges == ["/token", "/userinfo", "/userinfo2"])
    }

    @Test func `the access token is not sent to another party`() async throws {
        _ = try await self.broker.endpoints.metadata()
        self.provider.move("userinfo_endpoint", to: "https://evil.example/userinfo")
        #expect(await self.refusal(self.settings) == "discovery_refused_userinfo_endpoint_host")
        #expect(self.provider.exchanges == ["/token", "/userinfo"])
    }

    /// Once a minute, and so only once here.
    @Test func `an endpoint that is gone for good is not looked for again and again`() async throws {
        _ = try await self.broker.endpoints.metadata()
        self.provider.state.withLock { $0.gone = ["/token"] }
        for _ in 0..<10 { #expect(await self.refusal(self.settings) == "token_status_404") }
        #expect(self.provider.asked.count { $0.hasPrefix("/.well-known") } == 2)
        #expect(self.provider.exchanges == Array(repeating: "/token", count: 10))
    }
}
