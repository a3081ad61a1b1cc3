package dev.switchback

import java.io.IOException

/**
 * Sends requests. It follows no redirects, keeps no cookies, no cache and no credentials, and repeats nothing by
 * itself: a repetition of a request that the server has seen is the library's own decision.
 */
public interface HttpEngine {
    /**
     * Sends a request and returns the response, whatever its status. When the coroutine is cancelled, it closes the
     * connection within a second.
     *
     * @throws IOException if there is no whole response within [HttpRequest.timeoutMillis], or one that is too large
     */
    public suspend fun send(request: HttpRequest): HttpResponse

    /** The engines that there are. */
    public companion object {
        /** Uses the platform's `HttpURLConnection`. */
        @JvmField
        public val UrlConnection: HttpEngine = UrlConnectionEngine()
    }
}

/** A request to send. Its header and its body are secret, so it prints as its method and path only. */
public class HttpRequest(
    /** Such as `GET`. */
    public val method: String,
    /** The URL, which never contains a secret. */
    public val url: String,
    /** The header fields. Each name occurs once. */
    public val headers: Map<String, String> = emptyMap(),
    /** The body, or null for none. */
    public val body: ByteArray? = null,
    /** How many milliseconds to wait for the whole response. A long poll's own wait is included. */
    public val timeoutMillis: Long = 20_000,
) {
    /** The same with one more header field, or another value of one. */
    public fun withHeader(name: String, value: String): HttpRequest =
        HttpRequest(method, url, headers.filterKeys { !it.equals(name, true) } + (name to value), body, timeoutMillis)

    /** The path of the URL, as it is written there. */
    internal val path: String
        get() = url.substringAfter("://").let { if ('/' in it) "/" + it.substringAfter('/') else "/" }
            .substringBefore('?').substringBefore('#')

    /** The method and the path, which are not secret. */
    override fun toString(): String = "$method $path"
}

/** A response. It prints without its body, which may contain personal data. */
public class HttpResponse(
    /** The status, such as 200. */
    public val status: Int,
    headers: Map<String, String> = emptyMap(),
    /** The body; empty if there is none. */
    public val body: ByteArray = ByteArray(0),
) {
    private val fields = headers.entries.reversed().associate { it.key.lowercase() to it.value }

    /** Returns a header field, or null if it is missing. The case of the name does not matter. */
    public operator fun get(name: String): String? = fields[name.lowercase()]

    /** The `Retry-After` field in seconds, at most 300. Null if it is not a number of seconds. */
    internal val retryAfter: Int?
        get() = this["Retry-After"]?.takeIf { text -> text.isNotEmpty() && text.all { it in '0'..'9' } }
            ?.toLongOrNull()?.let { minOf(it, 300).toInt() }

    /** The status and the body's length. */
    override fun toString(): String = "$status, ${body.size} bytes"
}
