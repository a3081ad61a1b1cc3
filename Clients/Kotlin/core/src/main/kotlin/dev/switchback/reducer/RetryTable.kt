package dev.switchback

/** What each response means for a login: one row for every status and code. */
internal object RetryTable {
    /** What a response means. */
    sealed class Decision {
        /** The body is the login's current state. */
        object Accept : Decision()

        /** Nothing has changed. */
        object Unchanged : Decision()

        /** The server has deleted the login. */
        object Wiped : Decision()

        /** This request failed; the login continues. */
        object Drop : Decision()

        /** The code was wrong. */
        data class WrongCode(val triesLeft: Int) : Decision()

        /** Send the same request again later. */
        data class Retry(val error: TransientError) : Decision()

        /** The login is over. */
        data class Fail(val error: LoginError) : Decision()
    }

    /** What a row says. With details from the response it becomes a decision. */
    private enum class Outcome {
        Accept, Unchanged, Wiped, Drop, WrongCode, RateLimited, Unavailable, Unexpected, Gone, Unknown, Refuse,
    }

    /** `code`: the problem's code, [PROBLEM] for any problem of Switchback's, or null for anything at all. */
    private class Row(val kinds: Set<Call.Kind>, val statuses: IntRange, val code: String?, val outcome: Outcome) {
        fun fits(kind: Call.Kind, status: Int, problem: Problem?): Boolean =
            kind in kinds && status in statuses &&
                (code == null || problem != null && (code == PROBLEM || code == problem.code))
    }

    private const val PROBLEM = ""
    private val all = Call.Kind.entries.toSet()
    private val create = setOf(Call.Kind.Create)
    private val poll = setOf(Call.Kind.Poll)
    private val report = setOf(Call.Kind.ReportReturn)
    private val acknowledge = setOf(Call.Kind.Acknowledge)

    /** The calls about a login that the server has. */
    private val open = setOf(Call.Kind.Poll, Call.Kind.ReportReturn, Call.Kind.Cancel)

    /**
     * The first row that fits counts. Only Switchback itself can end a login or drop a link: a proxy's 404 or a hotel's
     * 410 ends nothing.
     */
    private val rows = listOf(
        Row(create, 200..201, null, Outcome.Accept),
        Row(open, 200..200, null, Outcome.Accept),
        Row(poll, 304..304, null, Outcome.Unchanged),
        Row(acknowledge, 204..204, null, Outcome.Wiped),

        // The login is deleted, or cannot be. The app has the result, so this is the end in any case.
        Row(acknowledge, 404..404, "unknown_login", Outcome.Wiped),
        Row(acknowledge, 410..410, "gone", Outcome.Wiped),
        Row(acknowledge, 409..409, "not_final", Outcome.Wiped),
        Row(acknowledge, 401..401, "malformed_poll_secret", Outcome.Wiped),

        Row(open, 404..404, "unknown_login", Outcome.Unknown),
        Row(open + create, 410..410, "gone", Outcome.Gone),
        Row(open, 400..400, "secret_in_query", Outcome.Refuse),
        Row(open, 401..401, "malformed_poll_secret", Outcome.Refuse),

        Row(report, 422..422, "wrong_code", Outcome.WrongCode),
        // The network was too slow for the request.
        Row(all, 408..408, null, Outcome.Unavailable),
        // A request that is refused today is refused tomorrow, and must not block the polls.
        Row(report + Call.Kind.Cancel, 400..428, PROBLEM, Outcome.Drop),
        // The server refuses an oversized request before it knows the login, and would refuse it again.
        Row(report, 413..414, null, Outcome.Drop),
        Row(report, 431..431, null, Outcome.Drop),

        // Before the create has its response there is nothing to lose.
        Row(create, 400..428, PROBLEM, Outcome.Refuse),

        Row(all, 429..429, null, Outcome.RateLimited),
        Row(all, 500..599, null, Outcome.Unavailable),
    )

    /** Returns what this response means for a call of this kind. */
    fun decision(response: HttpResponse, kind: Call.Kind): Decision {
        val problem = Problem.read(response)
        val unexpected = Decision.Retry(TransientError.unexpectedResponse(response.status))
        return when (rows.firstOrNull { it.fits(kind, response.status, problem) }?.outcome ?: Outcome.Unexpected) {
            Outcome.Accept -> Decision.Accept
            Outcome.Unchanged -> Decision.Unchanged
            Outcome.Wiped -> Decision.Wiped
            Outcome.Drop -> Decision.Drop
            Outcome.WrongCode -> Decision.WrongCode(problem?.triesLeft ?: 0)
            Outcome.RateLimited -> Decision.Retry(TransientError.RateLimited)
            Outcome.Unavailable -> Decision.Retry(TransientError.ServiceUnavailable)
            Outcome.Unexpected -> unexpected
            Outcome.Gone -> Decision.Fail(LoginError.Gone)
            Outcome.Unknown -> Decision.Fail(LoginError.UnknownLogin)
            Outcome.Refuse -> problem?.let { Decision.Fail(LoginError.Refused(it)) } ?: unexpected
        }
    }
}

/** How long to wait before a retry. */
internal object Backoff {
    /**
     * Returns the milliseconds that the server asks for (`retryAfter` in seconds), or at most those of 1, 2, 4, 8, 16,
     * 30, 30, … seconds. `jitter`, from 0 to 1, spreads clients that failed together.
     */
    fun delay(failures: Int, retryAfter: Int?, jitter: Double): Long {
        if (retryAfter != null) return Math.round((retryAfter + jitter) * 1000)
        val longest = minOf(30, 1 shl (failures - 1).coerceIn(0, 10))
        return Math.round(longest * (1 + jitter) * 500)
    }
}
