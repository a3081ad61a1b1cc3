import Base
import TestSupport
import Testing

@testable import Sessions

/// Part 5.1 of the contract: setting a PIN tells nothing about the PIN that is set, except through a counted try.
@Suite(.blocking) struct PINOracleTests {
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

    /// A state of the PIN, and what a proof of the old one says about it.
    struct OldPIN: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let minutes: Int
        var state = ActiveSession.PIN.none
        var old: Secret?
        var pinID: String?
        let expected: ActiveSession.SetPINAction
    }

    private static let present = Secret([UInt8](repeating: 7, count: 32))
    private static let guess = Secret([UInt8](repeating: 1, count: 32))
    private static let isSet = PINSecret(Self.present, id: "first").map { ActiveSession.PIN.set($0) } ?? .none

    static let oldPINs: [OldPIN] = [
        OldPIN(testDescription: "in time, none set", minutes: 1, expected: .set),
        OldPIN(testDescription: "in time, one set", minutes: 1, state: Self.isSet, expected: .set),
        OldPIN(testDescription: "in time, locked out", minutes: 1, state: .lockedOut, expected: .refused(.isLockedOut)),
        OldPIN(testDescription: "in time, a proof of none", minutes: 1, old: Self.guess, expected: .set),
        OldPIN(testDescription: "in time, right", minutes: 1, state: Self.isSet, old: Self.present, expected: .set),
        OldPIN(
            testDescription: "in time, wrong", minutes: 1, state: Self.isSet, old: Self.guess,
            expected: .refused(.wrong(triesLeft: 4))),
        OldPIN(
            testDescription: "in time, another one", minutes: 1, state: Self.isSet, old: Self.guess, pinID: "second",
            expected: .refused(.otherPIN)),
        OldPIN(
            testDescription: "in time, a proof of one locked out", minutes: 1, state: .lockedOut, old: Self.guess,
            expected: .refused(.isLockedOut)),
        OldPIN(testDescription: "late, none set", minutes: 16, expected: .tooLate),
        OldPIN(testDescription: "late, one set", minutes: 16, state: Self.isSet, expected: .tooLate),
        OldPIN(testDescription: "late, locked out", minutes: 16, state: .lockedOut, expected: .tooLate),
        OldPIN(testDescription: "late, a proof of none", minutes: 16, old: Self.guess, expected: .tooLate),
        OldPIN(testDescription: "late, right", minutes: 16, state: Self.isSet, old: Self.present, expected: .set),
        OldPIN(
            testDescription: "late, wrong", minutes: 16, state: Self.isSet, old: Self.guess,
            expected: .refused(.wrong(triesLeft: 4))),
        OldPIN(
            testDescription: "late, a proof of one locked out", minutes: 16, state: .lockedOut, old: Self.guess,
            expected: .refused(.isLockedOut)),
    ]

    /// Each row is played with the present secret and with another one as the new PIN, and both have the same response
    /// and cost the same tries.
    @Test(arguments: Self.oldPINs) func `the new secret is never compared`(_ row: OldPIN) async throws {
        _ = try await self.bench.begin(self.phone)
        let stored = try #require(self.bench.store.rows.first)
        let keys = try #require(SessionKeys([Example.key]))
        let template = try #require(try SessionSeal.open(stored, keys: keys).active)
        let at = Example.minutes(row.minutes)
        let proof = self.phone.proof(at: at, hasToken: true, pin: row.old, pinID: row.pinID)
        for new in [Self.present, Self.guess] {
            var active = template
            active.pin = row.state
            let action = active.setPIN(
                try #require(PINSecret(new)), proof, of: self.phone.session(), at: at, Example.rules)
            #expect(action == row.expected)
            guard case .refused(.wrong) = row.expected else { continue }
            guard case .set(let pin) = active.pin else { throw SessionError.unknown }
            #expect(pin.secret == Self.present && pin.wrongInARow == 1 && pin.wrongInAll == 1)
        }
    }

    /// A thief with the phone's key, its storage and an access token, sixteen minutes after the e-ID login: no guess has
    /// another answer, no try is counted, nothing is written, and the owner has all tries left.
    @Test func `two thousand guesses tell nothing`() async throws {
        let tokens = try await self.bench.unlocked(self.phone)
        _ = self.bench.takeSteps()
        self.bench.clock.now = Example.minutes(16)
        let claims = AccessTokenClaims(
            sessionID: tokens.sessionID, app: Example.app, subject: Example.subject,
            thumbprint: self.phone.thumbprint, expiresAt: Example.days(1))
        let before = self.bench.store.rows
        for number in 0..<2_000 {
            let guess = number == 1_000 ? self.phone.pinSecret : Secret(RandomBytes.make(32))
            let answer = await self.error {
                try await self.bench.flow.setPIN(
                    tokens.sessionID, secret: guess, pinID: number % 2 == 0 ? "p\(number)" : nil, accessToken: claims,
                    proof: self.bench.proof(self.phone, hasToken: true))
            }
            #expect(answer == .tooLateForPIN)
        }
        #expect(self.bench.store.rows == before)
        #expect(self.bench.takeSteps() == [])
        let honest = await self.error { _ = try await self.bench.renew(self.phone, tokens, pin: Self.guess) }
        #expect(honest == .wrongPIN(triesLeft: 4))
    }
}
