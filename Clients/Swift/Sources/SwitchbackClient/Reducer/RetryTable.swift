/// What each response means for a login: one row for every status and code.

enum RetryTable {
    /// What a response means.
    enum Verdict: Equatable, Sendable {
        /// The body is the login's current state.
        case take
        /// Nothing has changed.
        case unchanged
        /// The server has deleted the login.
        case wiped
        /// Send the same request again later.
        case again(Trouble)
        /// This request failed; the login continues.
        case drop
        /// The code was wrong.
        case wrongCode(triesLeft: Int)
        /// The login is over.
        case end(LoginError)
    }

    /// What a row says. With details from the response it becomes a verdict.
    enum Rule: Sendable {
        case take, unchanged, wiped, drop, wrongCode
        case tooMany, unavailable, notUnderstood
        case gone, unknown, refuse
    }

    /// Where the response must come from, and its code.
    enum Source: Equatable, Sendable {
        /// A problem of Switchback's with this code (RFC 9457).
        case code(Code)
        /// Any problem of Switchback's.
        case problem
        /// Switchback, or anything between it and the app.
        case anybody
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
        let rule: Rule

        init(_ kinds: Set<Call.Kind>, _ statuses: ClosedRange<Int>, _ source: Source, _ rule: Rule) {
            self.kinds = kinds
            self.statuses = statuses
            self.source = source
            self.rule = rule
        }

        init(_ kinds: Set<Call.Kind>, _ status: Int, _ source: Source, _ rule: Rule) {
            self.init(kinds, status...status, source, rule)
        }
    }

    private static let all = Set(Call.Kind.allCases)
    /// The calls about a login that the server has.
    private static let open: Set<Call.Kind> = [.poll, .comeBack, .cancel]

    /// The first row that matches counts. Only Switchback itself can end a login or drop a link: a proxy's 404 or a
    /// hotel's 410 ends nothing.
    static let rows: [Row] = [
        Row([.create], 200...201, .anybody, .take),
        Row(open, 200, .anybody, .take),
        Row([.poll], 304, .anybody, .unchanged),
        Row([.acknowledge], 204, .anybody, .wiped),

        // The login is deleted, or cannot be. The app has the result, so this is the end in any case.
        Row([.acknowledge], 404, .code(.unknownLogin), .wiped),
        Row([.acknowledge], 410, .code(.gone), .wiped),
        Row([.acknowledge], 409, .code(.notFinal), .wiped),
        Row([.acknowledge], 401, .code(.malformedPollSecret), .wiped),

        Row(open, 404, .code(.unknownLogin), .unknown),
        Row(open.union([.create]), 410, .code(.gone), .gone),
        Row(open, 400, .code(.secretInQuery), .refuse),
        Row(open, 401, .code(.malformedPollSecret), .refuse),

        Row([.comeBack], 422, .code(.wrongCode), .wrongCode),
        // The network was too slow for the request.
        Row(all, 408, .anybody, .unavailable),
        // A request that is refused today is refused tomorrow, and must not block the polls.
        Row([.comeBack, .cancel], 400...428, .problem, .drop),
        // The server refuses an oversized request before it knows the login, and would refuse it again.
        Row([.comeBack], 413...414, .anybody, .drop),
        Row([.comeBack], 431, .anybody, .drop),

        // Before the create has its response there is nothing to lose.
        Row([.create], 400...428, .problem, .refuse),

        Row(all, 429, .anybody, .tooMany),
        Row(all, 500...599, .anybody, .unavailable),
        Row(all, 0...Int.max, .anybody, .notUnderstood),
    ]

    /// Returns what this response means for a call of this kind.
    static func verdict(on response: HTTPResponse, to kind: Call.Kind) -> Verdict {
        let problem = Problem(response)
        let row = self.rows.first {
            $0.kinds.contains(kind) && $0.statuses.contains(response.status) && $0.source.said(problem)
        }
        let notUnderstood = Verdict.again(.notUnderstood(status: response.status))
        switch row?.rule ?? .notUnderstood {
        case .take: return .take
        case .unchanged: return .unchanged
        case .wiped: return .wiped
        case .drop: return .drop
        case .wrongCode: return .wrongCode(triesLeft: problem?.triesLeft ?? 0)
        case .tooMany: return .again(.tooMany)
        case .unavailable: return .again(.unavailable)
        case .notUnderstood: return notUnderstood
        case .gone: return .end(.gone)
        case .unknown: return .end(.unknownLogin)
        case .refuse: return problem.map { .end(.refused($0)) } ?? notUnderstood
        }
    }
}

extension RetryTable.Source {
    fileprivate func said(_ problem: Problem?) -> Bool {
        switch self {
        case .code(let code): problem?.code == code.rawValue
        case .problem: problem != nil
        case .anybody: true
        }
    }
}

/// How long to wait before a retry.
enum Backoff {
    /// Returns the seconds that the server asks for, or 1, 2, 4, 8, 16, 30, 30, … at most. `chance`, from 0 to 1,
    /// spreads clients that failed together.
    static func delay(after failures: Int, retryAfter: Double?, chance: Double) -> Double {
        if let retryAfter { return retryAfter + chance }
        let longest = min(30, Double(1 << min(max(failures - 1, 0), 10)))
        return longest * (1 + chance) / 2
    }
}
