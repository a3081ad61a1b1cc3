package dev.switchback.android

import dev.switchback.DeviceKeyException
import java.security.ProviderException
import javax.crypto.Cipher
import javax.crypto.SecretKey
import kotlinx.coroutines.runBlocking
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertThrows
import org.junit.Test

/** The keys that wrap what a PIN needs, over a cipher of the Java machine. */
class KeystoreWrappingKeyTests {
    private val secret = ByteArray(32) { it.toByte() }
    private val tries = KeystoreTries(TestFacts) {}
    private val inMemory: SecretKey = FailingKeys().make("a")

    private fun key(asks: Boolean, label: String = "a") = KeystoreWrappingKey(inMemory, label, tries, asks)

    /** A finger that is shown, or not. */
    private class Finger(private val failure: DeviceKeyException? = null) : CipherPrompt {
        var count = 0

        override suspend fun unlock(cipher: Cipher): Cipher {
            count += 1
            failure?.let { throw it }
            return cipher
        }
    }

    private fun kind(body: suspend () -> Unit): DeviceKeyException.Kind =
        assertThrows(DeviceKeyException::class.java) { runBlocking { body() } }.kind

    @Test
    fun `a key for PINs wraps without the user`() = runBlocking {
        val wrapped = key(false).wrap(secret, null)
        assertArrayEquals(secret, key(false).unwrap(wrapped, null))
    }

    @Test
    fun `a key for biometrics asks once for each use`() = runBlocking {
        val finger = Finger()
        val wrapped = key(true).wrap(secret, finger)
        assertArrayEquals(secret, key(true).unwrap(wrapped, finger))
        assertEquals(2, finger.count)
    }

    @Test
    fun `what another key wrapped or something changed is gone`() {
        val wrapped = runBlocking { key(false).wrap(secret, null) }
        assertEquals(DeviceKeyException.Kind.GONE, kind { key(false, "b").unwrap(wrapped, null) })
        assertEquals(DeviceKeyException.Kind.GONE, kind { key(false).unwrap(wrapped.copyOf(20), null) })
        wrapped[20] = (wrapped[20] + 1).toByte()
        assertEquals(DeviceKeyException.Kind.GONE, kind { key(true).unwrap(wrapped, Finger()) })
    }

    @Test
    fun `without a finger the key for biometrics does nothing`() {
        val wrapped = runBlocking { key(true).wrap(secret, Finger()) }
        assertEquals(DeviceKeyException.Kind.UNAVAILABLE, kind { key(true).unwrap(wrapped, null) })
        for (kind in DeviceKeyException.Kind.entries) {
            assertEquals(kind, kind { key(true).unwrap(wrapped, Finger(DeviceKeyException(kind))) })
        }
    }

    @Test
    fun `each failure of the Keystore means something for a session`() {
        val rows = mapOf(
            INVALIDATED to DeviceKeyException.Kind.GONE, LOCKED to DeviceKeyException.Kind.UNAVAILABLE,
            AndroidFailure("android.security.keystore.StrongBoxUnavailableException") to
                DeviceKeyException.Kind.UNAVAILABLE,
            ProviderException() to DeviceKeyException.Kind.FAILED,
        )
        for ((failure, kind) in rows) {
            assertEquals("$failure", kind, kind { DeviceKeyFault.guard(tries) { throw failure } })
        }
        val numbered = AndroidFailure("android.security.KeyStoreException", "", 10)
        val error = assertThrows(DeviceKeyException::class.java) { DeviceKeyFault.guard(tries) { throw numbered } }
        assertEquals(10, error.systemCode)
    }

    @Test
    fun `each error of the biometric prompt leaves the PIN`() {
        val rows = mapOf(
            3 to DeviceKeyException.Kind.CANCELLED, 5 to DeviceKeyException.Kind.CANCELLED,
            10 to DeviceKeyException.Kind.CANCELLED, 11 to DeviceKeyException.Kind.GONE,
            12 to DeviceKeyException.Kind.GONE, 1 to DeviceKeyException.Kind.FAILED,
            7 to DeviceKeyException.Kind.FAILED, 9 to DeviceKeyException.Kind.FAILED,
        )
        for ((error, kind) in rows) assertEquals("$error", kind, BiometricOutcome.of(error))
    }
}
