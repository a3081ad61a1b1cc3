import Base
import Cryptography
import EventLoop
import HTTPServer
import HTTPWire
import JOSE
import Sandbox
import StrictJSON
import Synchronization
import Testing

/// A provider on a port of its own, a client that is registered there, and the client's requests.
final class Stage: Sendable {
    static let verifier = "a-code-verifier-of-forty-three-characters-or-more"
    static let redirectURI = "http://127.0.0.1:1/callback/sandbox"

    let clock = TestClock()
    let provider: SandboxProvider
    let registration: SandboxClient
    let clientKey: PrivateKey
    let http: RawClient
    private let loop: EventLoop

    /// All stages share one client key.
    private static let sharedKey = Result { try PrivateKey.generate(.p256) }

    init(
        authentication: SandboxClient.Authentication = .secretBasic, secret: String = "a secret: 100% + more",
        algorithm: SignatureAlgorithm = .rs256, requiresRequestObject: Bool = false,
        requiresPushedRequest: Bool = false, idTokenEncryption: SandboxClient.Encryption? = nil,
        userinfo: SandboxClient.Userinfo = .json, onwardOrigins: [String] = [], certificate: [UInt8]? = nil,
        mutualTLS: String? = nil, system: SandboxSystem = .oidc, pollInterval: Duration = .seconds(3),
        hasPollURL: Bool = true, headlessGrantType: String = "urn:grn:params:grant-type:headless"
    ) throws {
        let clock = self.clock
        self.clientKey = try Self.sharedKey.get()
        self.registration = SandboxClient(
            clientID: "test app", secret: Secret(secret),
            keys: JWKSet([self.clientKey.publicKey.jwk(keyID: "client-1", algorithm: .es256)]),
            redirectURIs: [Self.redirectURI, "http://127.0.0.1:1/other?tenant=a%20b"], authentication: authentication,
            idTokenAlgorithm: algorithm, requiresRequestObject: requiresRequestObject,
            requiresPushedRequest: requiresPushedRequest, idTokenEncryption: idTokenEncryption, userinfo: userinfo,
            onwardOrigins: onwardOrigins, certificate: certificate, hasPollURL: hasPollURL,
            headlessGrantType: headlessGrantType)
        self.loop = try EventLoop(name: "sandbox-tests")
        self.provider = try SandboxProvider(
            system: system, mutualTLS: mutualTLS, clients: [self.registration], lateness: .milliseconds(300),
            pollInterval: pollInterval, now: { clock.now })
        let port = try self.provider.start(listen: try #require(ListenAddress("127.0.0.1:0")), loops: [self.loop])
        self.http = RawClient(port: port)
    }

    func end() async {
        await self.provider.close()
        self.loop.close()
    }

    var walk: Walk { Walk(client: self.http) }

    var issuer: String { self.provider.issuer }

    // MARK: - The client's requests

    /// Returns a valid request, with some parameters changed, added or (nil) left out.
    func request(_ changes: [String: String?] = [:]) -> [Parameter] {
        let right: [Parameter] = [
            Parameter("client_id", "test app"), Parameter("redirect_uri", Self.redirectURI),
            Parameter("response_type", "code"),
            Parameter("scope", "openid profile email"), Parameter("state", "a-state"), Parameter("nonce", "a-nonce"),
            Parameter("code_challenge", Base64URL.encode(Digest.sha256.hash(Array(Self.verifier.utf8)))),
            Parameter("code_challenge_method", "S256"),
        ]
        return Self.changed(right, changes)
    }

    func tokenRequest(_ code: String, _ changes: [String: String?] = [:]) -> [Parameter] {
        let right: [Parameter] = [
            Parameter("grant_type", "authorization_code"), Parameter("code", code),
            Parameter("redirect_uri", Self.redirectURI),
            Parameter("code_verifier", Self.verifier),
        ]
        return Self.changed(right, changes)
    }

    /// Pushes a request with changes.
    func push(_ changes: [String: String?] = [:]) async throws -> RawClient.Answer {
        try await self.http.post("/par", form: self.request(changes), fields: [self.basic()])
    }

    func discovery() async throws -> JSON.Object {
        try #require(try JSON(parsing: try await self.http.get("/.well-known/openid-configuration").body).object)
    }

    private static func changed(
        _ right: [Parameter], _ changes: [String: String?]
    ) -> [Parameter] {
        let kept = right.compactMap { parameter -> Parameter? in
            guard let change = changes[parameter.name] else { return parameter }
            return change.map { Parameter(parameter.name, $0) }
        }
        let known = right.map(\.name)
        let added = changes.filter { !known.contains($0.key) }.compactMap { change in
            change.value.map { Parameter(change.key, $0) }
        }
        return kept + added.sorted { $0.name < $1.name }
    }

    /// RFC 6749 §2.3.1: form-encoded, unless `raw` is set.
    func basic(secret: String = "a secret: 100% + more", raw: Bool = false) -> String {
        func encoded(_ text: String) -> String {
            raw ? text : String(FormBody.encode([Parameter("", text)]).dropFirst())
        }
        return "Authorization: Basic " + Base64.encode(Array("\(encoded("test app")):\(encoded(secret))".utf8))
    }

    func signed(_ claims: JSON.Object, type: String? = nil) throws -> String {
        try JWTSigner(key: self.clientKey, algorithm: .es256, keyID: "client-1").sign(claims, type: type)
    }

    /// Returns a valid assertion with changes.
    func assertion(_ changes: JSON.Object = [:], without: [String] = []) throws -> [Parameter] {
        var claims: JSON.Object = [
            "iss": "test app", "sub": "test app", "aud": .string(self.issuer), "jti": .string(Self.random()),
            "iat": .integer(self.clock.now.seconds), "exp": .integer(self.clock.now.seconds + 60),
        ]
        for (name, value) in changes { claims[name] = value }
        for name in without { claims[name] = nil }
        return [
            Parameter("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
            Parameter("client_assertion", try self.signed(claims)),
        ]
    }

    static func random() -> String { Base64URL.encode(RandomBytes.make(12)) }
}

/// A clock that only a test moves.
final class TestClock: Sendable {
    private let moment = Mutex(Timestamp(seconds: 1_800_000_000))

    var now: Timestamp { self.moment.withLock { $0 } }

    func advance(by duration: Duration) { self.moment.withLock { $0 = $0 + duration } }
}
