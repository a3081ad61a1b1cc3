// Typed by hand and never compiled: Ktor's jars were not reachable. It follows
// https://ktor.io/docs/client-custom-plugins.html (Ktor 3.4), and for the hook `Send`
// https://github.com/ktorio/ktor/blob/main/ktor-client/ktor-client-core/common/src/io/ktor/client/plugins/api/CommonHooks.kt

package dev.switchback.ktor

import dev.switchback.ApiCalls
import dev.switchback.ApiExchange
import io.ktor.client.call.HttpClientCall
import io.ktor.client.plugins.api.ClientPlugin
import io.ktor.client.plugins.api.Send
import io.ktor.client.plugins.api.createClientPlugin
import io.ktor.http.Url

/** What [SwitchbackPlugin] needs. */
public class SwitchbackPluginConfig {
    /** Sends the requests. */
    public lateinit var calls: ApiCalls

    /** The origins that get the token, such as `https://api.example.com`. Other requests are as before. */
    public var apis: List<String> = emptyList()
}

/**
 * Sends the requests of an `HttpClient` to your API with the session's access token, and answers each of the API's
 * challenges once.
 */
public val SwitchbackPlugin: ClientPlugin<SwitchbackPluginConfig> =
    createClientPlugin("Switchback", ::SwitchbackPluginConfig) {
        val calls = pluginConfig.calls
        val apis = pluginConfig.apis.map { Url(it) }
        on(Send) { request ->
            val url = request.url.build()
            if (apis.none { it.protocol == url.protocol && it.host == url.host && it.port == url.port }) {
                return@on proceed(request)
            }
            calls.send(request.method.value, url.toString(), object : ApiExchange<HttpClientCall> {
                override suspend fun send(headers: Map<String, String>): HttpClientCall {
                    headers.forEach { (name, value) -> request.headers[name] = value }
                    return proceed(request)
                }

                override fun status(response: HttpClientCall): Int = response.response.status.value

                override fun header(response: HttpClientCall, name: String): String? =
                    response.response.headers.getAll(name)?.joinToString(", ")
            })
        }
    }
