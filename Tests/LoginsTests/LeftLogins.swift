/// A store with a login that a killed process left behind, a scripted broker, and a second process that finds the
/// login.
import Base
import Brokers
import OpenIDConnect
import Stores
import Synchronization

@testable import Logins

final class LeftLogins: Sendable {
    /// The broker's response to the code.
    enum Redeeming: Sendable {
        case works
        case fails(BrokerError)
    }

    static let key = ServerKey.make()
    let store = MemoryLoginStore()
    let broker: TableBroker
    let secret = PollSecret.make()
    let clock = Mutex(Example.after(18))
    let events = Mutex<[LoginEvent]>([])

    init(_ redeeming: Redeeming = .works) { self.broker = TableBroker(redeeming) }

    /// Leaves a login as after a callback at second two, with the token response if `answered`.
    func leaveExchange(answered: Bool = false) async throws {
        let seal = FlightSeal(self.secret.loginID, under: Self.key)
        var login = self.login
        let opening = try self.opening(trip: nil)
        _ = login.open(opening, at: Example.after(1))
        let code = seal.seal(.code, of: opening.id, Array("code".utf8))
        _ = login.takeCallback(.granted(code: code), to: opening.id, hash: Example.hash(1), at: Example.after(2))
        if answered { _ = login.keepAnswer(seal.seal(.answer, of: opening.id, Array("answer".utf8)), fence: 1) }
        _ = try await self.store.insert(LoginSeal.seal(login, under: Self.key))
    }

    /// Leaves a login whose backchannel transaction no process has polled since the start.
    func leaveTrip() async throws {
        var login = self.login
        var opening = try self.opening(
            trip: Trip(.headless, [:], interval: 1, until: Example.after(300)))
        opening.walkedUntil = Example.after(15)
        _ = login.open(opening, at: Example.after(0))
        _ = try await self.store.insert(LoginSeal.seal(login, under: Self.key))
    }

    func process() throws -> LoginFlow {
        guard let keys = ServerKeys([Self.key]) else { throw StoreError.unavailable }
        return LoginFlow(
            LoginRules(
                LoginSettings(publicURL: "https://login.example.com"), keys: keys,
                providers: [Provider(id: "mitid", brokerID: "table", names: ["en": "MitID"])], brokers: [self.broker]),
            store: self.store, now: { self.clock.withLock { $0 } },
            observe: { event in self.events.withLock { $0.append(event) } })
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

    private func opening(trip: Trip?) throws -> Opening {
        let challenge = Challenge.make(state: "state")
        let flight = Flight(
            challenge, Departure(.browser(url: "https://id.example.com"), trip: trip), keepsTarget: false)
        let id = Example.hash(3).prefix(16)
        let seal = FlightSeal(self.secret.loginID, under: Self.key)
        return Opening(
            id: Array(id), openedAt: Example.after(1), flight: seal.seal(.challenge, of: Array(id), flight.bytes))
    }
}
