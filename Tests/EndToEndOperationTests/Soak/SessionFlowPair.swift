import Base
import EndToEndSupport
import EventLoop
import JOSE
import Logins
import PhoneKeys
import Sessions
import Stores
import TestSupport

/// Two servers' sessions on one PostgreSQL database, in this process and without HTTP.
final class SessionFlowPair: Sendable {
    /// A phone with a session and a PIN.
    struct Phone: Sendable {
        let key: PhoneKey
        let session: SessionID
        let refreshToken: Secret
    }

    private static let url = "https://login.example"
    private let flows: [SessionFlow]
    private let stores: [PostgresLoginStore]
    private let loops: [EventLoop]
    /// How many wrong PINs both servers have counted.
    let counted = SoakCount()

    init() throws {
        let database = try PostgresServer.shared()
        let settings = PostgresSettings(url: Secret(database.url(try database.makeDatabase())))
        let loops = try EventLoop.makeLoops(count: 2)
        let stores = try loops.map { try PostgresLoginStore(settings, on: $0) }
        let signer = try JWTSigner(key: PrivateKey.generate(.p256), algorithm: .es256, keyID: "1")
        guard let keys = SessionKeys([SessionKey.make()]), let jwk = signer.jwk else {
            throw TestClient.Failure(description: "no keys")
        }
        let terms = SessionTerms(
            app: SoakPhone.app, audience: "https://api.example", level: .unlock, allowsCodeProof: false,
            allowsBearer: false)
        var rules = SessionRules()
        rules.idle = .seconds(SoakPhoneBook.idle)
        rules.lifetime = .seconds(86_400)
        rules.attestedLifetime = .seconds(86_400)
        rules.pinTries = SoakPhoneBook.tries
        let configuration = SessionConfiguration(
            issuer: Self.url, keys: keys, signer: signer, verificationKeys: JWKSet([jwk]),
            terms: [terms.app: terms], rules: rules)
        (self.loops, self.stores) = (loops, stores)
        let counted = self.counted
        self.flows = stores.map {
            SessionFlow(
                configuration, store: $0, now: WallClock.now,
                observe: { event in
                    switch event.step {
                    case .wrongPIN, .lockedOut: counted.add()
                    default: break
                    }
                })
        }
    }

    /// Begins a session and sets its PIN.
    func begin() async throws -> Phone {
        let (flow, key, now) = (self.flows[0], try PhoneKey(), WallClock.now())
        let login = CompletedLogin(
            app: SoakPhone.app, provider: "demo", eid: nil, subject: Secret("user"), acr: nil, amr: [],
            authTime: now, proof: .pageLink, completedAt: now, keepUntil: now + .seconds(600), platform: nil,
            thumbprint: key.thumbprint, level: .unlock)
        let tokens = try await flow.begin(login, proof: try self.proof(key, "POST", "/v1/sessions", flow))
        guard let refreshToken = tokens.refreshToken, let accessToken = tokens.accessToken else {
            throw TestClient.Failure(description: "no session")
        }
        let url = "\(Self.url)/v1/sessions/\(tokens.sessionID)/pin"
        let text = try key.proof("PUT", url, nonce: flow.makeNonce(), accessToken: accessToken)
        let (proof, claims) = try flow.verifyProof([text], method: "PUT", url: url, accessToken: accessToken)
        guard let claims else { throw TestClient.Failure(description: "the access token is not valid") }
        try await flow.setPIN(
            tokens.sessionID, secret: Secret(RandomBytes.make(32)), accessToken: claims, proof: proof)
        return Phone(key: key, session: tokens.sessionID, refreshToken: refreshToken)
    }

    /// Returns what the endpoint of tokens would say. `number` chooses the server.
    func tryPIN(_ secret: Secret, of phone: Phone, at number: Int) async throws -> String {
        let flow = self.flows[number % self.flows.count]
        let pin = PhoneKey.PIN(secret, session: phone.session.text)
        let proof = try self.proof(phone.key, "POST", "/oauth/token", flow, pin: pin)
        do throws(SessionError) {
            _ = try await flow.renew(refreshToken: phone.refreshToken, clientID: SoakPhone.app, proof: proof)
            return "200"
        } catch {
            switch error {
            case .wrongPIN(let left): return "wrong_pin \(left)"
            case .locked: return "insufficient_user_authentication"
            case .staleNonce: return "use_dpop_nonce"
            default: return "\(error)"
            }
        }
    }

    func close() async {
        for store in self.stores { await store.close() }
        for loop in self.loops { loop.close() }
    }

    private func proof(
        _ key: PhoneKey, _ method: String, _ path: String, _ flow: SessionFlow, pin: PhoneKey.PIN? = nil
    ) throws -> DPoPProof {
        let url = Self.url + path
        let text = try key.proof(method, url, nonce: flow.makeNonce(), pin: pin)
        return try flow.verifyProof([text], method: method, url: url)
    }
}
