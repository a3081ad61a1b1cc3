package dev.switchback

/** One request of the five rules. */
internal sealed class Call(val kind: Kind) {
    /** Rule 1. */
    object Create : Call(Kind.Create)

    /** Rule 4. */
    object Poll : Call(Kind.Poll)

    /** Rule 3, with the link that opened the app; or rule 5, without a link. */
    data class ReportReturn(val link: String?) : Call(Kind.ReportReturn)

    /** Rule 2, `enter_code`. */
    data class EnterCode(val code: String) : Call(Kind.ReportReturn)

    /** Rule 5: the user tapped Cancel in the app. */
    object Cancel : Call(Kind.Cancel)

    /** Rule 5: the app has the result. */
    object Acknowledge : Call(Kind.Acknowledge)

    /** The kinds of calls that the retry table tells apart. */
    enum class Kind { Create, Poll, ReportReturn, Cancel, Acknowledge }

    /** Returns null for a call that needs the login's id while it is unknown. */
    fun request(record: SavedLogin, server: String, polling: PollHints?, validator: String?): HttpRequest? {
        val logins = "${server.trimEnd('/')}/v1/logins"
        if (this == Create) return HttpRequest("POST", logins, JSON, create(record), TIMEOUT)
        val url = "$logins/${record.login ?: return null}"
        val bearer = mapOf("Authorization" to "Bearer ${record.secret.exposed}", "Accept" to "application/json")
        return when (this) {
            is ReportReturn -> HttpRequest("POST", "$url/return", bearer + JSON, body("url", link), TIMEOUT)
            is EnterCode -> HttpRequest("POST", "$url/return", bearer + JSON, body("code", code), TIMEOUT)
            Cancel -> HttpRequest("POST", "$url/cancel", bearer + ("Prefer" to "wait=5"), null, TIMEOUT + 5000)
            Acknowledge -> HttpRequest("DELETE", url, bearer, null, TIMEOUT)
            else -> poll(url, bearer, polling?.wait ?: 0, validator)
        }
    }

    private fun poll(url: String, bearer: Map<String, String>, wait: Long, validator: String?): HttpRequest {
        // Without a validator the server would hold the poll until the login is final. This poll gets the present state
        // at once.
        if (validator == null || wait == 0L) return HttpRequest("GET", url, bearer, null, TIMEOUT)
        val headers = bearer + mapOf("Prefer" to "wait=$wait", "If-None-Match" to validator)
        return HttpRequest("GET", url, headers, null, wait * 1000 + TIMEOUT)
    }

    private companion object {
        /** The timeout, in milliseconds, of every call that is no long poll. */
        const val TIMEOUT = 20_000L

        val JSON = mapOf("Content-Type" to "application/json", "Accept" to "application/json")

        fun body(name: String, text: String?): ByteArray =
            JsonValue.of(mapOf(name to (text?.let { JsonValue.of(it) } ?: JsonValue.Null))).toBytes()

        fun create(record: SavedLogin): ByteArray {
            val secrets = listOfNotNull("poll_secret" to record.secret, record.replaces?.let { "replaces" to it })
            val members = secrets.associate { (name, secret) -> name to JsonValue.of(secret.exposed) }
            return JsonValue.of(record.request.members.orEmpty() + members).toBytes()
        }
    }
}
