package dev.switchback.life

import java.io.ByteArrayOutputStream
import java.io.IOException
import java.io.InputStream
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread

/**
 * An HTTP proxy that loses responses: the server gets every request, and of the first `losses` responses after [lose]
 * the client gets nothing, or only the beginning.
 */
internal class LosingProxy : AutoCloseable {
    private val listener = ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))
    private val losses = AtomicInteger(0)
    private val count = AtomicInteger(0)

    val port: Int get() = listener.localPort

    /** Whether nothing at all of a lost response arrives. A response without a body may be good without its end. */
    @Volatile
    var isSilent = false

    /** How many responses were lost. */
    val lost = AtomicInteger(0)

    init {
        thread(isDaemon = true) {
            while (!listener.isClosed) {
                val client = try {
                    listener.accept()
                } catch (_: IOException) {
                    break
                }
                thread(isDaemon = true) {
                    try {
                        client.use(::serve)
                    } catch (_: IOException) {
                        // The client has gone, or the server.
                    }
                }
            }
        }
    }

    /** Loses the next responses. */
    fun lose(responses: Int) = losses.set(responses)

    override fun close() = listener.close()

    private fun serve(client: Socket) {
        val input = client.getInputStream()
        val head = head(input) ?: return
        val lines = head.split("\r\n")
        // `POST http://127.0.0.1:8080/v1/logins HTTP/1.1`
        val (method, url, version) = lines[0].split(" ")
        val address = url.removePrefix("http://").substringBefore("/")
        val path = "/" + url.removePrefix("http://").substringAfter("/", "")
        val dropped = listOf("proxy-connection", "connection", "keep-alive")
        val fields = lines.drop(1).filter { it.isNotEmpty() && it.substringBefore(":").lowercase() !in dropped }
        val length = fields.firstOrNull { it.lowercase().startsWith("content-length:") }
            ?.substringAfter(":")?.trim()?.toInt() ?: 0
        val body = input.readNBytes(length)
        val response = Socket(address.substringBefore(":"), address.substringAfter(":").toInt()).use { server ->
            val words = listOf("$method $path $version") + fields + "Connection: close"
            server.getOutputStream().write((words.joinToString("\r\n") + "\r\n\r\n").encodeToByteArray() + body)
            server.getInputStream().readBytes()
        }
        val isLost = losses.getAndUpdate { maxOf(it - 1, 0) } > 0
        if (isLost) lost.incrementAndGet()
        // Nothing, one byte, a half and all but one in turn.
        val places = if (isSilent) listOf(0) else listOf(0, 1, response.size / 2, response.size - 1)
        val end = if (isLost) places[count.getAndIncrement() % places.size] else response.size
        client.getOutputStream().write(response, 0, end)
        client.getOutputStream().flush()
    }

    private fun head(input: InputStream): String? {
        val bytes = ByteArrayOutputStream()
        while (true) {
            val byte = input.read()
            if (byte < 0) return null
            bytes.write(byte)
            val text = bytes.toString(Charsets.ISO_8859_1)
            if (text.endsWith("\r\n\r\n")) return text.dropLast(4)
        }
    }
}
