import Base
import Logins
import Synchronization

@testable import Sessions

/// A flow with its store, its clock and what it has reported.
final class Bench: Sendable {
    let flow: SessionFlow
    let store: TestStore
    let clock: TestClock
    private let configuration: SessionConfiguration
    private let events: Events

    private final class Events: Sendable {
        let all = Mutex<[SessionEvent]>([])
    }

    init(
        _ configuration: SessionConfiguration, store: TestStore = TestStore(), clock: TestClock = TestClock()
    ) {
        let events = Events()
        self.store = store
        self.clock = clock
        self.configuration = configuration
        self.events = events
        self.flow = SessionFlow(
            configuration, store: store, now: { clock.now },
            observe: { event in events.all.withLock { $0.append(event) } })
    }

    convenience init(
        _ terms: SessionTerms = Example.terms(), rules: SessionRules = Example.rules, store: TestStore = TestStore()
    ) throws {
        self.init(try Example.configuration(terms: [terms], rules: rules), store: store)
    }

    /// The steps that were reported since the last call.
    func takeSteps() -> [SessionEvent.Step] {
        self.events.all.withLock { events in
            defer { events = [] }
            return events.map(\.step)
        }
    }

    /// Returns the proof of a request that is made now.
    func proof(_ phone: Phone, hasToken: Bool = false, pin: Secret? = nil, id: String? = nil) -> DPoPProof {
        phone.proof(at: self.clock.now, hasToken: hasToken, pin: pin, pinID: id)
    }

    /// Returns what an access token says. Throws `unknown` if it is not ours or has expired.
    func verifyAccessToken(_ token: String?) throws(SessionError) -> AccessTokenClaims {
        guard let token, let claims = AccessTokenIssuer(self.configuration).read(token),
            claims.isValid(at: self.clock.now)
        else { throw .unknown }
        return claims
    }

    func begin(_ phone: Phone, _ login: CompletedLogin? = nil) async throws(SessionError) -> SessionTokens {
        try await self.flow.begin(login ?? Example.login(phone.thumbprint), proof: self.proof(phone))
    }

    func renew(
        _ phone: Phone, _ tokens: SessionTokens, pin: Secret? = nil, id: String? = nil, proof: DPoPProof? = nil
    ) async throws(SessionError) -> SessionTokens {
        guard let token = tokens.refreshToken else { throw .unknown }
        return try await self.flow.renew(
            refreshToken: token, clientID: Example.app, proof: proof ?? self.proof(phone, pin: pin, id: id))
    }

    func setPIN(
        _ phone: Phone, _ tokens: SessionTokens, to secret: Secret? = nil, old: Secret? = nil,
        id: String? = nil, proof: DPoPProof? = nil
    ) async throws(SessionError) {
        try await self.flow.setPIN(
            tokens.sessionID, secret: secret ?? phone.pinSecret, pinID: id,
            accessToken: try self.verifyAccessToken(tokens.accessToken),
            proof: proof ?? self.proof(phone, hasToken: true, pin: old))
    }

    /// Begins a session, sets its PIN and unlocks it once.
    func unlocked(_ phone: Phone) async throws(SessionError) -> SessionTokens {
        let tokens = try await self.begin(phone)
        try await self.setPIN(phone, tokens)
        self.clock.now = self.clock.now + .milliseconds(10)
        return try await self.renew(phone, tokens, pin: phone.pinSecret)
    }
}

extension SessionTokens {
    /// The access token of a begin soon after the login, and of every renewal.
    var access: String { self.accessToken ?? "none" }
}
