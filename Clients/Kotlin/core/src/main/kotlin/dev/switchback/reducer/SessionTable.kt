package dev.switchback

import dev.switchback.SessionCall.Kind

/** What each response means for a session: one row for every status and code. */
internal object SessionTable {
    /** What a response means. */
    sealed interface Decision {
        /** The request did what it should. Its body has yet to be read. */
        data object Accept : Decision

        /** Repeat the request with a new proof, which has the nonce of this response. */
        data object NewNonce : Decision

        /** Repeat the request with a new access token. */
        data object NewToken : Decision

        /** Send the same request again later. */
        data class Retry(val error: TransientError) : Decision

        /** The session is over. */
        data object Ended : Decision

        /** The PIN was wrong. */
        data class WrongPin(val triesLeft: Int) : Decision

        /** The PIN has to be typed: the one with this name, if the server knows its name. */
        data class PinRequired(val id: String?) : Decision

        /** Only a login with the e-ID helps. */
        data object StepUp : Decision

        /** This request failed; the session is as before. */
        data class Fail(val error: SessionException) : Decision
    }

    enum class Outcome {
        ACCEPT, NEW_NONCE, NEW_TOKEN, ENDED, WRONG_PIN, PIN_REQUIRED, STEP_UP, REFUSE,
        RATE_LIMITED, UNAVAILABLE, UNEXPECTED_RESPONSE,
        LOGIN_GONE, NOT_ALLOWED, OTHER_USER, WRONG_LOGIN,
    }

    /** Any code of Switchback's, in the place of a code. */
    private const val CODED = "*"

    /** `code` is a code of a problem or an error of OAuth, [CODED] for any of them, or null for any response. */
    class Row(val kinds: Set<Kind>, val statuses: IntRange, val code: String?, val outcome: Outcome)

    private val all = Kind.entries.toSet()
    private val proven = all - Kind.REVOKE
    private val authorized = setOf(Kind.SET_PIN, Kind.LIST, Kind.END)
    private val begin = setOf(Kind.BEGIN)
    private val setPin = setOf(Kind.SET_PIN)

    /**
     * The first row that matches counts. Only Switchback itself can end a session: a proxy's 400 or a hotel's 410
     * ends nothing.
     */
    val rows: List<Row> = listOf(
        Row(all, 200..299, null, Outcome.ACCEPT),
        Row(proven, 400..401, "use_dpop_nonce", Outcome.NEW_NONCE),
        Row(proven, 401..401, "dpop_nonce_required", Outcome.NEW_NONCE),

        Row(setOf(Kind.RENEW), 400..401, "invalid_grant", Outcome.ENDED),
        Row(setOf(Kind.RENEW, Kind.SET_PIN), 400..403, "wrong_pin", Outcome.WRONG_PIN),
        Row(proven, 400..403, "pin_required", Outcome.PIN_REQUIRED),
        Row(proven, 400..403, "insufficient_user_authentication", Outcome.STEP_UP),
        Row(setPin, 403..403, "pin_too_late", Outcome.STEP_UP),

        Row(proven, 410..410, "session_ended", Outcome.ENDED),
        Row(begin, 410..410, "gone", Outcome.LOGIN_GONE),
        Row(begin, 404..404, "unknown_login", Outcome.LOGIN_GONE),
        Row(begin, 403..403, "session_not_allowed", Outcome.NOT_ALLOWED),
        Row(begin, 409..409, "session_key_in_use", Outcome.OTHER_USER),
        Row(begin, 409..409, "not_final", Outcome.WRONG_LOGIN),

        // A session that the server does not know has ended.
        Row(setOf(Kind.END), 404..404, "session_unknown", Outcome.ACCEPT),
        // A token can end early, as when the server's keys were changed. The renewal will tell.
        Row(authorized, 401..401, "access_token_invalid", Outcome.NEW_TOKEN),
        Row(authorized, 404..404, "session_unknown", Outcome.NEW_TOKEN),

        Row(all, 400..499, "temporarily_unavailable", Outcome.RATE_LIMITED),
        // The network was too slow for the request.
        Row(all, 408..408, null, Outcome.UNAVAILABLE),
        Row(all, 429..429, null, Outcome.RATE_LIMITED),
        Row(all, 400..499, CODED, Outcome.REFUSE),
        Row(all, 500..599, null, Outcome.UNAVAILABLE),
        Row(all, 0..Int.MAX_VALUE, null, Outcome.UNEXPECTED_RESPONSE),
    )

    /** Returns what this response means for a call of this kind. */
    fun decision(response: HttpResponse, kind: Kind): Decision {
        val refusal = Refusal.read(response)
        val row = rows.firstOrNull {
            kind in it.kinds && response.status in it.statuses && matches(it.code, refusal)
        }
        return when (row?.outcome ?: Outcome.UNEXPECTED_RESPONSE) {
            Outcome.ACCEPT -> Decision.Accept
            Outcome.NEW_NONCE -> Decision.NewNonce
            Outcome.NEW_TOKEN -> Decision.NewToken
            Outcome.ENDED -> Decision.Ended
            Outcome.WRONG_PIN -> Decision.WrongPin(maxOf(refusal?.triesLeft ?: 0, 0))
            Outcome.PIN_REQUIRED -> Decision.PinRequired(refusal?.pinId)
            Outcome.STEP_UP -> Decision.StepUp
            Outcome.REFUSE -> Decision.Fail(SessionException.refused(refusal?.code ?: ""))
            Outcome.RATE_LIMITED -> Decision.Retry(TransientError.RateLimited)
            Outcome.UNAVAILABLE -> Decision.Retry(TransientError.ServiceUnavailable)
            Outcome.UNEXPECTED_RESPONSE -> Decision.Retry(TransientError.unexpectedResponse(response.status))
            Outcome.LOGIN_GONE -> Decision.Fail(SessionException(SessionException.Kind.LoginGone))
            Outcome.NOT_ALLOWED -> Decision.Fail(SessionException(SessionException.Kind.NotAllowed))
            Outcome.OTHER_USER -> Decision.Fail(SessionException(SessionException.Kind.OtherUser))
            Outcome.WRONG_LOGIN -> Decision.Fail(SessionException(SessionException.Kind.WrongLogin))
        }
    }

    private fun matches(code: String?, refusal: Refusal?): Boolean = when (code) {
        null -> true
        CODED -> refusal != null
        else -> refusal?.code == code
    }

    /** The code by which Switchback refuses: of a problem (RFC 9457), or an error of OAuth (RFC 6749 §5.2). */
    private class Refusal(val code: String, val triesLeft: Int?, val pinId: String?) {
        companion object {
            fun read(response: HttpResponse): Refusal? {
                Problem.read(response)?.let { return Refusal(it.code, it.triesLeft, null) }
                if (response["Content-Type"]?.lowercase()?.startsWith("application/json") != true) return null
                val json = JsonValue.parse(response.body) ?: return null
                val code = json["error"]?.string ?: return null
                return Refusal(code, json["tries_left"]?.int, json["pin_id"]?.string)
            }
        }
    }
}
