import Base
import Logins
import TestSupport
import Testing

@testable import Sessions

/// Part 8 of the contract as a property: with a store that conflicts and fails, before or after a write, and a phone
/// that repeats what got no response, nobody is signed out, no try comes back or is spent twice, and no key has two
/// sessions. A simple model says what each request must give.
@Suite(.blocking) struct RandomSessionTests {
    /// What a correct server knows of one phone.
    private struct Model {
        var loginAt = Example.start
        var isBegun = false
        var hasEnded = false
        var pin: Secret?
        var isLockedOut = false
        var wrongInARow = 0
        var wrongInAll = 0
        var presentAt = Example.start
        var isUsed = false
        var refreshToken: Secret?
    }

    private static let wrong = Secret([UInt8](repeating: 1, count: 32))

    @Test(arguments: TableSample.seeds("random sessions", 60, of: 2000))
    func `nobody is signed out by random faults`(_ seed: UInt64)
        async throws
    {
        var dice = SplitMix64(seed: seed)
        let bench = try Bench(store: TestStore(seed: seed, faults: 30))
        let phone = try Phone()
        var model = Model()
        var tokens: SessionTokens?
        for _ in 0..<80 {
            bench.clock.now = bench.clock.now + .milliseconds(Int.random(in: 1...200_000, using: &dice))
            switch Int.random(in: 0..<12, using: &dice) {
            case 0, 1: tokens = try await Self.begin(bench, phone, &model) ?? tokens
            case 2: if let tokens { try await Self.setPIN(bench, phone, tokens, &model, &dice) }
            case 3: if let tokens { try await Self.unlock(bench, phone, tokens, with: Self.wrong, &model) }
            case 4, 5:
                if let tokens { try await Self.unlock(bench, phone, tokens, with: model.pin ?? Self.wrong, &model) }
            case 6: _ = try? await bench.flow.sweep()
            case 7 where Int.random(in: 0..<4, using: &dice) == 0:
                guard let token = tokens?.refreshToken else { break }
                try await Self.patiently { () async throws(SessionError) in
                    try await bench.flow.revoke(refreshToken: token)
                }.get()
                model.hasEnded = true
            default: if let tokens { try await Self.renew(bench, phone, tokens, &model) }
            }
            #expect(bench.store.rows.count <= 1, "no key has two sessions")
        }
    }

    /// Repeats a request until it gets a response, and then once more, because that response may be lost too. Returns
    /// the last one.
    private static func patiently<Response>(
        _ request: () async throws(SessionError) -> Response
    ) async -> Result<Response, SessionError> {
        var responses = 0
        while true {
            do throws(SessionError) {
                let response = try await request()
                responses += 1
                if responses == 2 { return .success(response) }
            } catch {
                if error == .storeUnavailable { continue }
                responses += 1
                if responses == 2 { return .failure(error) }
            }
        }
    }

    private static func expire(_ model: inout Model, _ bench: Bench) {
        let end = model.loginAt + (model.isUsed ? Example.rules.lifetime : .seconds(600))
        if model.isBegun, bench.clock.now >= end { model.hasEnded = true }
    }

    private static func isFresh(_ model: Model, _ bench: Bench) -> Bool {
        bench.clock.now - model.loginAt <= .seconds(900)
    }

    /// A new login with the e-ID, a moment ago.
    private static func begin(_ bench: Bench, _ phone: Phone, _ model: inout Model) async throws -> SessionTokens? {
        self.expire(&model, bench)
        let now = bench.clock.now
        let seconds = Int((now.milliseconds - Example.start.milliseconds) / 1000)
        let login = Example.login(phone.thumbprint, completed: seconds)
        guard login.completedAt > model.loginAt || !model.isBegun else { return nil }
        let proof = bench.proof(phone)
        let result = await self.patiently { () async throws(SessionError) in
            try await bench.flow.begin(login, proof: proof)
        }
        // The session may have ended in the second of this login.
        if case .failure(.ended) = result, model.hasEnded { return nil }
        let tokens = try result.get()
        if !model.isBegun || model.hasEnded {
            model = Model()
        } else {
            #expect(tokens.refreshToken == model.refreshToken)
            if model.isLockedOut { (model.isLockedOut, model.wrongInARow, model.wrongInAll) = (false, 0, 0) }
        }
        (model.isBegun, model.loginAt, model.refreshToken) = (true, login.completedAt, tokens.refreshToken)
        model.presentAt = max(model.presentAt, login.completedAt)
        #expect(tokens.isPINSet == (model.pin != nil))
        return tokens
    }

    private static func setPIN(
        _ bench: Bench, _ phone: Phone, _ tokens: SessionTokens, _ model: inout Model, _ dice: inout SplitMix64
    ) async throws {
        self.expire(&model, bench)
        let secret = Secret((0..<32).map { _ in UInt8.random(in: 2...255, using: &dice) })
        let proof = bench.proof(phone, hasToken: true, pin: Bool.random(using: &dice) ? model.pin : nil)
        let claims = AccessTokenClaims(
            sessionID: tokens.sessionID, app: Example.app, subject: Example.subject, thumbprint: phone.thumbprint,
            expiresAt: Example.days(1000))
        let result = await self.patiently { () async throws(SessionError) in
            try await bench.flow.setPIN(tokens.sessionID, secret: secret, accessToken: claims, proof: proof)
        }
        var error: SessionError?
        if case .failure(let failure) = result { error = failure }
        guard !model.hasEnded else {
            #expect(error == .ended || error == .unknown)
            return
        }
        guard !model.isLockedOut else {
            #expect(error == .locked)
            return
        }
        guard self.isFresh(model, bench) || (proof.pinProof != nil && model.pin != nil) else {
            #expect(error == .tooLateForPIN)
            return
        }
        #expect(error == nil)
        (model.pin, model.wrongInARow, model.wrongInAll, model.isUsed) = (secret, 0, 0, true)
        model.presentAt = bench.clock.now
    }

    private static func unlock(
        _ bench: Bench, _ phone: Phone, _ tokens: SessionTokens, with secret: Secret, _ model: inout Model
    ) async throws {
        self.expire(&model, bench)
        let proof = bench.proof(phone, pin: secret)
        let result = await self.patiently { () async throws(SessionError) in
            try await bench.renew(phone, tokens, proof: proof)
        }
        var error: SessionError?
        if case .failure(let failure) = result { error = failure }
        guard !model.hasEnded else {
            #expect(error == .unknown)
            return
        }
        guard let pin = model.pin, !model.isLockedOut else {
            #expect(error == .locked)
            return
        }
        guard pin != secret else {
            #expect(error == nil, "a right PIN unlocks")
            (model.wrongInARow, model.presentAt, model.isUsed) = (0, bench.clock.now, true)
            return
        }
        model.wrongInARow += 1
        model.wrongInAll += 1
        let left = min(5 - model.wrongInARow, 100 - model.wrongInAll)
        #expect(error == (left > 0 ? .wrongPIN(triesLeft: left) : .locked), "no try comes back or is spent twice")
        if left <= 0 { (model.isLockedOut, model.pin) = (true, nil) }
    }

    private static func renew(_ bench: Bench, _ phone: Phone, _ tokens: SessionTokens, _ model: inout Model)
        async throws
    {
        self.expire(&model, bench)
        let proof = bench.proof(phone)
        let result = await self.patiently { () async throws(SessionError) in
            try await bench.renew(phone, tokens, proof: proof)
        }
        var error: SessionError?
        if case .failure(let failure) = result { error = failure }
        guard !model.hasEnded else {
            #expect(error == .unknown)
            return
        }
        guard !model.isLockedOut else {
            #expect(error == .locked)
            return
        }
        guard model.pin != nil else {
            #expect(error == (self.isFresh(model, bench) ? nil : .locked))
            if error == nil { (model.isUsed, model.presentAt) = (true, bench.clock.now) }
            return
        }
        // The row may be as much as a tenth of the idle time behind.
        let pause = bench.clock.now - model.presentAt
        if pause > .seconds(300) { #expect(error == .pinRequired(id: nil)) }
        if pause <= .seconds(270) { #expect(error == nil) }
        if error == nil { (model.isUsed, model.presentAt) = (true, bench.clock.now) }
    }
}
