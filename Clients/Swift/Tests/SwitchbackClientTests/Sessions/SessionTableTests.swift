import Foundation
import Testing

@testable import SwitchbackClient

/// What each response means for a session.
@Suite struct SessionTableTests {
    private static let kinds: [SessionCall.Kind] = [.begin, .renew, .setPIN, .list, .end, .revoke]

    private static func oauth(_ code: String) -> HTTPResponse {
        HTTPResponse(
            status: 400, fields: ["Content-Type": "application/json"],
            body: Data(#"{"error": "\#(code)", "error_description": "d", "tries_left": 3, "pin_id": "p1"}"#.utf8))
    }

    private static func refuse(_ code: String) -> SessionTable.Decision { .fail(.refused(code: code)) }

    struct Row: Sendable, CustomTestStringConvertible {
        let answer: HTTPResponse
        let code: String
        /// For each kind of call.
        let decisions: [SessionTable.Decision]

        var testDescription: String { self.code }

        init(_ status: Int, _ code: String, _ decisions: SessionTable.Decision...) {
            self.answer =
                status == 400
                ? SessionTableTests.oauth(code) : Example.problem(status, code, more: #", "tries_left": 3"#)
            self.code = code
            self.decisions = decisions.count == 1 ? Array(repeating: decisions[0], count: 6) : decisions
        }
    }

    static let rows: [Row] = {
        func no(_ code: String) -> SessionTable.Decision { Self.refuse(code) }
        let grant = "invalid_grant", nonce = "use_dpop_nonce", wrong = "wrong_pin", needed = "pin_required"
        let stepUp = "insufficient_user_authentication", later = "temporarily_unavailable"
        let typed = SessionTable.Decision.pinRequired(id: "p1")
        let pinTries = SessionTable.Decision.wrongPIN(triesLeft: 3)
        let ended = "session_ended", unknown = "session_unknown", token = "access_token_invalid"
        return [
            // RFC 6749 §5.2, RFC 9449 §5 and §8.
            Row(400, grant, no(grant), .ended, no(grant), no(grant), no(grant), no(grant)),
            Row(400, nonce, .newNonce, .newNonce, .newNonce, .newNonce, .newNonce, no(nonce)),
            Row(400, "invalid_dpop_proof", no("invalid_dpop_proof")),
            Row(400, "invalid_request", no("invalid_request")),
            Row(400, "invalid_client", no("invalid_client")),
            Row(400, "unsupported_grant_type", no("unsupported_grant_type")),
            Row(400, wrong, no(wrong), pinTries, pinTries, no(wrong), no(wrong), no(wrong)),
            Row(400, needed, typed, typed, typed, typed, typed, no(needed)),
            Row(400, stepUp, .stepUp, .stepUp, .stepUp, .stepUp, .stepUp, no(stepUp)),
            Row(400, later, .retry(.rateLimited)),
            Row(503, later, .retry(.serviceUnavailable)),
            // The problems of `/v1`.
            Row(
                401, "dpop_nonce_required", .newNonce, .newNonce, .newNonce, .newNonce, .newNonce,
                no("dpop_nonce_required")),
            Row(401, "dpop_proof_required", no("dpop_proof_required")),
            Row(401, "dpop_proof_invalid", no("dpop_proof_invalid")),
            Row(401, token, no(token), no(token), .newToken, .newToken, .newToken, no(token)),
            Row(401, stepUp, .stepUp, .stepUp, .stepUp, .stepUp, .stepUp, no(stepUp)),
            Row(403, wrong, no(wrong), pinTries, pinTries, no(wrong), no(wrong), no(wrong)),
            Row(
                403, "pin_too_late", no("pin_too_late"), no("pin_too_late"), .stepUp, no("pin_too_late"),
                no("pin_too_late"), no("pin_too_late")),
            Row(422, "pin_malformed", no("pin_malformed")),
            Row(410, ended, .ended, .ended, .ended, .ended, .ended, no(ended)),
            Row(404, unknown, no(unknown), no(unknown), .newToken, .newToken, .accept, no(unknown)),
            Row(
                410, "gone", .fail(.loginGone), no("gone"), no("gone"), no("gone"), no("gone"), no("gone")),
            Row(
                404, "unknown_login", .fail(.loginGone), no("unknown_login"), no("unknown_login"), no("unknown_login"),
                no("unknown_login"), no("unknown_login")),
            Row(
                403, "session_not_allowed", .fail(.notAllowed), no("session_not_allowed"), no("session_not_allowed"),
                no("session_not_allowed"), no("session_not_allowed"), no("session_not_allowed")),
            Row(403, "attestation_required", no("attestation_required")),
            Row(403, "attestation_invalid", no("attestation_invalid")),
            Row(
                409, "session_key_in_use", .fail(.otherUser), no("session_key_in_use"), no("session_key_in_use"),
                no("session_key_in_use"), no("session_key_in_use"), no("session_key_in_use")),
            Row(
                409, "not_final", .fail(.wrongLogin), no("not_final"), no("not_final"), no("not_final"),
                no("not_final"), no("not_final")),
            Row(404, "not_found", no("not_found")),
            Row(429, "too_many_requests", .retry(.rateLimited)),
            Row(503, "store_unavailable", .retry(.serviceUnavailable)),
            Row(500, "internal_error", .retry(.serviceUnavailable)),
        ]
    }()

    @Test("each response means what the table says", arguments: rows) func aCode(_ row: Row) {
        #expect(Self.kinds.map { SessionTable.decision(on: row.answer, to: $0) } == row.decisions)
    }

    /// A page of a hotel or a proxy ends no session, and spends no try.
    @Test(
        "a page of another server ends nothing",
        arguments: [-1, 0, 100, 302, 400, 401, 403, 404, 407, 408, 409, 410, 422, 429, 500, 511, 600, Int.max])
    func aPageOfSomebodyElseEndsNothing(_ status: Int) {
        for kind in Self.kinds {
            switch SessionTable.decision(on: Example.page(status), to: kind) {
            case .retry: break
            case let decision: Issue.record("\(kind): \(decision)")
            }
        }
    }

    /// A page with 200 passes the table, and the reducer does not believe it.
    @Test(
        "a page with status 200 is not believed",
        arguments: [SessionCall.Kind.begin, .renew, .setPIN, .list, .end, .revoke])
    func aPageWith200(_ kind: SessionCall.Kind) {
        var (bench, server) = SessionBench.active()
        let id = bench.reducer.record.session?.id ?? ""
        let before = bench.reducer.record
        let caller: SessionCaller
        switch kind {
        case .begin:
            let thumbprint = before.key?.thumbprint
            caller = bench.ask { .beginWanted($0, SessionBench.secret, thumbprint: thumbprint, nonce: nil) }
        case .renew: caller = bench.ask { .tokenWanted($0, isNew: true) }
        case .setPIN: caller = bench.ask { .pinChosen($0, SessionBench.pin("123456", salt: 1), old: nil) }
        case .list: caller = bench.ask { .listWanted($0) }
        case .end: caller = bench.ask { .endWanted($0, id) }
        case .revoke: caller = bench.ask { .signOutWanted($0) }
        }
        bench.answer(Example.page(200))
        #expect(bench.reply(caller) == nil)
        bench.waitForWake()
        bench.settle(&server)
        #expect(bench.replies[caller]?.count == 1)
        if case .failed(let error)? = bench.reply(caller) { Issue.record("\(error)") }
    }
}
