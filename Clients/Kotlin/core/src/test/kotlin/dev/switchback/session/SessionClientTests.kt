package dev.switchback.session

import dev.switchback.BiometricPrompt
import dev.switchback.DeviceKey
import dev.switchback.DeviceKeyException
import dev.switchback.DeviceKeys
import dev.switchback.HttpResponse
import dev.switchback.JsonValue
import dev.switchback.LockReason
import dev.switchback.Secret
import dev.switchback.SessionClient
import dev.switchback.SessionException
import dev.switchback.SessionState
import dev.switchback.SignOutReason
import dev.switchback.SoftwareDeviceKeys
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.async
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.filterNotNull
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Assert.fail
import org.junit.Test

/** The client of a session with a server that answers as it is told. */
class SessionClientTests {
    private object Prompt : BiometricPrompt

    private val secret = Secret("AAAAAAAAAAEAAAAAAAAAAgAAAAAAAAADAAAAAAAAAAQ")

    private fun play(stage: SessionStage, work: suspend (SessionClient) -> Unit) = runBlocking {
        withTimeout(300_000) { stage.client().use { work(it) } }
    }

    private suspend fun SessionClient.begin() = begin(secret, thumbprint(), null)

    private suspend fun kind(work: suspend () -> Unit): SessionException.Kind? = try {
        work()
        null
    } catch (error: SessionException) {
        error.kind
    }

    @Test
    fun `a session begins and gives its token`() {
        val stage = SessionStage(FakeServer { _, _ -> FakeServer.ok() })
        play(stage) { client ->
            assertEquals(SessionState.signedOut(SignOutReason.NeverSignedIn), client.state.filterNotNull().first())
            client.begin()
            assertEquals(SessionState.active(needsPin = true), client.state.value)
            assertEquals("at1", client.accessToken().exposed)
            assertEquals("Bearer ${secret.exposed}", stage.server.requests.single().headers["Authorization"])
            assertTrue("switchback-kotlin/" in (stage.server.requests.single().headers["User-Agent"] ?: ""))
        }
        val text = stage.store.text("session")
        assertTrue("\"rt1\"" in text)
        assertFalse("at1" in text)
    }

    @Test
    fun `callers at the same time share one renewal`() {
        val renewal = CompletableDeferred<HttpResponse>()
        val stage = SessionStage(FakeServer { _, number -> if (number == 1) FakeServer.ok() else renewal.await() })
        play(stage) { client ->
            client.begin()
            runBlocking {
                val first = async { client.accessToken(isNew = true) }
                val second = async { client.accessToken(isNew = true) }
                while (stage.server.requests.size < 2) kotlinx.coroutines.delay(5)
                renewal.complete(FakeServer.ok(mapOf("access_token" to json("at2"))))
                assertEquals(listOf("at2", "at2"), listOf(first.await().exposed, second.await().exposed))
            }
            assertEquals(2, stage.server.requests.size)
        }
    }

    @Test
    fun `a lost response is asked for again with the same request`() {
        val stage = SessionStage(FakeServer { _, number -> if (number == 1) null else FakeServer.ok() })
        play(stage) { client ->
            client.begin()
            val (first, second) = stage.server.requests
            assertEquals(first.headers, second.headers)
            assertEquals(first.url, second.url)
        }
    }

    @Test
    fun `a server that wants a nonce gets it`() {
        val stage = SessionStage(FakeServer { _, number ->
            if (number == 2) FakeServer.error("use_dpop_nonce") else FakeServer.ok()
        })
        play(stage) { client ->
            client.begin()
            client.accessToken(isNew = true)
            assertEquals("n1", stage.server.claims(1)["nonce"]?.string)
            assertEquals("n2", stage.server.claims(2)["nonce"]?.string)
            assertEquals(3, stage.server.requests.size)
        }
    }

    @Test
    fun `a clock that is wrong is corrected by the server's`() {
        val date = mapOf("Date" to "Fri, 15 Jan 2027 07:00:00 GMT")
        val stage = SessionStage(FakeServer { _, _ -> FakeServer.ok(headers = date) })
        play(stage) { client ->
            client.begin()
            assertEquals(1_800_000_000L, stage.server.claims(0)["iat"]?.long)
            client.accessToken(isNew = true)
            assertEquals(1_799_996_400L, stage.server.claims(1)["iat"]?.long)
        }
    }

    @Test
    fun `a page of something on the way does not set the clock`() {
        val stage = SessionStage(FakeServer { _, number ->
            val headers = mapOf("Date" to "Fri, 15 Jan 2027 07:00:00 GMT")
            if (number == 1) HttpResponse(502, headers) else FakeServer.ok()
        })
        play(stage) { client ->
            client.begin()
            client.accessToken(isNew = true)
            assertTrue((stage.server.claims(2)["iat"]?.long ?: 0) >= 1_800_000_000L)
        }
    }

    @Test
    fun `a sign-out in one process is seen by another one at its next request`() {
        val stage = SessionStage(FakeServer { request, _ ->
            if (request.path == "/oauth/revoke") HttpResponse(200) else FakeServer.ok()
        })
        play(stage) { client ->
            client.begin()
            stage.client().use { other ->
                assertEquals("at1", other.accessToken().exposed)
                assertTrue(client.signOut())
                assertEquals(SessionException.Kind.SignedOut, kind { other.accessToken() })
                assertEquals(SessionState.signedOut(SignOutReason.ByUser), other.state.value)
                // And another session, too.
                client.begin()
                assertEquals("at1", other.accessToken().exposed)
            }
        }
    }

    @Test
    fun `a sign-out without a network is owed, also after a start`() {
        var isReachable = true
        val server = FakeServer { request, _ ->
            if (!isReachable) null else if (request.path == "/oauth/revoke") HttpResponse(200) else FakeServer.ok()
        }
        val stage = SessionStage(server)
        play(stage) { client ->
            client.begin()
            isReachable = false
            assertFalse(client.signOut())
            assertEquals(SessionState.signedOut(SignOutReason.ByUser), client.state.value)
        }
        assertTrue("rt1" in stage.store.text("session"))
        isReachable = true
        play(stage) { client ->
            client.state.filterNotNull().first()
            while ("rt1" in stage.store.text("session")) kotlinx.coroutines.delay(5)
        }
        assertEquals("token=rt1&token_type_hint=refresh_token", server.requests.last().body?.decodeToString())
    }

    /** A server with a PIN, which the test can read. */
    private class PinServer {
        var pin: JsonValue? = null
        val server = FakeServer { request, _ ->
            if (request.path.endsWith("/pin")) {
                pin = request.body?.let(JsonValue::parse)
                HttpResponse(204, mapOf("DPoP-Nonce" to "n3"))
            } else {
                FakeServer.ok(mapOf("pin" to JsonValue.of(pin != null)))
            }
        }
    }

    private fun digits(text: String) = text.encodeToByteArray()

    @Test
    fun `a PIN is set and proven, and its bytes are wiped`() {
        val pins = PinServer()
        val stage = SessionStage(pins.server)
        play(stage) { client ->
            client.begin()
            val pin = digits("135790")
            client.setPin(pin)
            assertArrayEquals(ByteArray(6), pin)
            assertEquals(SessionState.active(needsPin = false), client.state.value)
            client.lock()
            assertEquals(SessionException.Kind.Locked, kind { client.accessToken() })
            assertEquals(SessionState.locked(LockReason.ByApp), client.state.value)
            val typed = digits("135790")
            client.unlock(typed)
            assertArrayEquals(ByteArray(6), typed)
            val claims = pins.server.claims(pins.server.requests.size - 1)
            assertEquals(pins.pin?.get("pin_id")?.string, claims["pin_id"]?.string)
            // The server's own computation, from the secret that it was given.
            val known = dev.switchback.Base64Url.decode(pins.pin?.get("pin_secret")?.string ?: "") ?: ByteArray(0)
            val proof = dev.switchback.PinSecret(known)
                .proof("S1", claims["nonce"]?.string ?: "", claims["jti"]?.string ?: "")
            assertEquals(proof, claims["pin_proof"]?.string)
            assertFalse((pins.pin?.get("pin_secret")?.string ?: "?") in stage.store.text("session"))
        }
    }

    @Test
    fun `a PIN that is no PIN is refused and wiped`() {
        play(SessionStage(PinServer().server)) { client ->
            client.begin()
            for (text in listOf("", "12345", "12345a", "１２３４５６", "12 456")) {
                val pin = digits(text)
                assertEquals(text, SessionException.Kind.MalformedPin, kind { client.setPin(pin) })
                assertArrayEquals(text, ByteArray(pin.size), pin)
                assertEquals(text, SessionException.Kind.MalformedPin, kind { client.unlock(digits(text)) })
            }
            assertEquals(SessionException.Kind.NoPin, kind { client.unlock(digits("123456")) })
        }
    }

    @Test
    fun `a changed PIN has another secret, another name and a proof of the old one`() {
        val pins = PinServer()
        play(SessionStage(pins.server)) { client ->
            client.begin()
            client.setPin(digits("135790"), Prompt)
            val first = pins.pin
            client.changePin(digits("135790"), digits("246802"))
            assertFalse(first?.get("pin_secret") == pins.pin?.get("pin_secret"))
            assertFalse(first?.get("pin_id") == pins.pin?.get("pin_id"))
            val claims = pins.server.claims(pins.server.requests.size - 1)
            assertEquals(first?.get("pin_id")?.string, claims["pin_id"]?.string)
            // Without a prompt the new PIN has no copy.
            assertFalse(client.hasBiometrics())
            client.unlock(digits("246802"))
        }
    }

    @Test
    fun `biometrics unlock with a copy of the secret until it is removed`() {
        val pins = PinServer()
        play(SessionStage(pins.server)) { client ->
            client.begin()
            client.setPin(digits("135790"))
            assertEquals(SessionException.Kind.NoBiometrics, kind { client.unlock(Prompt) })
            client.enableBiometrics(digits("135790"), Prompt)
            assertTrue(client.hasBiometrics())
            client.unlock(Prompt)
            val last = pins.server.claims(pins.server.requests.size - 1)
            assertEquals(pins.pin?.get("pin_id")?.string, last["pin_id"]?.string)
            client.changePin(digits("135790"), digits("246802"), Prompt)
            client.unlock(Prompt)
            client.disableBiometrics()
            assertEquals(SessionException.Kind.NoBiometrics, kind { client.unlock(Prompt) })
        }
    }

    /** Keys that fail as they are told. */
    private class WrongKeys(private val real: DeviceKeys) : DeviceKeys by real {
        var failures = ArrayList<Exception>()

        override suspend fun find(name: String): DeviceKey? {
            failures.removeFirstOrNull()?.let { throw it }
            return real.find(name)
        }
    }

    @Test
    fun `a key that fails once is asked again, and one that is gone signs out`() {
        val store = MemoryStore()
        val keys = WrongKeys(SoftwareDeviceKeys(store))
        val stage = SessionStage(FakeServer { _, _ -> FakeServer.ok() }, store, keys)
        play(stage) { client ->
            client.begin()
            keys.failures.add(IllegalStateException("a Keystore"))
            client.accessToken(isNew = true)
            repeat(2) { keys.failures.add(IllegalStateException("a Keystore")) }
            assertEquals(SessionException.Kind.Key, kind { client.accessToken(isNew = true) })
            keys.failures.add(DeviceKeyException(DeviceKeyException.Kind.UNAVAILABLE))
            assertEquals(SessionException.Kind.Locked, kind { client.accessToken(isNew = true) })
            assertEquals(SessionState.locked(LockReason.DeviceLocked), client.state.value)
            client.accessToken(isNew = true)
            keys.failures.add(DeviceKeyException(DeviceKeyException.Kind.GONE))
            assertEquals(SessionException.Kind.SignedOut, kind { client.authorize("GET", "https://api.example/") })
            client.state.first { it == SessionState.signedOut(SignOutReason.KeyLost) }
        }
    }

    @Test
    fun `a store that cannot be read signs nobody out`() {
        val stage = SessionStage(FakeServer { _, _ -> FakeServer.ok() })
        play(stage) { it.begin() }
        // The start, and the first question.
        stage.store.failures = 2
        play(stage) { client ->
            assertEquals(SessionException.Kind.StorageFailed, kind { client.accessToken() })
            assertEquals("at1", client.accessToken().exposed)
        }
    }

    @Test
    fun `a caller that goes away ends its waiting only`() {
        val stage = SessionStage(FakeServer { _, number ->
            if (number > 1) kotlinx.coroutines.delay(200)
            FakeServer.ok(mapOf("access_token" to json("at$number")))
        })
        play(stage) { client ->
            client.begin()
            runBlocking {
                val waiting = async { client.accessToken(isNew = true) }
                while (stage.server.requests.size < 2) kotlinx.coroutines.delay(5)
                waiting.cancel()
            }
            assertEquals("at2", client.accessToken().exposed)
        }
    }

    @Test
    fun `a closed client answers at once`() = runBlocking {
        val client = SessionStage(FakeServer { _, _ -> FakeServer.ok() }).client()
        client.close()
        assertEquals(SessionException.Kind.Cancelled, kind { client.accessToken() })
        if (client.signOut()) fail("it told nobody")
    }
}
