package dev.switchback

import kotlinx.coroutines.CancellationException

/** Sends requests with the library's `User-Agent`, and logs them. */
internal class Sender(private val config: SwitchbackConfig) {
    /** Returns null if there is no response. */
    suspend fun send(request: HttpRequest, call: String, reference: String?): HttpResponse? {
        val response = try {
            config.http.send(request.withHeader("User-Agent", config.userAgent))
        } catch (error: CancellationException) {
            // A poll that was abandoned is no event.
            throw error
        } catch (_: Exception) {
            null
        }
        val attributes = mapOf("call" to call, "status" to response?.status?.toString())
        config.logger.log(LogEvent(LogEvent.Name.Request, reference, attributes))
        return response
    }
}
