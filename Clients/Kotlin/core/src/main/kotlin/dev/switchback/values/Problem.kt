package dev.switchback

/**
 * An error that Switchback reports, as problem details (RFC 9457).
 *
 * An error page of a proxy or a hotel is no problem in this sense.
 */
public class Problem internal constructor(
    /** The response's status, such as 422. */
    public val status: Int,
    /** What to decide by, such as `unknown_provider`. All codes are in `Public/openapi.yaml`. */
    public val code: String,
    /** What to do, for developers. */
    public val detail: String,
    /** The member of the request's body that is meant, or null. */
    public val member: String?,
    /** How many more codes the user may try, or null. */
    public val triesLeft: Int?,
    /** The id of the request, or null. Name it when you ask for help. */
    public val requestId: String?,
    /** What to tell the user if the provider is switched off (`provider_off`), in the request's language, or null. */
    public val notice: String? = null,
) {
    private val all: List<Any?> get() = listOf(status, code, detail, member, triesLeft, requestId, notice)

    override fun equals(other: Any?): Boolean = other is Problem && other.all == all

    override fun hashCode(): Int = all.hashCode()

    /** The status and the code. */
    override fun toString(): String = "$status $code"

    internal companion object {
        /** Returns null for a response that is no problem of Switchback's. */
        fun read(response: HttpResponse): Problem? {
            // A charset may follow.
            val type = response["Content-Type"]?.lowercase() ?: return null
            if (!type.startsWith("application/problem+json")) return null
            val json = JsonValue.parse(response.body) ?: return null
            val code = json["code"]?.string ?: return null
            return Problem(
                response.status, code, json["detail"]?.string ?: "", json["member"]?.string, json["tries_left"]?.int,
                json["request_id"]?.string, json["notice"]?.string,
            )
        }
    }
}

/** Why a request got no usable response yet. The library retries, and nothing is lost. */
public class TransientError private constructor(
    code: String,
    /** The status of a response that is not from Switchback; null for every other error. */
    public val status: Int? = null,
) : Coded(code) {
    override fun equals(other: Any?): Boolean = super.equals(other) && (other as TransientError).status == status

    override fun hashCode(): Int = 31 * super.hashCode() + (status ?: 0)

    /** The errors of this version. */
    public companion object {
        /** There is no connection, or no response in time. */
        @JvmField
        public val NoResponse: TransientError = TransientError("no_response")

        /** The server limits the rate of requests. */
        @JvmField
        public val RateLimited: TransientError = TransientError("rate_limited")

        /** The server has a problem, or cannot reach the broker. */
        @JvmField
        public val ServiceUnavailable: TransientError = TransientError("service_unavailable")

        /** The response is not from Switchback, but from a hotel's page or a proxy, for example. */
        @JvmStatic
        public fun unexpectedResponse(status: Int): TransientError = TransientError("unexpected_response", status)
    }
}
