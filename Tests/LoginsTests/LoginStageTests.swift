import Base
import Testing

@testable import Logins

/// Where a login stood that ended because nobody continued it.
@Suite struct LoginStageTests {
    static let rows: [(name: String, login: Login, stage: LoginStage?)] = {
        var returned = Stage.opened.login()
        _ = returned.acceptCallback(.landed, to: Example.attempt(1).id, hash: Example.hash(1), at: Example.after(2))
        var redeemed = Stage.exchanging.login()
        _ = redeemed.keepTokenResponse([1], fencingToken: 1)
        return [
            ("no browser came", Stage.pending.login(), .neverOpened), ("opened", Stage.opened.login(), .noCallback),
            ("the browser is back before the result", returned, .noResult),
            ("a code is here", Stage.exchanging.login(), .noToken), ("a token is here", redeemed, .noIdentity),
            ("the user is known", Stage.awaitingReturn.login(), .noProof),
            ("completed", Stage.completed.login(), nil), ("failed", Stage.failed.login(), nil),
            ("expired", Stage.expired.login(), nil), ("gone", Stage.gone.login(), nil),
        ]
    }()

    @Test func `each word of a stage has its login`() {
        for row in Self.rows { #expect(LoginStage(row.login) == row.stage, "\(row.name)") }
        #expect(Set(Self.rows.compactMap(\.stage)) == Set(LoginStage.allCases))
    }

    /// In the event that ends the login, at each stage that a browser can reach.
    @Test(arguments: [
        (0, [LoginEvent.Step.ended(after: .seconds(601), at: .neverOpened, because: nil)]),
        (1, [.ended(after: .seconds(601), at: .noCallback, because: nil)]),
        (2, [.ended(after: .seconds(601), at: .noProof, because: nil)]),
    ]) func `an expired login says its stage`(_ steps: Int, _ expected: [LoginEvent.Step]) async throws {
        let stage = try FlowStage(.returnLink)
        try await stage.create()
        if steps > 0 {
            let (state, _) = try await stage.open()
            if steps > 1 {
                _ = await stage.callback([Parameter("state", state), Parameter("code", "c")])
                await stage.flow.finish()
            }
        }
        stage.pass(601)
        _ = try await stage.flow.sweep(limit: 10)
        #expect(stage.ends == expected)
    }

    @Test func `a login that its app cancels says its stage`() async throws {
        let stage = try FlowStage()
        try await stage.create()
        _ = try await stage.open()
        _ = try await stage.flow.cancel(stage.id, secret: stage.secret, waiting: .zero)
        #expect(stage.ends == [.ended(after: .zero, at: .noCallback, because: nil)])
    }
}
