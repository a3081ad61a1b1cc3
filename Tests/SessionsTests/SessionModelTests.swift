import Base
import Logins
import TestSupport
import Testing

@testable import Sessions

/// Sessions as a property: two servers on one store that conflicts and fails, phones that lose responses and repeat
/// requests, logins that are kept for a day, a backend that ends everything in between, and a clock. Every response
/// must be one that the model gives. The test prints how often it has seen each response to each request.
@Suite(.blocking) struct SessionModelTests {
    private static let users = ["alva", "bo"]
    private static let wrong = Secret([UInt8](repeating: 1, count: 32))
    private static let kept = 86_400

    /// A test that never meets one of these proves little.
    private static let pairs: Set<String> = [
        "begin: ok", "begin: ok, no access token", "begin: ended", "begin: locked", "begin: other_person",
        "begin for access: ok", "begin for access: ended", "begin while all end: ended",
        "renew: ok", "renew: unknown", "renew: locked", "renew: pin_required", "unlock: ok", "unlock: unknown",
        "unlock: locked", "unlock: wrong_pin", "set PIN: set", "set PIN: set before", "set PIN: too_late",
        "set PIN: stale_nonce", "set PIN: locked", "set PIN: wrong_pin", "set PIN: ended", "list: ok",
        "list: ended", "list: locked", "list: pin_required", "revoke: ok", "end all: ok",
    ]

    /// What a phone knows.
    private struct Known {
        let phone: Phone
        var logins: [ModelLogin] = []
        var user = SessionModelTests.users[0]
        var refreshToken: Secret?
        /// The PIN's secret that it believes to be set.
        var pin: Secret?
        /// The last requests that have set a PIN, which the network may deliver once more.
        var formers: [(proof: DPoPProof, secret: Secret, old: Secret?)] = []
    }

    private struct World {
        let servers: [Bench]
        let store: TestStore
        let clock: TestClock
        var dice: SplitMix64
        var phones: [Known]
        var model: SessionModel
        var counts: [String: Int] = [:]

        init(seed: UInt64) throws {
            let (store, clock) = (TestStore(seed: seed, faults: 20), TestClock())
            let configuration = try Example.configuration()
            self.store = store
            self.clock = clock
            self.servers = (0..<2).map { _ in Bench(configuration, store: store, clock: clock) }
            self.dice = SplitMix64(seed: seed)
            self.phones = try (0..<2).map { _ in Known(phone: try Phone()) }
            self.model = SessionModel(rows: [.none, .none])
        }

        var now: Timestamp { self.clock.now }

        mutating func isOneOf(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self.dice) == 0 }
    }

    @Test func `every response is that of the model`() async throws {
        var counts: [String: Int] = [:]
        let sample = TableSample.seeds("sessions and their model", 60, of: 2000)
        // More than the sample, as long as it has not reached every pair.
        var seeds = 0
        for seed in sample.lowerBound..<sample.lowerBound + 2000 {
            guard sample.contains(seed) || !Self.pairs.isSubset(of: counts.keys) else { break }
            seeds += 1
            var world = try World(seed: seed)
            for _ in 0..<120 {
                let differences = try await Self.step(&world)
                guard differences.isEmpty else {
                    Issue.record("seed \(seed): \(differences)")
                    return
                }
            }
            counts.merge(world.counts) { $0 + $1 }
        }
        print("sessions and their model, \(seeds) seeds:")
        for (pair, count) in counts.sorted(by: { $0.key < $1.key }) { print("  \(pair): \(count)") }
        #expect(Self.pairs.subtracting(counts.keys) == [])
    }

    /// Returns what the response and the model disagree about.
    private static func step(_ world: inout World) async throws -> String {
        let pause =
            switch Int.random(in: 0..<20, using: &world.dice) {
            case 0: 1_000_000
            case 1 where world.isOneOf(8): 90_000_000
            default: Int.random(in: 1...120_000, using: &world.dice)
            }
        world.clock.now = world.clock.now + .milliseconds(pause)
        let phone = Int.random(in: 0..<2, using: &world.dice)
        switch Int.random(in: 0..<26, using: &world.dice) {
        case 0...2: Self.logIn(&world, phone)
        case 3...8: return try await Self.begin(&world, phone)
        case 9...11: return try await Self.renew(&world, phone, pin: nil)
        case 12...13: return try await Self.renew(&world, phone, pin: world.phones[phone].pin ?? Self.wrong)
        case 14...15:
            let difference = try await Self.guess(&world, phone)
            guard difference.isEmpty else { return difference }
            return try await Self.setPIN(&world, phone, isLate: true)
        case 16...20: return try await Self.setPIN(&world, phone)
        case 21...22: return try await Self.list(&world, phone)
        case 23: return await Self.sweep(&world)
        case 24 where world.isOneOf(3): return await Self.revoke(&world, phone)
        case 25 where world.isOneOf(3): return await Self.endAll(&world)
        default: break
        }
        return ""
    }

    // MARK: - Requests

    /// Repeats a request, at either server, until it gets a response, and then once more, because that response may be
    /// lost too. Returns the last one.
    private static func patiently<Response>(
        _ world: inout World, _ request: (Bench) async throws(SessionError) -> Response
    ) async -> Result<Response, SessionError> {
        var responses = 0
        while true {
            let server = world.servers[Int.random(in: 0..<2, using: &world.dice)]
            do throws(SessionError) {
                let response = try await request(server)
                responses += 1
                if responses == 2 { return .success(response) }
            } catch {
                if error == .storeUnavailable { continue }
                responses += 1
                if responses == 2 { return .failure(error) }
            }
        }
    }

    private static func word<Response>(
        _ result: Result<Response, SessionError>, _ success: (Response) -> String = { _ in "ok" }
    ) -> String {
        switch result {
        case .success(let response): success(response)
        case .failure(.ended): "ended"
        case .failure(.unknown): "unknown"
        case .failure(.locked): "locked"
        case .failure(.otherPerson): "other_person"
        case .failure(.pinRequired): "pin_required"
        case .failure(.wrongPIN): "wrong_pin"
        case .failure(.tooLateForPIN): "too_late"
        case .failure(.staleNonce): "stale_nonce"
        case .failure(let error): "\(error)"
        }
    }

    private static func check(
        _ world: inout World, _ request: String, _ response: String, _ expected: Set<String>
    ) -> String {
        world.counts["\(request): \(response)", default: 0] += 1
        return expected.contains(response) ? "" : "\(request) is \(response), and not \(expected.sorted())"
    }

    private static func logIn(_ world: inout World, _ phone: Int) {
        let user = Self.users[world.isOneOf(4) ? 1 : 0]
        let login = ModelLogin(
            user: user, completedAt: world.now, keepUntil: world.now + .seconds(Self.kept),
            level: world.isOneOf(4) ? .access : .unlock)
        world.phones[phone].logins.append(login)
    }

    /// Begins with any login whose result is kept. With some luck the backend ends all sessions in the middle of it.
    private static func begin(_ world: inout World, _ phone: Int) async throws -> String {
        let now = world.now
        world.phones[phone].logins.removeAll { $0.keepUntil <= now }
        guard let login = world.phones[phone].logins.randomElement(using: &world.dice) else { return "" }
        let key = world.phones[phone].phone
        let completed = CompletedLogin(
            app: Example.app, provider: "mitid", eid: "mitid", subject: Secret(login.user), acr: nil, amr: [],
            authTime: nil, proof: .pageLink, completedAt: login.completedAt, keepUntil: login.keepUntil,
            platform: "ios", thumbprint: key.thumbprint, level: login.level)
        let proof = key.proof(at: now)
        let isInterrupted = world.isOneOf(8)
        if isInterrupted {
            let other = world.servers[1]
            let calls = Int.random(in: 0..<6, using: &world.dice)
            world.store.interrupt(after: calls) {
                while (try? await other.flow.endAll(app: Example.app, subject: Secret(login.user))) == nil {}
            }
        }
        let result = await Self.patiently(&world) { server throws(SessionError) in
            try await server.flow.begin(completed, proof: proof)
        }
        let response = Self.word(result) { $0.accessToken == nil ? "ok, no access token" : "ok" }
        let name = login.level == .access ? "begin for access" : "begin"
        if isInterrupted {
            let hasEnded = world.store.takeInterruption()
            var expected = world.model.begin(phone, login, at: now)
            // The second response comes after the end, if that has happened at all.
            if hasEnded { expected = expected == ["other_person"] ? ["ended", "other_person"] : ["ended"] }
            if hasEnded { Self.noteEnd(of: login.user, &world, phone) }
            Self.keep(result, &world, phone, login)
            return Self.check(&world, hasEnded ? "\(name) while all end" : name, response, expected)
        }
        let expected = world.model.begin(phone, login, at: now)
        Self.keep(result, &world, phone, login)
        return Self.check(&world, name, response, expected)
    }

    private static func noteEnd(of user: String, _ world: inout World, _ phone: Int) {
        let now = world.now
        let isOthers =
            if case .active(let active) = world.model.rows[phone] { active.user != user } else { false }
        world.model.endAll(user, at: now)
        guard !isOthers else { return }
        // Whether there was a session at all for a moment, nobody knows.
        world.model.rows[phone] = .gone
        world.phones[phone].logins = []
    }

    private static func keep(
        _ result: Result<SessionTokens, SessionError>, _ world: inout World, _ phone: Int, _ login: ModelLogin
    ) {
        guard case .success(let tokens) = result, let token = tokens.refreshToken else { return }
        if world.phones[phone].refreshToken != token { world.phones[phone].pin = nil }
        world.phones[phone].refreshToken = token
        world.phones[phone].user = login.user
    }

    private static func renew(_ world: inout World, _ phone: Int, pin: Secret?) async throws -> String {
        guard let token = world.phones[phone].refreshToken else { return "" }
        let proof = world.phones[phone].phone.proof(at: world.now, pin: pin)
        let result = await Self.patiently(&world) { server throws(SessionError) in
            try await server.flow.renew(refreshToken: token, clientID: Example.app, proof: proof)
        }
        let expected = world.model.renew(phone, pin: pin, at: world.now)
        return Self.check(&world, pin == nil ? "renew" : "unlock", Self.word(result), expected)
    }

    /// Wrong PINs in a row, often enough that five lock the session.
    private static func guess(_ world: inout World, _ phone: Int) async throws -> String {
        for _ in 0..<Int.random(in: 1...6, using: &world.dice) {
            world.clock.now = world.clock.now + .seconds(1)
            let difference = try await Self.renew(&world, phone, pin: Self.wrong)
            guard difference.isEmpty else { return difference }
        }
        return ""
    }

    /// The new secret is the present one in half of the requests, and a request that has set a PIN is sometimes delivered
    /// again, also when others came in between.
    private static func setPIN(_ world: inout World, _ phone: Int, isLate: Bool = false) async throws -> String {
        guard world.phones[phone].refreshToken != nil else { return "" }
        let (now, known) = (world.now, world.phones[phone])
        let random = Secret((0..<32).map { _ in UInt8.random(in: 2...255, using: &world.dice) })
        let olds: [Secret?] = [nil, nil, known.pin, Self.wrong]
        let request: (proof: DPoPProof, secret: Secret, old: Secret?)
        let valid = known.formers.filter { $0.proof.nonceTime + .seconds(300) > now }
        if let former = valid.randomElement(using: &world.dice), isLate || world.isOneOf(2) {
            request = former
        } else {
            let old = olds[Int.random(in: 0..<olds.count, using: &world.dice)]
            let secret = Bool.random(using: &world.dice) ? known.pin ?? random : random
            request = (known.phone.proof(at: now, hasToken: true, pin: old), secret, old)
        }
        let claims = AccessTokenClaims(
            sessionID: known.phone.session(), app: Example.app, subject: Secret(known.user),
            thumbprint: known.phone.thumbprint, expiresAt: Example.days(10_000))
        let result = await Self.patiently(&world) { server throws(SessionError) in
            try await server.flow.setPIN(
                known.phone.session(), secret: request.secret, accessToken: claims, proof: request.proof)
        }
        let expected = world.model.setPIN(
            phone, request.secret, old: request.old, proof: request.proof, user: known.user, at: now)
        guard case .success = result else { return Self.check(&world, "set PIN", Self.word(result), expected) }
        if expected == ["set"] {
            world.phones[phone].pin = request.secret
            world.phones[phone].formers = [request] + world.phones[phone].formers.prefix(2)
        }
        return Self.check(&world, "set PIN", expected == ["set before"] ? "set before" : "set", expected)
    }

    private static func list(_ world: inout World, _ phone: Int) async throws -> String {
        let (now, known) = (world.now, world.phones[phone])
        guard known.refreshToken != nil else { return "" }
        let claims = AccessTokenClaims(
            sessionID: known.phone.session(), app: Example.app, subject: Secret(known.user),
            thumbprint: known.phone.thumbprint, expiresAt: Example.days(10_000))
        let result = await Self.patiently(&world) { server throws(SessionError) in
            try await server.flow.list(by: claims)
        }
        let expected = world.model.list(phone, user: known.user, at: now)
        return Self.check(&world, "list", Self.word(result), expected)
    }

    private static func sweep(_ world: inout World) async -> String {
        let result = await Self.patiently(&world) { server throws(SessionError) in try await server.flow.sweep() }
        return Self.check(&world, "sweep", Self.word(result), ["ok"])
    }

    private static func revoke(_ world: inout World, _ phone: Int) async -> String {
        guard let token = world.phones[phone].refreshToken else { return "" }
        let result = await Self.patiently(&world) { server throws(SessionError) in
            try await server.flow.revoke(refreshToken: token)
        }
        world.model.end(phone, at: world.now)
        return Self.check(&world, "revoke", Self.word(result), ["ok"])
    }

    private static func endAll(_ world: inout World) async -> String {
        let user = Self.users[world.isOneOf(3) ? 1 : 0]
        let result = await Self.patiently(&world) { server throws(SessionError) in
            try await server.flow.endAll(app: Example.app, subject: Secret(user))
        }
        world.model.endAll(user, at: world.now)
        return Self.check(&world, "end all", Self.word(result), ["ok"])
    }
}
