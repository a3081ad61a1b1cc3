import Base
import Testing

@testable import Sessions

/// Part 4 of the contract: a begin can be repeated for as long as the login's result is kept, but the login gives
/// access tokens for 15 minutes only.
@Suite struct BeginAgainTests {
    enum Outcome: Sendable {
        case accessToken
        /// The refresh token, the session's id and the state of the PIN.
        case noAccessToken
        case ended
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let level: SessionLevel
        var isBearer = false
        let minutes: Int
        let expected: Outcome

        var testDescription: String {
            "\(self.isBearer ? "bearer" : self.level.rawValue), \(self.minutes) minutes after the login"
        }
    }

    static let rows: [Row] =
        Self.rows(.noAccessToken, [(.refresh, false), (.unlock, false)])
        + Self.rows(.ended, [(.access, false), (.access, true)])

    private static func rows(_ late: Outcome, _ kinds: [(level: SessionLevel, isBearer: Bool)]) -> [Row] {
        let times: [(minutes: Int, expected: Outcome)] = [
            (0, .accessToken), (15, .accessToken), (16, late), (23 * 60, late),
        ]
        return times.flatMap { time in
            kinds.map { kind in
                Row(level: kind.level, isBearer: kind.isBearer, minutes: time.minutes, expected: time.expected)
            }
        }
    }

    /// Each row is played as the first begin of the login, and as one of several.
    @Test(arguments: Self.rows) func `a login gives access tokens for 15 minutes`(_ row: Row) async throws {
        let phone = try Phone()
        let login = Example.login(row.isBearer ? nil : phone.thumbprint, kept: 86_400)
        for isAgain in [false, true] {
            let bench = try Bench(Example.terms(row.level, allowsBearer: row.isBearer))
            func begin() async throws -> SessionTokens {
                try await bench.flow.begin(login, proof: row.isBearer ? nil : bench.proof(phone))
            }
            let first = isAgain ? try await begin() : nil
            bench.clock.now = Example.minutes(row.minutes)
            for _ in 0..<2 {
                guard row.expected != .ended else {
                    await #expect(throws: SessionError.ended) { _ = try await begin() }
                    continue
                }
                let tokens = try await begin()
                #expect((tokens.accessToken != nil) == (row.expected == .accessToken))
                #expect(tokens.level == row.level)
                if let first { #expect(tokens.refreshToken == first.refreshToken) }
                #expect((tokens.refreshToken != nil) == row.level.hasRow)
                #expect(tokens.isPINSet == (row.level == .unlock ? false : nil))
            }
        }
    }

    /// What a thief with the phone's key and its poll secret got: tokens of the e-ID login, past the PIN.
    @Test func `a session with a PIN stays locked`() async throws {
        let (bench, phone) = (try Bench(), try Phone())
        let login = Example.login(phone.thumbprint, kept: 86_400)
        let begun = try await bench.begin(phone, login)
        try await bench.setPIN(phone, begun)
        bench.clock.now = Example.minutes(20)
        let again = try await bench.begin(phone, login)
        #expect(again.accessToken == nil && again.refreshToken == begun.refreshToken && again.isPINSet == true)
        await #expect(throws: SessionError.pinRequired(id: nil)) { _ = try await bench.renew(phone, again) }
        let unlocked = try await bench.renew(phone, again, pin: phone.pinSecret)
        #expect(unlocked.accessToken != nil)
        // The old login is no newer for that.
        #expect(try await bench.begin(phone, login).accessToken == nil)
    }

    /// The age is that of the login whose poll secret is sent, and not that of a newer one.
    @Test func `a newer login makes an old one no younger`() async throws {
        let (bench, phone) = (try Bench(Example.terms(.refresh)), try Phone())
        let (old, new) = (
            Example.login(phone.thumbprint, kept: 86_400),
            Example.login(phone.thumbprint, completed: 1_200, kept: 86_400)
        )
        _ = try await bench.begin(phone, old)
        bench.clock.now = Example.minutes(20)
        #expect(try await bench.begin(phone, new).accessToken != nil)
        #expect(try await bench.begin(phone, old).accessToken == nil)
        bench.clock.now = Example.minutes(36)
        #expect(try await bench.begin(phone, new).accessToken == nil)
    }
}
