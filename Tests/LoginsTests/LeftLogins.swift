import Base
import Brokers
import OpenIDConnect
import Stores
import Synchronization

@testable import Logins

/// A store with a login that a killed process left behind, a scripted broker, and a second process that finds the
/// login.
final class LeftLogins: Sendable {
    /// The broker's response to the code.
    enum Redeeming: Sendable {
        case works
        case fails(BrokerError)
    }

    static let key = ServerKey.make()
    let store: any LoginStore
    let broker: TableBroker
    let secret = PollSecret.make()
    let clock = Mutex(Example.after(18))
    /// Runs at each look at the clock.
    let atClock = Mutex<(@Sendable () -> Void)?>(nil)
    let events = Mutex<[LoginEvent]>([])

    init(_ redeeming: Redeeming = .works, in store: any LoginStore = MemoryLoginStore()) {
        self.broker = TableBroker(redeeming)
        self.store = store
    }

    /// The process that has left the logins.
    static let holder = "of the first process"

    /// Leaves a login as after a callback at second two, with the token response if `answered`.
    func leaveExchange(answered: Bool = false) async throws {
        let seal = InFlightSeal(self.secret.loginID, under: Self.key)
        var login = self.login
        let attempt = try self.attempt(transaction: nil)
        _ = login.start(attempt, at: Example.after(1))
        let code = seal.seal(.code, of: attempt.id, Array("code".utf8))
        _ = login.acceptCallback(
            .granted(code: code), to: attempt.id, hash: Example.hash(1), by: Self.holder, at: Example.after(2))
        if answered {
            _ = login.keepTokenResponse(seal.seal(.answer, of: attempt.id, Array("answer".utf8)), fencingToken: 1)
        }
        _ = try await self.store.insert(LoginSeal.seal(login, under: Self.key))
    }

    /// Leaves a login whose backchannel transaction no process has polled since the start.
    func leaveTrip() async throws {
        var login = self.login
        var attempt = try self.attempt(
            transaction: BackchannelTransaction(.headless, [:], interval: 1, until: Example.after(300)))
        attempt.pollLeaseUntil = Example.after(15)
        _ = login.start(attempt, at: Example.after(0))
        _ = try await self.store.insert(LoginSeal.seal(login, under: Self.key))
    }

    func process() throws -> LoginFlow {
        guard let keys = ServerKeys([Self.key]) else { throw StoreError.unavailable }
        return LoginFlow(
            LoginConfiguration(
                LoginSettings(publicURL: "https://login.example.com"), keys: keys,
                providers: [Provider(id: "mitid", brokerID: "table", names: ["en": "MitID"])], brokers: [self.broker]),
            store: self.store, now: { self.now },
            observe: { event in self.events.withLock { $0.append(event) } })
    }

    private var now: Timestamp {
        self.atClock.withLock { $0 }?()
        return self.clock.withLock { $0 }
    }

    /// Returns the stored login.
    func stored() async throws -> Login? {
        guard let row = try await self.store.load(self.secret.loginID), let keys = ServerKeys([Self.key]) else {
            return nil
        }
        return try LoginSeal.open(row, keys: keys).0
    }

    func steps() -> [String] { self.events.withLock { $0.map(\.step.name) } }

    private var login: Login {
        Login(
            id: self.secret.loginID, keyID: Self.key.id, app: "demo", provider: "mitid", broker: "table",
            platform: nil, locale: nil, surface: nil, callback: nil, release: .immediate, createdAt: Example.start,
            deadline: Example.after(600), resultTTL: 600_000, pollVerifier: Example.hash(8),
            bodyVerifier: Example.hash(9), request: [], wrappedKey: Example.hash(7))
    }

    private func attempt(transaction: BackchannelTransaction?) throws -> AuthorizationAttempt {
        let challenge = Challenge.make(state: "state")
        let inFlight = InFlightValues(
            challenge, AuthorizationStart(.browser(url: "https://id.example.com"), transaction: transaction),
            keepsTarget: false)
        let id = Example.hash(3).prefix(16)
        let seal = InFlightSeal(self.secret.loginID, under: Self.key)
        return AuthorizationAttempt(
            id: Array(id), openedAt: Example.after(1), inFlight: seal.seal(.challenge, of: Array(id), inFlight.bytes))
    }
}
