import Base
import Brokers
import Testing

@testable import Logins

/// Which proof releases a result, depending on the login's policy and status.
@Suite struct ProofCheckTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let release: ReleasePolicy
        let claim: Kind
        let status: LoginStatus
        var refusal: LoginFlowError?

        var testDescription: String { "\(self.release) \(self.claim)" }

        enum Kind: Sendable {
            case link, code, wrongLink, wrongCode
        }
    }

    @Test(arguments: [
        Row(release: .immediate, claim: .wrongCode, status: .completed),
        Row(release: .returnLink, claim: .link, status: .completed),
        Row(release: .returnLink, claim: .code, status: .completed),
        Row(release: .returnLink, claim: .wrongLink, status: .awaitingReturn, refusal: .notOurs),
        Row(release: .returnLink, claim: .wrongCode, status: .awaitingReturn, refusal: .wrongCode(triesLeft: 2)),
        Row(release: .code, claim: .link, status: .awaitingReturn, refusal: .notOurs),
        Row(release: .code, claim: .code, status: .completed),
    ]) func `a result waits for its proof`(_ row: Row) async throws {
        let stage = try FlowStage(row.release)
        try await stage.create()
        let state = try await stage.open().state
        _ = await stage.callback([Parameter("state", state), Parameter("code", "c")])
        await stage.flow.finish()
        let known = try #require(try await stage.stored())
        let taken = try #require(known.login.acceptedResponse)
        let right = PageProof(known.id, taken, under: known.key)
        let claim: ProofCheck.Claim =
            switch row.claim {
            case .link: .link(right.link)
            case .code: .code(right.code)
            case .wrongLink: .link(String(right.link.reversed()) + "A")
            case .wrongCode: .code("12345")
            }
        let check = ProofCheck(repository: stage.flow.repository)
        var refusal: LoginFlowError?
        do throws(LoginFlowError) {
            _ = try await check.check(claim, for: known, stage.secret)
        } catch { refusal = error }
        #expect(refusal == row.refusal)
        #expect(try await stage.stored()?.login.status == row.status)
        guard row.status == .completed else { return }
        #expect(try await stage.flow.loadView(stage.id, secret: stage.secret).result?.identity.subject == "s")
    }

    /// Concurrent tries are counted one by one, though all start from the same row.
    @Test func `every wrong code counts`() async throws {
        let stage = try FlowStage(.code)
        try await stage.create()
        let state = try await stage.open().state
        _ = await stage.callback([Parameter("state", state), Parameter("code", "c")])
        await stage.flow.finish()
        let known = try #require(try await stage.stored())
        let check = ProofCheck(repository: stage.flow.repository)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { _ = try? await check.check(.code("12345"), for: known, stage.secret) }
            }
        }
        let login = try #require(try await stage.stored()).login
        #expect(login.codeTries == Login.maxCodeTries && !login.canTryCode)
        let code = try #require(try await stage.stored()?.proof?.code)
        await #expect(throws: LoginFlowError.wrongCode(triesLeft: 0)) {
            try await stage.flow.handleReturn(stage.id, secret: stage.secret, code: code)
        }
    }
}
