package dev.switchback

import java.io.IOException
import java.io.InputStream
import java.net.HttpURLConnection
import java.net.SocketTimeoutException
import java.net.URL
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.withTimeout

/**
 * Sends requests by the platform's `HttpURLConnection`, on threads of the library's own.
 *
 * What the platform does by itself is off: redirects (they would get the secret), caches, compression, authenticators,
 * and the second attempt of a POST. On Android a body is streamed, because one that is streamed cannot be sent again.
 * A Java virtual machine hides the body of a 401 then, which says whether a proof needs a nonce. It has a property in
 * place of that.
 *
 * @param streams whether bodies are streamed
 */
internal class UrlConnectionEngine(
    private val largest: Int = LARGEST,
    private val streams: Boolean = isAndroid,
) : HttpEngine {
    override suspend fun send(request: HttpRequest): HttpResponse {
        try {
            // The platform's own timeouts are for each read, and a slow drip would never meet them.
            return withTimeout(request.timeoutMillis) {
                suspendCancellableCoroutine { waiting ->
                    val exchange = Exchange(request, largest, streams, waiting)
                    waiting.invokeOnCancellation { exchange.close() }
                    LibraryThreads.pool.execute(exchange)
                }
            }
        } catch (_: TimeoutCancellationException) {
            throw SocketTimeoutException("no response within ${request.timeoutMillis} ms")
        }
    }

    internal companion object {
        /** Bytes. The largest response of the API, the providers of a large server, has a tenth of it. */
        const val LARGEST = 4 * 1024 * 1024

        private val isAndroid = System.getProperty("java.vm.name") == "Dalvik"

        init {
            val name = "sun.net.http.retryPost"
            if (!isAndroid && System.getProperty(name) == null) System.setProperty(name, "false")
        }

        /** Closing may itself wait for the network, so another thread does it. */
        fun close(connection: HttpURLConnection) {
            runCatching { LibraryThreads.pool.execute { runCatching { connection.disconnect() } } }
        }
    }
}

/** One request and its response. */
private class Exchange(
    private val request: HttpRequest,
    private val largest: Int,
    private val streams: Boolean,
    private val waiting: CancellableContinuation<HttpResponse>,
) : Runnable {
    private val lock = Any()
    private var connection: HttpURLConnection? = null
    private var isClosed = false

    override fun run() {
        val result = runCatching { exchange() }
        // What goes wrong in the platform's code is no response. It must not end the app.
        result.onSuccess { waiting.resume(it) }
            .onFailure { waiting.resumeWithException(it as? IOException ?: IOException("no response", it)) }
    }

    fun close() {
        val open = synchronized(lock) {
            isClosed = true
            connection
        }
        open?.let { UrlConnectionEngine.close(it) }
    }

    private fun exchange(): HttpResponse {
        val made = URL(request.url).openConnection() as? HttpURLConnection ?: throw IOException("no web address")
        synchronized(lock) {
            if (isClosed) throw IOException("cancelled")
            connection = made
        }
        try {
            prepare(made)
            if (made.doOutput) made.outputStream.use { stream -> request.body?.let { stream.write(it) } }
            return read(made)
        } finally {
            if (synchronized(lock) { isClosed }) made.disconnect()
        }
    }

    private fun prepare(made: HttpURLConnection) {
        made.requestMethod = request.method
        made.instanceFollowRedirects = false
        made.useCaches = false
        made.defaultUseCaches = false
        made.allowUserInteraction = false
        val timeout = request.timeoutMillis.coerceIn(1, Int.MAX_VALUE.toLong()).toInt()
        made.connectTimeout = timeout
        made.readTimeout = timeout
        for ((name, value) in request.headers) made.setRequestProperty(name, value)
        // Without it the platform asks for compression, and hides the length.
        made.setRequestProperty("Accept-Encoding", "identity")
        // A POST without a body has a length, too: proxies refuse one without.
        if (request.body == null && request.method !in listOf("POST", "PUT", "PATCH")) return
        made.doOutput = true
        if (streams) made.setFixedLengthStreamingMode(request.body?.size ?: 0)
    }

    private fun read(made: HttpURLConnection): HttpResponse {
        val status = status(made)
        val headers = LinkedHashMap<String, String>()
        for ((name, values) in made.headerFields) if (name != null) headers.putIfAbsent(name, values.joinToString(", "))
        val stream = if (status >= 400) made.errorStream else runCatching { made.inputStream }.getOrNull()
        val body = stream?.use { bounded(it) } ?: ByteArray(0)
        val length = made.getHeaderField("Content-Length")?.toLongOrNull()
        if (length != null && length != body.size.toLong() && hasBody(status)) throw IOException("it is cut off")
        return HttpResponse(status, headers, body)
    }

    /** A 401 that the platform would answer itself is read like every other status. */
    private fun status(made: HttpURLConnection): Int {
        val status = try {
            made.responseCode
        } catch (error: IOException) {
            // In streaming mode the platform throws instead of asking for a password, but knows the status.
            if (made.headerFields.isEmpty()) throw error
            made.responseCode
        }
        if (status < 100) throw IOException("this is no HTTP")
        return status
    }

    private fun hasBody(status: Int) = request.method != "HEAD" && status != 304 && status != 204 && status >= 200

    /** Reads the whole body, so that the connection can be used again. */
    private fun bounded(stream: InputStream): ByteArray {
        val read = java.io.ByteArrayOutputStream()
        val part = ByteArray(8192)
        while (true) {
            val count = stream.read(part)
            if (count < 0) return read.toByteArray()
            if (read.size() + count > largest) throw IOException("the response has more than $largest bytes")
            read.write(part, 0, count)
        }
    }
}
