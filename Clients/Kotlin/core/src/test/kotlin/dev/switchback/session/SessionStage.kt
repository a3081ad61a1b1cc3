package dev.switchback.session

import dev.switchback.Base64Url
import dev.switchback.ClientVersion
import dev.switchback.Clock
import dev.switchback.DeviceKeys
import dev.switchback.HttpEngine
import dev.switchback.HttpRequest
import dev.switchback.HttpResponse
import dev.switchback.JsonValue
import dev.switchback.Logger
import dev.switchback.SecretStore
import dev.switchback.SessionClient
import dev.switchback.SessionOutside
import dev.switchback.SoftwareDeviceKeys
import java.io.IOException
import java.util.concurrent.ConcurrentHashMap

/** A store in memory. */
internal class MemoryStore : SecretStore {
    private val kept = ConcurrentHashMap<String, ByteArray>()

    /** How many more calls fail. */
    @Volatile
    var failures = 0

    private fun fail() {
        if (failures > 0) {
            failures -= 1
            throw IOException("the device is locked")
        }
    }

    override fun read(name: String): ByteArray? {
        fail()
        return kept[name]
    }

    override fun replace(name: String, bytes: ByteArray) {
        fail()
        kept[name] = bytes
    }

    override fun delete(name: String) {
        kept.remove(name)
    }

    override fun names(): List<String> = kept.keys.toList()

    fun text(name: String) = kept[name]?.decodeToString() ?: ""
}

/** A clock whose sleep takes no time. */
internal class FastClock(var wall: Long = 1_800_000_000_000L) : Clock {
    @Volatile
    var passed = 0L

    override fun monotonicMillis(): Long = 1_000_000 + passed

    override fun wallMillis(): Long = wall + passed

    override suspend fun sleep(milliseconds: Long) {
        passed += milliseconds
    }
}

/** A server that answers as it is told, and remembers what it got. */
internal class FakeServer(private val answer: suspend (HttpRequest, Int) -> HttpResponse?) : HttpEngine {
    val requests = java.util.Collections.synchronizedList(ArrayList<HttpRequest>())

    /** Null is a response that is lost. */
    override suspend fun send(request: HttpRequest): HttpResponse {
        requests.add(request)
        return answer(request, requests.size) ?: throw IOException("lost")
    }

    /** What the proof of a request says. */
    fun claims(index: Int): JsonValue {
        val proof = requests[index].headers["DPoP"] ?: throw AssertionError("no proof")
        return Base64Url.decode(proof.split(".")[1])?.let(JsonValue::parse) ?: throw AssertionError(proof)
    }

    companion object {
        val tokens = mapOf(
            "token_type" to json("DPoP"), "access_token" to json("at1"), "expires_in" to JsonValue.of(300),
            "refresh_token" to json("rt1"), "session_id" to json("S1"), "pin" to JsonValue.of(false),
        )

        fun ok(change: Map<String, JsonValue> = emptyMap(), headers: Map<String, String> = emptyMap()) = HttpResponse(
            200, mapOf("Content-Type" to "application/json", "DPoP-Nonce" to "n1") + headers,
            JsonValue.of(tokens + change).toBytes(),
        )

        fun error(code: String, headers: Map<String, String> = mapOf("DPoP-Nonce" to "n2")) = HttpResponse(
            400, mapOf("Content-Type" to "application/json") + headers, objectOf("error" to json(code)).toBytes(),
        )
    }
}

/** A phone with a session that has begun. */
internal class SessionStage(
    val server: FakeServer, val store: MemoryStore = MemoryStore(), keys: DeviceKeys? = null,
    val clock: FastClock = FastClock(),
) {
    val keys = keys ?: SoftwareDeviceKeys(store)

    fun client() = SessionClient(
        SessionOutside(
            "http://server.example", "demo", "session", store, keys, server, clock, Logger.None,
            ClientVersion.userAgent, iterations = 10,
        ),
    )
}
