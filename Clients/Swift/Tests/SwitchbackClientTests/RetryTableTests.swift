import Foundation
import Testing

@testable import SwitchbackClient

/// What each response means for a login.
@Suite struct RetryTableTests {
    private static let kinds: [Call.Kind] = [.create, .poll, .reportReturn, .cancel, .acknowledge]

    /// The verdicts for each kind of call. `refuse` contains the problem.
    private static func rows(_ status: Int, _ code: String) -> [RetryTable.Decision] {
        let refuse = Problem(Example.problem(status, code)).map { RetryTable.Decision.fail(.refused($0)) } ?? .drop
        let strange = RetryTable.Decision.retry(.unexpectedResponse(status: status))
        switch code {
        case "unknown_login": return [refuse, .fail(.unknownLogin), .fail(.unknownLogin), .fail(.unknownLogin), .wiped]
        case "gone": return [.fail(.gone), .fail(.gone), .fail(.gone), .fail(.gone), .wiped]
        case "not_final": return [refuse, strange, .drop, .drop, .wiped]
        case "malformed_poll_secret": return [refuse, refuse, refuse, refuse, .wiped]
        case "secret_in_query": return [refuse, refuse, refuse, refuse, strange]
        case "wrong_code": return [refuse, strange, .wrongCode(triesLeft: 0), .drop, strange]
        case "polling_too_fast", "too_many_requests", "too_many_logins", "too_many_pending":
            return Array(repeating: .retry(.rateLimited), count: 5)
        case "broker_unreachable", "store_unavailable", "audit_unavailable", "temporarily_unavailable",
            "request_timeout", "internal_error", "not_implemented", "http_version_not_supported",
            "too_many_connections", "response_timeout":
            return Array(repeating: .retry(.serviceUnavailable), count: 5)
        case "header_fields_too_large": return [strange, strange, .drop, strange, strange]
        default: return [refuse, strange, .drop, .drop, strange]
        }
    }

    /// Every code of `Public/openapi.yaml`, with its status.
    static let statuses: [String: Int] = [
        "malformed_request": 400, "https_required": 400, "request_timeout": 408, "content_too_large": 413,
        "uri_too_long": 414, "expectation_failed": 417, "header_fields_too_large": 431, "not_implemented": 501,
        "http_version_not_supported": 505, "too_many_connections": 503, "response_timeout": 503, "internal_error": 500,
        "precondition_failed": 412, "platform_not_supported": 422, "provider_off": 409,
        "not_found": 404, "method_not_allowed": 405, "unsupported_media_type": 415, "malformed_json": 400,
        "unknown_member": 400, "missing_member": 400, "invalid_member": 400, "poll_secret_required": 401,
        "malformed_poll_secret": 401, "app_key_refused": 401, "secret_in_query": 400, "unknown_provider": 422,
        "unknown_app": 422,
        "dpop_jkt_required": 422, "action_required": 422, "dpop_proof_required": 401, "dpop_proof_invalid": 401,
        "dpop_nonce_required": 401, "access_token_invalid": 401, "insufficient_user_authentication": 401,
        "session_not_allowed": 403, "attestation_required": 403, "attestation_invalid": 403,
        "session_key_in_use": 409, "session_unknown": 404, "session_ended": 410, "pin_too_late": 403,
        "pin_malformed": 422, "wrong_pin": 403, "too_many_requests": 429,
        "parameter_not_allowed": 422, "different_body": 422, "unknown_login": 404, "gone": 410, "not_final": 409,
        "not_ours": 422, "wrong_code": 422, "polling_too_fast": 429, "too_many_logins": 429, "too_many_pending": 429,
        "broker_unreachable": 502, "store_unavailable": 503, "audit_unavailable": 503, "temporarily_unavailable": 503,
    ]

    /// The server's repository has this package in `Clients/Swift`. A copy of the package alone has no such file.
    private static let api = (1...5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent()
    }
    .appendingPathComponent("Public/openapi.yaml")

    @Test(
        "every code of the API has a row",
        .enabled(if: FileManager.default.fileExists(atPath: api.path), "only in the server's repository"))
    func everyCodeOfTheAPIHasARow() throws {
        let text = try String(contentsOf: Self.api, encoding: .utf8)
        let problem = try #require(text.components(separatedBy: "\n    Problem:\n").last)
        let list = try #require(problem.components(separatedBy: "enum:\n").dropFirst().first)
        let codes = list.split(separator: "\n").prefix { $0.contains("- ") }.map {
            $0.trimmingCharacters(in: CharacterSet(charactersIn: " -"))
        }
        #expect(Set(codes) == Set(Self.statuses.keys))
    }

    @Test("each problem means what the table says", arguments: statuses.keys.sorted())
    func aProblem(_ code: String) throws {
        let status = try #require(Self.statuses[code])
        let answer = Example.problem(status, code)
        #expect(Self.kinds.map { RetryTable.decision(on: answer, to: $0) } == Self.rows(status, code))
    }

    static let others: [(status: Int, verdicts: [RetryTable.Decision])] = [
        (200, [.accept, .accept, .accept, .accept, .retry(.unexpectedResponse(status: 200))]),
        (201, [.accept] + Array(repeating: .retry(.unexpectedResponse(status: 201)), count: 4)),
        (204, Array(repeating: .retry(.unexpectedResponse(status: 204)), count: 4) + [.wiped]),
        (429, Array(repeating: .retry(.rateLimited), count: 5)),
        (500, Array(repeating: .retry(.serviceUnavailable), count: 5)),
        (504, Array(repeating: .retry(.serviceUnavailable), count: 5)),
    ]

    @Test("a response without a problem is decided by its status", arguments: others)
    func anAnswerOfAnybody(_ row: (status: Int, verdicts: [RetryTable.Decision])) {
        #expect(Self.kinds.map { RetryTable.decision(on: Example.page(row.status), to: $0) } == row.verdicts)
    }

    /// A page of a hotel or a proxy ends no login, drops no link and deletes nothing.
    @Test(
        "a page of another server ends nothing",
        arguments: [-1, 0, 100, 302, 400, 401, 403, 404, 407, 409, 410, 422, 428, 511, 600, Int.max])
    func aPageOfSomebodyElseEndsNothing(_ status: Int) {
        for kind in Self.kinds {
            switch RetryTable.decision(on: Example.page(status), to: kind) {
            case .retry: break
            case let decision: Issue.record("\(kind): \(decision)")
            }
        }
        #expect(RetryTable.decision(on: HTTPResponse(status: 304), to: .poll) == .unchanged)
    }

    @Test("a link that is too long is dropped", arguments: [413, 414, 431])
    func aLinkThatIsTooLongIsDropped(_ status: Int) {
        #expect(RetryTable.decision(on: Example.page(status), to: .reportReturn) == .drop)
    }

    // MARK: - How long

    @Test("the delay grows and is bounded") func theDelayGrowsAndIsBounded() {
        let delays = (0...40).map { Backoff.delay(after: $0, retryAfter: nil, jitter: 1) }
        #expect(delays.prefix(8) == [1, 1, 2, 4, 8, 16, 30, 30])
        #expect(delays.allSatisfy { $0 <= 30 })
        #expect(Backoff.delay(after: .max, retryAfter: nil, jitter: 1) == 30)
        #expect(Backoff.delay(after: 3, retryAfter: nil, jitter: 0) == 2, "half of it is spread")
    }

    static let retryAfter: [(field: String?, seconds: Double?)] = [
        (nil, nil), ("", nil), ("x", nil), ("-1", nil), ("0", 0), ("7", 7), ("301", 300), ("99999999999999999999", nil),
        ("Wed, 21 Oct 2026 07:28:00 GMT", nil),
    ]

    @Test("the time in Retry-After is read within bounds", arguments: retryAfter)
    func theServerSays(_ row: (field: String?, seconds: Double?)) {
        let fields = row.field.map { ["retry-after": $0] } ?? [:]
        #expect(HTTPResponse(status: 429, fields: fields).retryAfter == row.seconds)
    }

    @Test("a time that the server names is kept") func theServersWordIsKept() {
        var bench = Stage.polling.bench
        bench.answer(Example.problem(429, "polling_too_fast", retryAfter: 9), jitter: 0.5)
        #expect(bench.wake?.secondsSince(bench.now) == 9.5)
        #expect(bench.told.last == .retrying(.rateLimited, bench.reducer.login))
        bench.waitForWake()
        bench.answer(Example.login())
        #expect(bench.told.last?.login != nil && bench.action == nil, "the trouble is over")
    }
}
