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

    /// The order of the list is that in which the server checks.
    @Test(arguments: [
        ("signature", 0), ("unknown_key", 0), ("issuer", 1), ("issuer_missing", 1), ("audience", 2),
        ("authorized_party", 2), ("expired", 3), ("issued_in_future", 3), ("nonce_missing", 4), ("subject", 5),
        ("acr", 6), ("not_fresh", 7), ("auth_time_missing", 7), ("access_token_hash", 8), ("code_hash", 8),
    ])
    func `the checks before the failed one have passed`(_ word: String, _ place: Int) throws {
        let check = try #require(FailedCheck(log: ["broker_error=id_token_\(word)"]))
        let text = IDTokenChecks(failedCheck: check, status: "failed").markup.text
        #expect(text.matches(of: /✓/).count == place)
        #expect(text.matches(of: /✗/).count == 1)
    }

    @Test func `a check of no claim is alone`() throws {
        let check = try #require(FailedCheck(log: ["broker_error=id_token_claim_type"]))
        let text = IDTokenChecks(failedCheck: check, status: "failed").markup.text
        #expect(text.contains("✗ <strong>The token</strong>") && !text.contains("✓"))
    }

    @Test func `a refused token has its check marked`() throws {
        let check = try #require(FailedCheck(log: ["broker_error=id_token_nonce"]))
        let text = IDTokenChecks(failedCheck: check, status: "failed").markup.text
        #expect(text.contains("✗ <strong>nonce</strong>: nonce is not ours"))
        for claim in ["form, signature", "iss", "aud, azp", "exp, iat, nbf"] {
            #expect(text.contains("✓ <strong>\(claim)</strong>"), "the server checks it before")
        }
        for claim in ["sub", "acr", "auth_time", "at_hash, c_hash"] {
            #expect(text.contains("– <strong>\(claim)</strong>"), "nobody knows how it would have ended")
        }
        let accepted = IDTokenChecks(failedCheck: nil, status: "completed").markup.text
        #expect(accepted.contains("✓ <strong>nonce") && !accepted.contains("✗"))
        #expect(!accepted.contains("–"), "all were checked")
        #expect(IDTokenChecks(failedCheck: nil, status: "pending").markup.text.isEmpty)
    }
}
