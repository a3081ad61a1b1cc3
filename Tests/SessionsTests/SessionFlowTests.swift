import Base
import Logins
import Testing

@testable import Sessions

/// Parts 1, 4 and 6 of the contract: how sessions begin, are renewed and end.
@Suite struct SessionFlowTests {
    let bench: Bench
    let phone: Phone

    init() throws {
        self.bench = try Bench()
        self.phone = try Phone()
    }

    private func error(_ body: () async throws -> Void) async -> SessionError? {
        do { try await body() } catch { return error as? SessionError }
        return nil
    }

    // MARK: - Part 1: the lowest of all caps

    struct Cap: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let level: SessionLevel
        let terms: SessionTerms
        let login: @Sendable (String) -> CompletedLogin

        init(
            _ description: String, _ level: SessionLevel, _ terms: SessionTerms = Example.terms(),
            _ login: @escaping @Sendable (String) -> CompletedLogin = { Example.login($0) }
        ) {
            self.testDescription = description
            self.level = level
            self.terms = terms
            self.login = login
        }
    }

    static let caps: [Cap] =
        SessionLevel.allCases.map { level in Cap("the app: \(level)", level, Example.terms(level)) }
        + SessionLevel.allCases.map { level in Cap("the provider: \(level)", level) { Example.login($0, level: level) }
        }
        + [
            Cap("the app has less than the provider", .refresh, Example.terms(.refresh)) {
                Example.login($0, level: .unlock)
            },
            Cap("DigiD", .access) { Example.login($0, eid: "digid") },
            Cap("DigiD by its acr alone", .access) {
                Example.login($0, eid: "nlid", acr: "urn:grn:authn:nl:digid:substantial")
            },
            Cap("DigiD, with somebody's permission", .access) {
                Example.login($0, eid: "digid", hasPermission: true)
            },
            Cap("Swedish BankID", .access) { Example.login($0, eid: "se_bankid") },
            Cap("Swedish BankID by its acr alone", .access) {
                Example.login($0, eid: "signicat", acr: "urn:grn:authn:se:bankid:same-device")
            },
            Cap("Swedish BankID by the user's country", .access) { Example.login($0, eid: "bankid", country: "SE") },
            Cap("Swedish BankID, with an agreement", .unlock) {
                Example.login($0, eid: "se_bankid", hasPermission: true)
            },
            Cap("Swedish BankID, with an agreement and no proof", .access) {
                Example.login($0, eid: "se_bankid", proof: .none, hasPermission: true)
            },
            Cap("Norwegian BankID", .unlock) {
                Example.login($0, eid: "bankid", acr: "urn:grn:authn:no:bankid:substantial", country: "NO")
            },
            Cap("no e-ID is named", .unlock) { Example.login($0, eid: nil) },
            Cap("no proof", .access) { Example.login($0, proof: .none) },
            Cap("the code of the page", .access) { Example.login($0, proof: .pageCode) },
            Cap("the code, where the app allows it", .unlock, Example.terms(allowsCodeProof: true)) {
                Example.login($0, proof: .pageCode)
            },
            Cap("no proof, where the app allows the code", .access, Example.terms(allowsCodeProof: true)) {
                Example.login($0, proof: .none)
            },
            Cap("a link of the app", .unlock) { Example.login($0, proof: .callbackLink) },
            Cap("a switch", .unlock) { Example.login($0, proof: .switchLink) },
            Cap("a web page", .access) { Example.login($0, platform: "web") },
            Cap("Android", .unlock) { Example.login($0, platform: "android") },
            Cap("no platform", .unlock) { Example.login($0, platform: nil) },
            Cap("another app", .none) { Example.login($0, app: "other") },
        ]

    @Test(arguments: Self.caps) func `a session has the highest level that is allowed`(_ cap: Cap) async throws {
        let bench = try Bench(cap.terms)
        let login = cap.login(self.phone.thumbprint)
        guard cap.level > .none else {
            #expect(await self.error { _ = try await bench.begin(self.phone, login) } == .notAllowed)
            return
        }
        let tokens = try await bench.begin(self.phone, login)
        #expect(tokens.level == cap.level)
        #expect(tokens.sessionID == self.phone.session())
        #expect((tokens.refreshToken != nil) == (cap.level >= .refresh))
        #expect((tokens.isPINSet != nil) == (cap.level == .unlock))
        #expect(bench.store.rows.count == (cap.level >= .refresh ? 1 : 0), "at the level access we keep nothing")
    }

    // MARK: - Part 2: one key

    @Test func `a session begins only with its key`() async throws {
        let (bench, thief) = (self.bench, try Phone())
        let login = Example.login(self.phone.thumbprint)
        #expect(await self.error { _ = try await bench.begin(thief, login) } == .keyRequired)
        #expect(await self.error { _ = try await bench.flow.begin(login, proof: nil) } == .keyRequired)
        #expect(await self.error { _ = try await bench.begin(self.phone, Example.login(nil)) } == .keyRequired)
        #expect(bench.store.rows.isEmpty)
        let bearer = try Bench(Example.terms(allowsBearer: true))
        #expect(
            await self.error { _ = try await bearer.flow.begin(login, proof: nil) } == .keyRequired,
            "a login that names a key has no bearer token")
    }

    // MARK: - Part 4: idempotence

    @Test func `a repeated begin finds the session`() async throws {
        let tokens = try await self.bench.begin(self.phone)
        let rows = self.bench.store.rows
        let again = try await self.bench.begin(self.phone)
        #expect(again.refreshToken == tokens.refreshToken)
        #expect(again.sessionID == tokens.sessionID)
        #expect(self.bench.store.rows == rows)
        #expect(self.bench.takeSteps() == [.begun(isNew: true)])
    }

    @Test func `a newer login of the same user renews the session`() async throws {
        let tokens = try await self.bench.unlocked(self.phone)
        _ = self.bench.takeSteps()
        self.bench.clock.now = Example.days(29)
        let login = Example.login(self.phone.thumbprint, completed: 29 * 86_400, level: .unlock)
        let renewed = try await self.bench.begin(self.phone, login)
        #expect(renewed.refreshToken == tokens.refreshToken)
        #expect(renewed.isPINSet == true)
        #expect(self.bench.takeSteps() == [.begun(isNew: false)])
        let older = try await self.bench.begin(self.phone)
        #expect(older.refreshToken == tokens.refreshToken, "a repeat of the older login changes nothing")
        #expect(self.bench.takeSteps() == [])
        self.bench.clock.now = Example.days(58)
        #expect(await self.error { _ = try await self.bench.renew(self.phone, tokens) } == .pinRequired(id: nil))
    }

    @Test func `another user needs another key`() async throws {
        let tokens = try await self.bench.begin(self.phone)
        let login = Example.login(self.phone.thumbprint, subject: Secret("bo"), completed: 60)
        #expect(await self.error { _ = try await self.bench.begin(self.phone, login) } == .otherPerson)
        _ = try await self.bench.renew(self.phone, tokens)
        let other = try Phone()
        let others = try await self.bench.begin(other, Example.login(other.thumbprint, subject: Secret("bo")))
        #expect(others.sessionID != tokens.sessionID)
        try await self.bench.flow.revoke(refreshToken: try #require(tokens.refreshToken))
        _ = try await self.bench.begin(
            self.phone, Example.login(self.phone.thumbprint, subject: Secret("bo"), completed: 60))
    }

    // MARK: - Part 6: ends

    @Test func `a session that was never used ends with its login`() async throws {
        let tokens = try await self.bench.begin(self.phone)
        self.bench.clock.now = Example.after(600)
        #expect(await self.error { _ = try await self.bench.renew(self.phone, tokens) } == .unknown)
        #expect(await self.error { _ = try await self.bench.begin(self.phone) } == .ended)
        #expect(self.bench.takeSteps() == [.begun(isNew: true), .ended(.expired)])
        let login = Example.login(self.phone.thumbprint, completed: 590)
        let new = try await self.bench.begin(self.phone, login)
        #expect(new.refreshToken != tokens.refreshToken)
    }

    @Test func `a used session lasts 30 days`() async throws {
        let bench = try Bench(Example.terms(.refresh))
        let tokens = try await bench.begin(self.phone)
        _ = try await bench.renew(self.phone, tokens)
        for day in 1..<30 {
            bench.clock.now = Example.days(day)
            _ = try await bench.renew(self.phone, tokens)
        }
        bench.clock.now = Example.days(30)
        #expect(await self.error { _ = try await bench.renew(self.phone, tokens) } == .unknown)
    }

    @Test func `an attested session lasts 180 days`() async throws {
        let bench = try Bench(Example.terms(.refresh))
        let tokens = try await bench.begin(self.phone, Example.login(self.phone.thumbprint, attestation: .app))
        for day in [0, 100, 179] {
            bench.clock.now = Example.days(day)
            _ = try await bench.renew(self.phone, tokens)
        }
        // A login without attestation, with the same key, takes nothing away.
        let login = Example.login(self.phone.thumbprint, completed: 179 * 86_400)
        _ = try await bench.begin(self.phone, login)
        bench.clock.now = Example.days(179 + 179)
        _ = try await bench.renew(self.phone, tokens)
        bench.clock.now = Example.days(179 + 180)
        #expect(await self.error { _ = try await bench.renew(self.phone, tokens) } == .unknown)
    }

    @Test func `a shorter lifetime counts at once`() async throws {
        let tokens = try await self.bench.unlocked(self.phone)
        self.bench.clock.now = Example.days(8)
        _ = try await self.bench.renew(self.phone, tokens, pin: self.phone.pinSecret)
        self.bench.flow.replaceConfiguration(with: try Example.configuration(rules: Example.rules(lifetime: 7)))
        #expect(await self.error { _ = try await self.bench.renew(self.phone, tokens) } == .unknown)
    }

    @Test func `after an end the login before it begins nothing`() async throws {
        let tokens = try await self.bench.begin(self.phone)
        self.bench.clock.now = Example.after(10)
        for _ in 0..<2 { try await self.bench.flow.revoke(refreshToken: try #require(tokens.refreshToken)) }
        #expect(await self.error { _ = try await self.bench.begin(self.phone) } == .ended)
        #expect(await self.error { _ = try await self.bench.renew(self.phone, tokens) } == .unknown)
        for second in [9, 10] {
            let late = Example.login(self.phone.thumbprint, completed: second)
            #expect(await self.error { _ = try await self.bench.begin(self.phone, late) } == .ended, "completed before")
        }
        let new = try await self.bench.begin(self.phone, Example.login(self.phone.thumbprint, completed: 11))
        #expect(new.refreshToken != tokens.refreshToken)
        #expect(new.isPINSet == false)
        #expect(self.bench.takeSteps() == [.begun(isNew: true), .ended(.revoked), .begun(isNew: true)])
    }

    @Test func `revocation knows no unknown token`() async throws {
        let tokens = try await self.bench.begin(self.phone)
        let token = try #require(tokens.refreshToken)
        for wrong in [
            Secret(""), Secret("nonsense"), Secret(tokens.access),
            RefreshToken(session: tokens.sessionID, random: RefreshToken.makeRandom()).text,
        ] { try await self.bench.flow.revoke(refreshToken: wrong) }
        _ = try await self.bench.flow.renew(
            refreshToken: token, clientID: Example.app, proof: self.bench.proof(self.phone))
    }

    @Test func `valid_from ends what began before`() async throws {
        let tokens = try await self.bench.unlocked(self.phone)
        let rules = Example.rules(validFrom: Example.after(100))
        self.bench.flow.replaceConfiguration(with: try Example.configuration(rules: rules))
        self.bench.clock.now = Example.after(200)
        #expect(await self.error { _ = try await self.bench.begin(self.phone) } == .ended)
        #expect(await self.error { _ = try await self.bench.renew(self.phone, tokens) } == .unknown)
        #expect(self.bench.takeSteps().last == .ended(.invalidated))
        let login = Example.login(self.phone.thumbprint, completed: 100)
        let new = try await self.bench.begin(self.phone, login)
        #expect(new.isPINSet == false)
        #expect(new.refreshToken != tokens.refreshToken)
    }

    // MARK: - Part 1 and decision 6: renewals

    /// The idle time is five minutes. Each row says when the session is renewed, in seconds.
    static let idle: [(String, [Int], SessionError?)] = [
        ("within the idle time", [100, 400], nil), ("exactly", [300], nil),
        ("a second more", [301], .pinRequired(id: nil)),
        ("a pause that is too long", [100, 401], .pinRequired(id: nil)),
        ("many renewals", Array(stride(from: 60, to: 3600, by: 240)), nil),
    ]

    @Test(arguments: Self.idle)
    func `the inactivity timeout ends an unlock`(_ name: String, _ times: [Int], _ expected: SessionError?) async throws
    {
        let tokens = try await self.bench.unlocked(self.phone)
        let unlockedAt = self.bench.clock.now
        for time in times {
            self.bench.clock.now = unlockedAt + .seconds(time)
            let error = await self.error { _ = try await self.bench.renew(self.phone, tokens) }
            #expect(error == (time == times.last ? expected : nil))
        }
        guard expected != nil else { return }
        _ = try await self.bench.renew(self.phone, tokens, pin: self.phone.pinSecret)
        _ = try await self.bench.renew(self.phone, tokens)
    }

    @Test func `without a PIN an unlock session lasts 15 minutes`() async throws {
        let tokens = try await self.bench.begin(self.phone)
        for minute in stride(from: 3, through: 15, by: 3) {
            self.bench.clock.now = Example.minutes(minute)
            _ = try await self.bench.renew(self.phone, tokens)
        }
        self.bench.clock.now = Example.minutes(15) + .milliseconds(1)
        #expect(await self.error { _ = try await self.bench.renew(self.phone, tokens) } == .locked)
    }

    @Test func `a PIN that nobody set is not right`() async throws {
        let tokens = try await self.bench.begin(self.phone)
        let error = await self.error { _ = try await self.bench.renew(self.phone, tokens, pin: self.phone.pinSecret) }
        #expect(error == .locked)
    }

    /// 5.5: all refusals are equal.
    @Test func `all refusals are equal`() async throws {
        let (bench, thief) = (self.bench, try Phone())
        let tokens = try await bench.begin(self.phone)
        let token = try #require(tokens.refreshToken)
        func renew(_ token: Secret, _ client: String, _ phone: Phone) async -> SessionError? {
            await self.error {
                _ = try await bench.flow.renew(refreshToken: token, clientID: client, proof: bench.proof(phone))
            }
        }
        #expect(await renew(token, "demo", thief) == .unknown)
        #expect(await renew(token, "other", self.phone) == .unknown)
        #expect(await renew(Secret(token.exposedText + "A"), "demo", self.phone) == .unknown)
        #expect(await renew(Secret([0xFF, 0xFE]), "demo", self.phone) == .unknown)
        let unknown = RefreshToken(session: thief.session(), random: RefreshToken.makeRandom())
        #expect(await renew(unknown.text, "demo", thief) == .unknown)
        bench.flow.replaceConfiguration(with: try Example.configuration(terms: [Example.terms(.access)]))
        #expect(await renew(token, "demo", self.phone) == .unknown, "the app may have no sessions any more")
        bench.flow.replaceConfiguration(with: try Example.configuration(terms: [Example.terms(.refresh)]))
        #expect(await renew(token, "demo", self.phone) == nil)
    }

    // MARK: - Decision 7: writes

    @Test func `a renewal writes rarely`() async throws {
        let tokens = try await self.bench.unlocked(self.phone)
        let (unlockedAt, before) = (self.bench.clock.now, self.bench.store.writes)
        for second in 1...30 {
            self.bench.clock.now = unlockedAt + .seconds(second)
            _ = try await self.bench.renew(self.phone, tokens)
        }
        #expect(self.bench.store.writes == before)
        self.bench.clock.now = unlockedAt + .seconds(31)
        _ = try await self.bench.renew(self.phone, tokens)
        #expect(self.bench.store.writes == before + 1)
        self.bench.clock.now = unlockedAt + .seconds(32)
        _ = try await self.bench.renew(self.phone, tokens, pin: self.phone.pinSecret)
        #expect(self.bench.store.writes == before + 2, "an unlock always writes")
    }

    @Test func `a failing store causes no other error`() async throws {
        let bench = try Bench(store: TestStore(faults: 100))
        let errors = [
            await self.error { _ = try await bench.begin(self.phone) },
            await self.error { _ = try await bench.flow.list(app: "demo", subject: Example.subject) },
        ]
        #expect(errors.allSatisfy { $0 == nil || $0 == .storeUnavailable })
    }
}
