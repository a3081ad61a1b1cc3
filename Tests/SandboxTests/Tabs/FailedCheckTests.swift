import Testing

@testable import Sandbox

/// Why a login failed, in the words of the documentation.
@Suite struct FailedCheckTests {
    static let rows: [(line: String, word: String?, meaning: String)] = [
        ("info login_ended login=a status=completed", nil, ""),
        (
            "info login_ended login=a broker_error=id_token_nonce", "id_token_nonce",
            "nonce is not ours: the token belongs to another login."
        ),
        (
            "info login_ended broker_error=token_unreachable x=y", "token_unreachable",
            "No connection: DNS, routing, firewall, or the broker is down."
        ),
        (
            "info login_ended broker_error=\"access_denied mitid_user_aborted\" x=y",
            "access_denied mitid_user_aborted",
            "The broker's own error."
        ),
    ]

    @Test(arguments: rows)
    func `the log says which check failed`(_ row: (line: String, word: String?, meaning: String)) {
        let check = FailedCheck(log: ["debug login_created login=a", row.line])
        #expect(check?.word == row.word)
        if row.word != nil { #expect(check?.meaning == row.meaning) }
    }

    @Test func `a refused token has its check marked`() throws {
        let check = try #require(FailedCheck(log: ["broker_error=id_token_nonce"]))
        let text = IDTokenChecks(failedCheck: check, status: "failed").markup.text
        #expect(text.contains("✗ nonce is that of this login"))
        #expect(!text.contains("✓"), "nobody knows how the others would have ended")
        let accepted = IDTokenChecks(failedCheck: nil, status: "completed").markup.text
        #expect(accepted.contains("✓ nonce") && !accepted.contains("✗"))
        #expect(IDTokenChecks(failedCheck: nil, status: "pending").markup.text.isEmpty)
    }
}
