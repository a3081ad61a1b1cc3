package dev.switchback

import java.io.IOException
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test

/** The engine of the platform, at a server of plain sockets that says anything. */
class UrlConnectionEngineTests {
    private val listener = ServerSocket(0, 50, InetAddress.getLoopbackAddress())
    private val requests = CopyOnWriteArrayList<String>()
    private val closed = CountDownLatch(1)

    @Volatile
    private var reply: (Socket) -> Unit = {}

    init {
        Thread { runCatching { while (true) serve(listener.accept()) } }.apply { isDaemon = true }.start()
    }

    @After
    fun end() = listener.close()

    private fun serve(socket: Socket) = Thread {
        runCatching {
            socket.use {
                requests.add(readRequest(socket))
                reply(socket)
            }
        }
    }.apply { isDaemon = true }.start()

    private fun readRequest(socket: Socket): String {
        val input = socket.getInputStream()
        val head = StringBuilder()
        while (!head.endsWith("\r\n\r\n")) head.append(input.read().also { if (it < 0) error("closed") }.toChar())
        val length = Regex("(?i)content-length: (\\d+)").find(head)?.groupValues?.get(1)?.toInt() ?: 0
        return head.toString() + String(input.readNBytes(length))
    }

    private fun says(text: String) {
        reply = { it.getOutputStream().write(text.replace("\n", "\r\n").toByteArray()) }
    }

    private fun send(
        method: String = "GET", body: ByteArray? = null, timeout: Long = 5000, streams: Boolean = false,
    ): HttpResponse = runBlocking {
        val url = "http://127.0.0.1:${listener.localPort}/x"
        val headers = mapOf("Authorization" to "Bearer s")
        UrlConnectionEngine(1000, streams).send(HttpRequest(method, url, headers, body, timeout))
    }

    @Test
    fun `every status is read with its body and its fields`() {
        for (status in listOf(200, 201, 400, 401, 404, 407, 410, 422, 429, 500, 503)) {
            for ((method, body) in listOf("GET" to null, "POST" to "{}".toByteArray(), "DELETE" to null)) {
                val challenge = "WWW-Authenticate: Basic realm=\"x\"\nProxy-Authenticate: Basic realm=\"x\"\n"
                says("HTTP/1.1 $status X\n${challenge}X-One: 1\nContent-Length: 4\nConnection: close\n\nbody")
                val response = send(method, body)
                val words = "${response.status} ${String(response.body)} ${response["x-one"]}"
                assertEquals("$status", "$status body 1", words)
            }
        }
        assertEquals(33, requests.size)
    }

    @Test
    fun `a redirect is an answer and is not followed`() {
        for (status in listOf(301, 302, 303, 307, 308)) {
            says("HTTP/1.1 $status X\nLocation: /other\nContent-Length: 0\nConnection: close\n\n")
            assertEquals(status, send().status)
        }
        assertEquals(5, requests.size)
    }

    @Test
    fun `a request has its length and wants no compression`() {
        says("HTTP/1.1 204 X\nConnection: close\n\n")
        for (streams in listOf(false, true)) {
            assertEquals(204, send("POST", "{\"a\":1}".toByteArray(), streams = streams).status)
            assertEquals(204, send("POST", streams = streams).status)
        }
        assertTrue(requests[0], requests[0].endsWith("\r\n\r\n{\"a\":1}"))
        assertTrue(requests[2], requests[2].endsWith("\r\n\r\n{\"a\":1}"))
        for ((index, length) in listOf(7, 0, 7, 0).withIndex()) {
            val head = requests[index].lowercase()
            assertTrue(head, "content-length: $length\r\n" in head && "accept-encoding: identity\r\n" in head)
            assertTrue(head, "authorization: bearer s\r\n" in head)
            assertFalse(head, "transfer-encoding" in head)
        }
    }

    @Test
    fun `a request that the server has seen is not sent again by itself`() {
        reply = { it.close() }
        for (streams in listOf(false, true)) {
            for (body in listOf("{}".toByteArray(), null)) {
                requests.clear()
                val result = runCatching { send("POST", body, streams = streams) }
                assertTrue("$result", result.exceptionOrNull() is IOException)
                Thread.sleep(100)
                assertEquals("$streams", 1, requests.size)
            }
        }
    }

    @Test
    fun `what is no whole response is none`() {
        for (text in listOf(
            "HTTP/1.1 200 X\nContent-Length: 10\nConnection: close\n\ncut", "", "SSH-2.0-x\n",
            "HTTP/1.1 200 X\nContent-Length: 5000\nConnection: close\n\n" + "x".repeat(5000),
            "HTTP/1.1 500 X\nContent-Length: 5000\nConnection: close\n\n" + "x".repeat(5000),
            "HTTP/1.1 200 X\nTransfer-Encoding: chunked\nConnection: close\n\n5\nab",
        )) {
            says(text)
            val result = runCatching { send() }
            assertTrue("${text.take(40)}: ${result.getOrNull()}", result.exceptionOrNull() is IOException)
        }
    }

    @Test
    fun `a hotel's page is read as it is`() {
        says("HTTP/1.1 200 X\nContent-Type: text/html\nConnection: close\n\n<html>Sign in</html>")
        val page = send()
        assertEquals("text/html", page["Content-Type"])
        assertEquals("<html>Sign in</html>", String(page.body))
    }

    @Test
    fun `a slow drip ends when the time is over`() {
        reply = { socket ->
            socket.getOutputStream().write("HTTP/1.1 200 X\r\nContent-Length: 900\r\n\r\n".toByteArray())
            repeat(900) {
                socket.getOutputStream().write('x'.code)
                Thread.sleep(50)
            }
        }
        val start = System.nanoTime()
        assertTrue(runCatching { send(timeout = 400) }.exceptionOrNull() is IOException)
        assertTrue(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) < 10)
    }

    @Test
    fun `a cancelled coroutine closes its connection`() = runBlocking {
        reply = { socket ->
            // Returns when the client closes.
            runCatching { socket.getInputStream().read() }
            closed.countDown()
        }
        val request = launch {
            val url = "http://127.0.0.1:${listener.localPort}/x"
            UrlConnectionEngine().send(HttpRequest("GET", url, timeoutMillis = 60_000))
        }
        while (requests.isEmpty()) kotlinx.coroutines.delay(10)
        request.cancelAndJoin()
        assertTrue(closed.await(5, TimeUnit.SECONDS))
    }

    @Test
    fun `nobody listens at the port`() {
        val port = listener.localPort
        listener.close()
        val failed = runCatching { send(timeout = 2000) }
        assertTrue("$port", failed.exceptionOrNull() is IOException)
    }
}
