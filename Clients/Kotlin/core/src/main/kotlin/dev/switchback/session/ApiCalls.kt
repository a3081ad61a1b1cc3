package dev.switchback

import java.io.IOException
import kotlinx.coroutines.runBlocking

/**
 * Sends requests to an API that wants this device's access token. A nonce that the API wants, an expired token and a
 * step-up are answered, each once. It knows no HTTP library: an [ApiExchange] sends one try.
 *
 * @param session gives the tokens and proofs
 * @param stepUp logs the user in again with the e-ID, and begins the session again; null if the API's 401 is to come
 *   back
 */
public class ApiCalls @JvmOverloads public constructor(
    private val session: SessionClient,
    private val stepUp: (suspend () -> Unit)? = null,
) {
    /**
     * Sends a request, and again after each challenge that it can answer. The last response stands. The request's body
     * must be one that can be sent again.
     */
    public suspend fun <Response> send(method: String, url: String, exchange: ApiExchange<Response>): Response =
        send(exchange, { nonce -> session.authorize(method, url, nonce) }, { session.accessToken(isNew = true) })

    /**
     * The same for an HTTP library that blocks. It blocks this thread, too.
     *
     * @throws IOException what the exchange throws
     * @throws SessionException if the session gives no token
     */
    @Throws(IOException::class, SessionException::class)
    public fun <Response> sendBlocking(method: String, url: String, exchange: BlockingApiExchange<Response>): Response =
        runBlocking {
            send(method, url, object : ApiExchange<Response> {
                override suspend fun send(headers: Map<String, String>): Response = exchange.send(headers)

                override fun status(response: Response): Int = exchange.status(response)

                override fun header(response: Response, name: String): String? = exchange.header(response, name)

                override fun discard(response: Response): Unit = exchange.discard(response)
            })
        }

    internal suspend fun <Response> send(
        exchange: ApiExchange<Response>, authorize: suspend (String?) -> Map<String, String>, renew: suspend () -> Unit,
    ): Response {
        var nonce: String? = null
        val answered = HashSet<ApiChallenge>()
        while (true) {
            val response = exchange.send(authorize(nonce))
            val challenge = ApiChallenge.read(exchange.status(response), exchange.header(response, "WWW-Authenticate"))
            val newNonce = exchange.header(response, "DPoP-Nonce")
            nonce = newNonce ?: nonce
            if (challenge == null || !answered.add(challenge)) return response
            when (challenge) {
                ApiChallenge.NONCE_WANTED -> if (newNonce == null) return response
                ApiChallenge.TOKEN_EXPIRED -> renew()
                ApiChallenge.STEP_UP_WANTED -> stepUp?.invoke() ?: return response
            }
            exchange.discard(response)
        }
    }
}

/** Sends one try of a request to an API by some HTTP library, and reads its responses. */
public interface ApiExchange<Response> {
    /** Sends the request with this header in addition. */
    public suspend fun send(headers: Map<String, String>): Response

    /** Returns the status of a response. */
    public fun status(response: Response): Int

    /** Returns a header field of a response; null if it is missing. Several with one name are joined by commas. */
    public fun header(response: Response, name: String): String?

    /** Closes a response in whose place another one comes. */
    public fun discard(response: Response) {}
}

/** The same as [ApiExchange] for an HTTP library that blocks. */
public interface BlockingApiExchange<Response> {
    /** Sends the request with this header in addition. */
    @Throws(IOException::class)
    public fun send(headers: Map<String, String>): Response

    /** Returns the status of a response. */
    public fun status(response: Response): Int

    /** Returns a header field of a response; null if it is missing. Several with one name are joined by commas. */
    public fun header(response: Response, name: String): String?

    /** Closes a response in whose place another one comes. */
    public fun discard(response: Response)
}

/** Why an API refuses an access token that may be good (RFC 9449 §9, RFC 6750 §3.1, RFC 9470 §3). */
internal enum class ApiChallenge(private val code: String) {
    NONCE_WANTED("use_dpop_nonce"),
    TOKEN_EXPIRED("invalid_token"),
    STEP_UP_WANTED("insufficient_user_authentication"),
    ;

    companion object {
        /** Reads `WWW-Authenticate` of a response; null if there is nothing to answer. */
        fun read(status: Int, field: String?): ApiChallenge? {
            if (status != 401 || field == null) return null
            val error = field.split(',', ' ').map { it.split('=', limit = 2) }
                .firstOrNull { it.size == 2 && it[0].lowercase() == "error" }?.get(1)?.trim('"')
            return entries.firstOrNull { it.code == error }
        }
    }
}
