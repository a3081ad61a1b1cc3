import Base
import Logins
import Testing

@testable import Sessions

/// Part 5 of the contract: how PIN attempts are judged and counted.
@Suite struct PINTests {
    let bench: Bench
    let phone: Phone
    let wrong = Secret([UInt8](repeating: 1, count: 32))

    init() throws {
        self.bench = try Bench()
        self.phone = try Phone()
    }

    private func advance(_ milliseconds: Int = 10) {
        self.bench.clock.now = self.bench.clock.now + .milliseconds(milliseconds)
    }

    /// Begins a session with a PIN.
    private func begin() async throws -> SessionTokens {
        let tokens = try await self.bench.begin(self.phone)
        try await self.bench.setPIN(self.phone, tokens)
        self.advance()
        _ = self.bench.takeSteps()
        return tokens
    }

    private func error(_ body: () async throws -> Void) async -> SessionError? {
        do { try await body() } catch { return error as? SessionError }
        return nil
    }

    private func tryPIN(_ tokens: SessionTokens, _ secret: Secret) async -> SessionError? {
        self.advance()
        return await self.error { _ = try await self.bench.renew(self.phone, tokens, pin: secret) }
    }

    // MARK: - 5.4: counting

    @Test func `five wrong PINs in a row destroy the secret`() async throws {
        let tokens = try await self.begin()
        for left in [4, 3, 2, 1] {
            #expect(await self.tryPIN(tokens, self.wrong) == .wrongPIN(triesLeft: left))
        }
        #expect(await self.tryPIN(tokens, self.wrong) == .locked)
        #expect(await self.tryPIN(tokens, self.phone.pinSecret) == .locked, "the right one does not help any more")
        #expect(await self.error { _ = try await self.bench.renew(self.phone, tokens) } == .locked)
        #expect(await self.error { try await self.bench.setPIN(self.phone, tokens) } == .locked)
        #expect(
            self.bench.takeSteps() == [4, 3, 2, 1].map { .wrongPIN(triesLeft: $0) } + [.lockedOut])
    }

    /// An app that lost the response to a change learns from the name which PIN is set, and spends no try.
    @Test func `the PIN has the name that the app gave`() async throws {
        let tokens = try await self.begin()
        #expect(tokens.pinID == nil)
        try await self.bench.setPIN(self.phone, tokens, to: self.wrong, id: "second")
        #expect(try await self.bench.renew(self.phone, tokens).pinID == "second")
        self.advance(301_000)
        #expect(await self.error { _ = try await self.bench.renew(self.phone, tokens) } == .pinRequired(id: "second"))
        // A proof of the first one counts nothing.
        let first = await self.error {
            _ = try await self.bench.renew(self.phone, tokens, pin: self.phone.pinSecret, id: "first")
        }
        #expect(first == .pinRequired(id: "second"))
        let second = await self.error {
            _ = try await self.bench.renew(self.phone, tokens, pin: self.wrong, id: "second")
        }
        #expect(second == nil && self.bench.takeSteps() == [.pinSet, .renewed, .unlocked])
    }

    @Test func `a right PIN resets the row`() async throws {
        let tokens = try await self.begin()
        for _ in 0..<3 {
            for left in [4, 3, 2, 1] { #expect(await self.tryPIN(tokens, self.wrong) == .wrongPIN(triesLeft: left)) }
            #expect(await self.tryPIN(tokens, self.phone.pinSecret) == nil)
        }
    }

    @Test func `a hundred wrong PINs in all destroy the secret`() async throws {
        let tokens = try await self.begin()
        for number in 1...99 {
            let error = await self.tryPIN(tokens, self.wrong)
            guard case .wrongPIN(let left)? = error else {
                Issue.record("\(number): \(String(describing: error))")
                return
            }
            #expect(left <= 100 - number)
            if number % 4 == 0 { #expect(await self.tryPIN(tokens, self.phone.pinSecret) == nil) }
        }
        #expect(await self.tryPIN(tokens, self.wrong) == .locked)
    }

    @Test(arguments: [1, 3, 10]) func `the number of tries is a setting`(_ tries: Int) async throws {
        let bench = try Bench(rules: Example.rules(pinTries: tries))
        let tokens = try await bench.begin(self.phone)
        try await bench.setPIN(self.phone, tokens)
        for number in 1...tries {
            bench.clock.now = bench.clock.now + .milliseconds(1)
            let error = await self.error { _ = try await bench.renew(self.phone, tokens, pin: self.wrong) }
            #expect(error == (number == tries ? .locked : .wrongPIN(triesLeft: tries - number)))
        }
    }

    // MARK: - 5.4: an identical proof gets the same verdict, uncounted

    @Test func `an identical wrong proof counts once`() async throws {
        let tokens = try await self.begin()
        for left in [4, 3, 2, 1] {
            self.advance()
            let proof = self.bench.proof(self.phone, pin: self.wrong)
            for _ in 0..<3 {
                let error = await self.error { _ = try await self.bench.renew(self.phone, tokens, proof: proof) }
                #expect(error == .wrongPIN(triesLeft: left))
            }
        }
        let last = self.bench.proof(self.phone, pin: self.wrong)
        self.advance()
        let proof = self.bench.proof(self.phone, pin: self.wrong)
        for _ in 0..<3 {
            #expect(await self.error { _ = try await self.bench.renew(self.phone, tokens, proof: proof) } == .locked)
        }
        #expect(await self.error { _ = try await self.bench.renew(self.phone, tokens, proof: last) } == .locked)
        #expect(self.bench.takeSteps().count == 5)
    }

    @Test func `an identical right proof gives fresh tokens`() async throws {
        let tokens = try await self.begin()
        let proof = self.bench.proof(self.phone, pin: self.phone.pinSecret)
        let unlocked = try await self.bench.renew(self.phone, tokens, proof: proof)
        self.advance(60_000)
        let again = try await self.bench.renew(self.phone, tokens, proof: proof)
        #expect(again.accessToken != unlocked.accessToken)
        #expect(again.refreshToken == unlocked.refreshToken)
        let active = try #require(try self.stored().active)
        #expect(active.unlockedAt == Example.start + .milliseconds(10), "it is the same unlock")
        #expect(active.presentAt == Example.start + .milliseconds(10))
    }

    // MARK: - 5.4: a nonce that is not newer

    @Test func `an older nonce is not counted`() async throws {
        let tokens = try await self.begin()
        let early = self.bench.proof(self.phone, pin: self.wrong)
        self.advance()
        let (one, two) = (
            self.bench.proof(self.phone, pin: self.wrong), self.bench.proof(self.phone, pin: self.wrong)
        )
        #expect(
            await self.error { _ = try await self.bench.renew(self.phone, tokens, proof: one) }
                == .wrongPIN(triesLeft: 4))
        for proof in [two, early, self.phone.proof(at: one.nonceTime, pin: self.phone.pinSecret)] {
            #expect(
                await self.error { _ = try await self.bench.renew(self.phone, tokens, proof: proof) } == .staleNonce)
        }
        #expect(await self.tryPIN(tokens, self.wrong) == .wrongPIN(triesLeft: 3))
        // What was judged first is no longer the last.
        #expect(await self.error { _ = try await self.bench.renew(self.phone, tokens, proof: one) } == .staleNonce)
    }

    // MARK: - Copies of a change that come late

    @Test func `a late copy of a change undoes no try`() async throws {
        let tokens = try await self.bench.begin(self.phone)
        let setting = self.bench.proof(self.phone, hasToken: true)
        try await self.bench.setPIN(self.phone, tokens, proof: setting)
        #expect(await self.tryPIN(tokens, self.wrong) == .wrongPIN(triesLeft: 4))
        let late = await self.error { try await self.bench.setPIN(self.phone, tokens, proof: setting) }
        #expect(late == .staleNonce)
        #expect(await self.tryPIN(tokens, self.wrong) == .wrongPIN(triesLeft: 3))
    }

    @Test func `a late copy of a change restores no older PIN`() async throws {
        let tokens = try await self.bench.begin(self.phone)
        let first = self.bench.proof(self.phone, hasToken: true)
        try await self.bench.setPIN(self.phone, tokens, to: self.wrong, proof: first)
        self.advance()
        try await self.bench.setPIN(self.phone, tokens)
        let late = await self.error { try await self.bench.setPIN(self.phone, tokens, to: self.wrong, proof: first) }
        #expect(late == .staleNonce)
        #expect(await self.tryPIN(tokens, self.phone.pinSecret) == nil)
    }

    /// The session has ended, and another login has begun it anew with the same key.
    @Test func `a late copy of an ended session sets nothing`() async throws {
        let tokens = try await self.bench.begin(self.phone)
        let setting = self.bench.proof(self.phone, hasToken: true)
        try await self.bench.setPIN(self.phone, tokens, proof: setting)
        self.advance()
        try await self.bench.flow.revoke(refreshToken: try #require(tokens.refreshToken))
        self.advance()
        let login = Example.login(self.phone.thumbprint, completed: 60)
        self.bench.clock.now = Example.start + .seconds(61)
        let new = try await self.bench.begin(self.phone, login)
        #expect(new.isPINSet == false)
        #expect(await self.error { try await self.bench.setPIN(self.phone, new, proof: setting) } == .staleNonce)
        self.advance()
        try await self.bench.setPIN(self.phone, new)
    }

    /// Two servers whose clocks differ by less than `DPoPNonce.leeway`: whoever is told that the nonce is not new enough
    /// gets one that is.
    @Test(arguments: [11, 30_000, 59_000])
    func `a server that is behind gives newer nonces`(_ milliseconds: Int) async throws {
        let tokens = try await self.begin()
        self.advance(milliseconds)
        #expect(await self.tryPIN(tokens, self.wrong) == .wrongPIN(triesLeft: 4))
        self.bench.clock.now = self.bench.clock.now + .milliseconds(-milliseconds)
        #expect(await self.tryPIN(tokens, self.wrong) == .staleNonce)
        let nonce = self.bench.flow.makeNonce()
        let keys = try #require(SessionKeys([Example.key]))
        let time = try #require(DPoPNonce.time(of: nonce, at: self.bench.clock.now, keys: keys))
        let proof = self.phone.proof(at: time, pin: self.wrong)
        let error = await self.error { _ = try await self.bench.renew(self.phone, tokens, proof: proof) }
        #expect(error == .wrongPIN(triesLeft: 3))
    }

    /// Nonces from a future that no server believes help nobody, and would stop everybody.
    @Test func `no nonce is further ahead than servers may be`() {
        let nonces = NonceTime()
        nonces.pass(Example.start + .seconds(3600))
        #expect(nonces.time(at: Example.start) == Example.start + DPoPNonce.leeway)
        #expect(nonces.time(at: Example.start + .seconds(7200)) == Example.start + .seconds(7200))
    }

    // MARK: - 5.4 and 5.5: only the key's owner can spend tries

    @Test func `nobody else uses up a try`() async throws {
        let (bench, thief) = (self.bench, try Phone())
        let tokens = try await self.begin()
        let before = bench.store.rows
        for _ in 0..<10 {
            self.advance()
            #expect(
                await self.error { _ = try await bench.renew(thief, tokens, pin: self.wrong) } == .unknown,
                "another key with a stolen refresh token")
            let token = RefreshToken(session: tokens.sessionID, random: RefreshToken.makeRandom()).text
            let error = await self.error {
                _ = try await bench.flow.renew(
                    refreshToken: token, clientID: "demo", proof: bench.proof(self.phone, pin: self.wrong))
            }
            #expect(error == .unknown, "another refresh token")
        }
        #expect(bench.store.rows == before)
        #expect(bench.takeSteps() == [])
    }

    // MARK: - 5.1: setting the PIN

    @Test func `a PIN is set soon after the login`() async throws {
        let tokens = try await self.bench.begin(self.phone)
        self.bench.clock.now = Example.minutes(5) - .milliseconds(1)
        let proof = self.bench.proof(self.phone, hasToken: true)
        try await self.bench.setPIN(self.phone, tokens, proof: proof)
        #expect(self.bench.takeSteps() == [.begun(isNew: true), .pinSet])
        try await self.bench.setPIN(self.phone, tokens, proof: proof)
        #expect(self.bench.takeSteps() == [], "a repeated request changes nothing")
    }

    static let times: [(String, Int, SessionError?)] = [
        ("14 minutes", 14 * 60, nil), ("15 minutes", 15 * 60, nil), ("a second more", 15 * 60 + 1, .tooLateForPIN),
        ("an hour", 3600, .tooLateForPIN),
    ]

    @Test(arguments: Self.times)
    func `a PIN is set within fifteen minutes`(_ name: String, _ seconds: Int, _ expected: SessionError?)
        async throws
    {
        let secret = try #require(PINSecret(self.phone.pinSecret))
        for isLater in [false, true] {
            var active = try #require(try await self.session(pin: isLater ? self.wrong : nil).active)
            let action = active.setPIN(
                secret, self.phone.proof(at: Example.after(seconds)), of: self.phone.session(),
                at: Example.after(seconds), Example.rules)
            #expect(action == (expected == nil ? .set : .tooLate))
        }
    }

    @Test func `a later PIN needs the old one`() async throws {
        var active = try #require(try await self.session(pin: self.phone.pinSecret).active)
        let (id, late) = (self.phone.session(), Example.minutes(20))
        let new = try #require(PINSecret(Secret([UInt8](repeating: 9, count: 32))))
        #expect(active.setPIN(new, self.phone.proof(at: late), of: id, at: late, Example.rules) == .tooLate)
        let wrong = self.phone.proof(at: late, pin: self.wrong)
        for _ in 0..<2 {
            let action = active.setPIN(new, wrong, of: id, at: late, Example.rules)
            guard case .refused(let verdict) = action else { throw SessionError.unknown }
            #expect([.wrong(triesLeft: 4), .wrongBefore(triesLeft: 4)].contains(verdict))
        }
        let right = self.phone.proof(at: late + .milliseconds(1), pin: self.phone.pinSecret)
        #expect(active.setPIN(new, right, of: id, at: late, Example.rules) == .set)
        #expect(active.setPIN(new, right, of: id, at: late, Example.rules) == .isSet, "a repeated request")
        let other = try #require(PINSecret(self.wrong))
        let before = active
        #expect(active.setPIN(other, right, of: id, at: late, Example.rules) == .isSet, "the proof alone is looked at")
        #expect(active == before)
        let unlock = self.phone.proof(at: late + .milliseconds(2), pin: new.secret)
        #expect(active.judge(unlock, of: id, Example.rules) == .right)
    }

    @Test func `a repeated PIN gives no tries back`() async throws {
        let tokens = try await self.bench.begin(self.phone)
        let proof = self.bench.proof(self.phone, hasToken: true)
        try await self.bench.setPIN(self.phone, tokens, proof: proof)
        try await self.bench.setPIN(self.phone, tokens, proof: proof)
        for left in [4, 3, 2] { #expect(await self.tryPIN(tokens, self.wrong) == .wrongPIN(triesLeft: left)) }
        // Another attempt was judged since, so the proof is no longer known, and it is too late for a new change.
        var active = try #require(try self.stored().active)
        let late = try #require(PINSecret(self.phone.pinSecret))
        let action = active.setPIN(
            late, proof, of: self.phone.session(), at: Example.minutes(16), Example.rules)
        #expect(action == .tooLate)
        #expect(await self.tryPIN(tokens, self.wrong) == .wrongPIN(triesLeft: 1))
    }

    @Test func `a PIN that was locked out returns only with a login`() async throws {
        let tokens = try await self.begin()
        for _ in 0..<5 { _ = await self.tryPIN(tokens, self.wrong) }
        #expect(await self.error { try await self.bench.setPIN(self.phone, tokens) } == .locked)
        #expect(await self.error { _ = try await self.bench.begin(self.phone) } == .locked, "the old login")
        let new = try await self.bench.begin(self.phone, Example.login(self.phone.thumbprint, completed: 60))
        #expect(new.isPINSet == false)
        #expect(new.refreshToken == tokens.refreshToken)
        self.advance()
        try await self.bench.setPIN(self.phone, new)
        #expect(await self.tryPIN(new, self.phone.pinSecret) == nil)
    }

    @Test(arguments: [0, 6, 31, 33]) func `a secret has 32 bytes`(_ count: Int) async throws {
        let tokens = try await self.bench.begin(self.phone)
        let secret = Secret([UInt8](repeating: 1, count: count))
        #expect(await self.error { try await self.bench.setPIN(self.phone, tokens, to: secret) } == .malformedPIN)
    }

    @Test func `a PIN is set only with the session's own token`() async throws {
        let (bench, phone, other) = (self.bench, self.phone, try Phone())
        let tokens = try await bench.begin(phone)
        let others = try await bench.begin(other)
        let claims = try bench.verifyAccessToken(tokens.accessToken)
        func set(_ id: SessionID, _ proof: DPoPProof) async -> SessionError? {
            await self.error {
                try await bench.flow.setPIN(id, secret: phone.pinSecret, accessToken: claims, proof: proof)
            }
        }
        #expect(await set(others.sessionID, bench.proof(phone, hasToken: true)) == .unknown)
        #expect(await set(tokens.sessionID, bench.proof(other, hasToken: true)) == .unknown)
        #expect(await set(tokens.sessionID, bench.proof(phone)) == .unknown, "a proof without ath")
        #expect(await set(tokens.sessionID, bench.proof(phone, hasToken: true)) == nil)
        try await bench.flow.revoke(refreshToken: try #require(tokens.refreshToken))
        #expect(await set(tokens.sessionID, bench.proof(phone, hasToken: true)) == .ended)
    }

    @Test func `only an unlock session has a PIN`() async throws {
        let bench = try Bench(Example.terms(.refresh))
        let tokens = try await bench.begin(self.phone)
        #expect(tokens.isPINSet == nil)
        #expect(await self.error { try await bench.setPIN(self.phone, tokens) } == .notAllowed)
        #expect(await self.error { _ = try await bench.renew(self.phone, tokens, pin: self.wrong) } == .locked)
    }

    // MARK: - Parts

    private func stored() throws -> Session {
        let row = try #require(self.bench.store.rows.first)
        return try SessionSeal.open(row, keys: #require(SessionKeys([Example.key])))
    }

    private func session(pin: Secret?) async throws -> Session {
        let bench = try Bench()
        let tokens = try await bench.begin(self.phone)
        if let pin { try await bench.setPIN(self.phone, tokens, to: pin) }
        let row = try #require(bench.store.rows.first)
        return try SessionSeal.open(row, keys: #require(SessionKeys([Example.key])))
    }
}
