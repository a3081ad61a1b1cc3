package dev.switchback.session

import dev.switchback.AttestationChallenge
import dev.switchback.Base64Url
import dev.switchback.ClientVersion
import dev.switchback.DeviceKey
import dev.switchback.DeviceKeys
import dev.switchback.JsonValue
import dev.switchback.KeyAttestation
import dev.switchback.Logger
import dev.switchback.Secret
import dev.switchback.SessionClient
import dev.switchback.SessionOutside
import dev.switchback.SoftwareDeviceKeys
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertNull
import org.junit.Test

/** What the device's maker states about a key, and when the begin carries it. */
class AttestationTests {
    /** Keys of a phone whose maker attests them: the certificate is the challenge here. */
    private class AttestedKeys(private val store: MemoryStore, private val plain: DeviceKeys) : DeviceKeys by plain {
        private class Attested(plain: DeviceKey, override val certificates: List<ByteArray>) : DeviceKey by plain

        override suspend fun make(name: String, challenge: ByteArray): DeviceKey {
            store.replace("certificate-$name", challenge)
            return Attested(plain.make(name), listOf(challenge))
        }

        override suspend fun find(name: String): DeviceKey? =
            plain.find(name)?.let { Attested(it, listOfNotNull(store.read("certificate-$name"))) }
    }

    private val server = FakeServer { _, _ -> FakeServer.ok() }
    private val store = MemoryStore()
    private val keys = AttestedKeys(store, SoftwareDeviceKeys(store))
    private val first = Secret("A".repeat(43))
    private val second = Secret("B".repeat(42) + "A")

    private fun play(attests: Boolean = true, work: suspend (SessionClient) -> Unit) = runBlocking {
        val outside = SessionOutside(
            "http://server.example", "demo", "session", store, keys, server, FastClock(), Logger.None,
            ClientVersion.userAgent, iterations = 10, attests = attests,
        )
        withTimeout(60_000) { SessionClient(outside).use { work(it) } }
    }

    /** The statement in the last begin; null if it had none. */
    private val statement: JsonValue?
        get() = server.requests.last { it.url.endsWith("/v1/sessions") }.body?.let(JsonValue::parse)?.get("attestation")

    private fun words(secret: Secret) = listOf(Base64Url.encode(AttestationChallenge.of(secret)))

    @Test
    fun `the challenge is that of the page on attestation`() {
        // By Python: hmac, hashlib and base64.
        assertArrayEquals(
            Base64Url.decode("VM0xBFW2O2_niFknLC7V-jBPwe_8E56okFv-MsrlBJc"), AttestationChallenge.of(first),
        )
        assertEquals(AttestationChallenge.SIZE, AttestationChallenge.of(second).size)
    }

    @Test
    fun `a statement has one certificate at least and six at most`() {
        assertNull(KeyAttestation.of(emptyList()))
        assertNull(KeyAttestation.of(List(7) { byteArrayOf(1) }))
        assertEquals(
            "{\"attestation\":{\"format\":\"android-key\",\"x5c\":[\"AQ\",\"Ag\"]}}",
            KeyAttestation.of(listOf(byteArrayOf(1), byteArrayOf(2)))?.body,
        )
    }

    @Test
    fun `the begin carries the statement about a key that was made for its login and also after a kill`() {
        lateinit var thumbprint: String
        play { thumbprint = it.thumbprint(AttestationChallenge.of(first)) }
        play { it.begin(first, thumbprint) }
        assertEquals("android-key", statement?.get("format")?.string)
        assertEquals(words(first), statement?.get("x5c")?.strings)
    }

    @Test
    fun `a login that was left does not keep the next one from its own statement`() = play {
        val left = it.thumbprint(AttestationChallenge.of(first))
        val thumbprint = it.thumbprint(AttestationChallenge.of(second))
        assertNotEquals(left, thumbprint)
        it.begin(second, thumbprint)
        assertEquals(words(second), statement?.get("x5c")?.strings)
    }

    @Test
    fun `a step-up keeps the key of the session and sends no statement`() = play {
        val thumbprint = it.thumbprint(AttestationChallenge.of(first))
        it.begin(first, thumbprint)
        assertEquals(thumbprint, it.thumbprint(AttestationChallenge.of(second)))
        it.begin(second, thumbprint)
        assertNull(statement)
    }

    @Test
    fun `an app that wants no statement gets none`() = play(attests = false) {
        it.begin(first, it.thumbprint(AttestationChallenge.of(first)))
        assertNull(statement)
    }
}
