package dev.switchback

import java.net.URLEncoder

/** The list of the app's login buttons. It is kept while the app lives, and the server says whether it has changed. */
internal class ProviderList(private val config: SwitchbackConfig) {
    private class Cached(val etag: String?, val body: ByteArray)

    private val sender = Sender(config)
    private var cached: Cached? = null

    suspend fun read(): List<Provider> {
        val known = cached
        val response = sender.send(request(known?.etag), "providers", null) ?: return known(TransientError.NoResponse)
        if (response.status == 200) {
            val list = Provider.list(response.body, config.languages())
            if (list != null) cached = Cached(response["ETag"], response.body)
            return list ?: known(TransientError.unexpectedResponse(200))
        }
        val problem = Problem.read(response)
        if (response.status in 400..499 && response.status != 429 && problem != null) {
            throw ProvidersException(ProvidersException.Kind.Refused, problem = problem)
        }
        return known(
            when (response.status) {
                429 -> TransientError.RateLimited
                in 500..599 -> TransientError.ServiceUnavailable
                else -> TransientError.unexpectedResponse(response.status)
            },
        )
    }

    /** Without a usable response the list that was there is good enough. */
    private fun known(error: TransientError): List<Provider> =
        cached?.let { Provider.list(it.body, config.languages()) }
            ?: throw ProvidersException(ProvidersException.Kind.NoResponse, error)

    private fun request(etag: String?): HttpRequest {
        val headers = mapOf("Accept" to "application/json") + (etag?.let { mapOf("If-None-Match" to it) } ?: emptyMap())
        val app = URLEncoder.encode(config.app, "UTF-8")
        return HttpRequest("GET", "${config.server.trimEnd('/')}/v1/providers?app=$app", headers)
    }
}
