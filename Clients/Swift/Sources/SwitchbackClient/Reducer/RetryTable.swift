/// What each response means for a login: one row for every status and code.
enum RetryTable {
    /// What a response means.
    enum Decision: Equatable, Sendable {
        /// The body is the login's current state.
        case accept
        /// Nothing has changed.
        case unchanged
        /// The server has deleted the login.
        case wiped
        /// Send the same request again later.
        case retry(TransientError)
        /// This request failed; the login continues.
        case drop
        /// The code was wrong.
        case wrongCode(triesLeft: Int)
        /// The login is over.
        case fail(LoginError)
    }

    /// What a row says. With details from the response it becomes a verdict.
    enum Outcome: Sendable {
        case accept, unchanged, wiped, drop, wrongCode
        case rateLimited, unavailable, unexpectedResponse
        case gone, unknown, refuse
    }

    /// Where the response must come from, and its code.
    enum Source: Equatable, Sendable {
        /// A problem of Switchback's with this code (RFC 9457).
        case code(Code)
        /// Any problem of Switchback's.
        case problem
        /// Switchback, or anything between it and the app.
        case any
    }

    /// The codes that mean something other than their status alone.
    enum Code: String, Sendable {
        case gone
        case malformedPollSecret = "malformed_poll_secret"
        case notFinal = "not_final"
        case secretInQuery = "secret_in_query"
        case unknownLogin = "unknown_login"
        case wrongCode = "wrong_code"
    }

    struct Row: Sendable {
        let kinds: Set<Call.Kind>
        let statuses: ClosedRange<Int>
        let source: Source
        let outcome: Outcome

        init(_ kinds: Set<Call.Kind>, _ statuses: ClosedRange<Int>, _ source: Source, _ outcome: Outcome) {
            self.kinds = kinds
            self.statuses = statuses
            self.source = source
            self.outcome = outcome
        }

        init(_ kinds: Set<Call.Kind>, _ status: Int, _ source: Source, _ outcome: Outcome) {
            self.init(kinds, status...status, source, outcome)
        }
    }

    private static let all = Set(Call.Kind.allCases)
    /// The calls about a login that the server has.
    private static let open: Set<Call.Kind> = [.poll, .reportReturn, .cancel]

    /// The first row that matches counts. Only Switchback itself can end a login or drop a link: a proxy's 404 or a
    /// hotel's 410 ends nothing.
    static let rows: [Row] = [
        Row([.create], 200...201, .any, .accept),
        Row(open, 200, .any, .accept),
        Row([.poll], 304, .any, .unchanged),
        Row([.acknowledge], 204, .any, .wiped),

        // The login is deleted, or cannot be. The app has the result, so this is the end in any case.
        Row([.acknowledge], 404, .code(.unknownLogin), .wiped),
        Row([.acknowledge], 410, .code(.gone), .wiped),
        Row([.acknowledge], 409, .code(.notFinal), .wiped),
        Row([.acknowledge], 401, .code(.malformedPollSecret), .wiped),

        Row(open, 404, .code(.unknownLogin), .unknown),
        Row(open.union([.create]), 410, .code(.gone), .gone),
        Row(open, 400, .code(.secretInQuery), .refuse),
        Row(open, 401, .code(.malformedPollSecret), .refuse),

        Row([.reportReturn], 422, .code(.wrongCode), .wrongCode),
        // The network was too slow for the request.
        Row(all, 408, .any, .unavailable),
        // A request that is refused today is refused tomorrow, and must not block the polls.
        Row([.reportReturn, .cancel], 400...428, .problem, .drop),
        // The server refuses an oversized request before it knows the login, and would refuse it again.
        Row([.reportReturn], 413...414, .any, .drop),
        Row([.reportReturn], 431, .any, .drop),

        // Before the create has its response there is nothing to lose.
        Row([.create], 400...428, .problem, .refuse),

        Row(all, 429, .any, .rateLimited),
        Row(all, 500...599, .any, .unavailable),
        Row(all, 0...Int.max, .any, .unexpectedResponse),
    ]

    /// Returns what this response means for a call of this kind.
    static func decision(on response: HTTPResponse, to kind: Call.Kind) -> Decision {
        let problem = Problem(response)
        let row = self.rows.first {
            $0.kinds.contains(kind) && $0.statuses.contains(response.status) && $0.source.matches(problem)
        }
        let notUnderstood = Decision.retry(.unexpectedResponse(status: response.status))
        switch row?.outcome ?? .unexpectedResponse {
        case .accept: return .accept
        case .unchanged: return .unchanged
        case .wiped: return .wiped
        case .drop: return .drop
        case .wrongCode: return .wrongCode(triesLeft: problem?.triesLeft ?? 0)
        case .rateLimited: return .retry(.rateLimited)
        case .unavailable: return .retry(.serviceUnavailable)
        case .unexpectedResponse: return notUnderstood
        case .gone: return .fail(.gone)
        case .unknown: return .fail(.unknownLogin)
        case .refuse: return problem.map { .fail(.refused($0)) } ?? notUnderstood
        }
    }
}

extension RetryTable.Source {
    fileprivate func matches(_ problem: Problem?) -> Bool {
        switch self {
        case .code(let code): problem?.code == code.rawValue
        case .problem: problem != nil
        case .any: true
        }
    }
}

/// How long to wait before a retry.
enum Backoff {
    /// Returns the seconds that the server asks for, or 1, 2, 4, 8, 16, 30, 30, … at most. `jitter`, from 0 to 1,
    /// spreads clients that failed together.
    static func delay(after failures: Int, retryAfter: Double?, jitter: Double) -> Double {
        if let retryAfter { return retryAfter + jitter }
        let longest = min(30, Double(1 << min(max(failures - 1, 0), 10)))
        return longest * (1 + jitter) / 2
    }
}
