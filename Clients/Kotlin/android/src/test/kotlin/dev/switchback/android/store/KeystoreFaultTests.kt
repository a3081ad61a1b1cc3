package dev.switchback.android

import java.security.GeneralSecurityException
import java.security.ProviderException
import java.security.UnrecoverableKeyException
import javax.crypto.AEADBadTagException
import javax.crypto.IllegalBlockSizeException
import org.junit.Assert.assertEquals
import org.junit.Test

/** What each failure of the Keystore means, and how often it is asked. */
class KeystoreFaultTests {
    private fun keystore(message: String, number: Int? = null) =
        AndroidFailure("android.security.KeyStoreException", message, number)

    private val rows = listOf(
        INVALIDATED to KeystoreFault.GONE,
        GeneralSecurityException("unknown", INVALIDATED) to KeystoreFault.GONE,
        LOCKED to KeystoreFault.LOCKED,
        ProviderException(AndroidFailure("android.security.keystore.StrongBoxUnavailableException")) to
            KeystoreFault.UNSUPPORTED,
        keystore("", 6) to KeystoreFault.GONE, keystore("", 7) to KeystoreFault.GONE,
        keystore("", 2) to KeystoreFault.LOCKED, keystore("", 3) to KeystoreFault.LOCKED,
        keystore("", 10) to KeystoreFault.UNKNOWN,
        keystore("-33 (internal Keystore code: -33 message: Invalid key blob)") to KeystoreFault.GONE,
        keystore("Key not found") to KeystoreFault.GONE, keystore("Device locked") to KeystoreFault.LOCKED,
        keystore("Memory allocation failed") to KeystoreFault.UNKNOWN,
        // The words count only in the Keystore's own exception.
        ProviderException("Invalid key blob") to KeystoreFault.UNKNOWN,
        AEADBadTagException() to KeystoreFault.TAMPERED,
        AEADBadTagException().apply { initCause(keystore("Invalid key blob")) } to KeystoreFault.GONE,
        IllegalBlockSizeException().apply { initCause(keystore("System error")) } to KeystoreFault.UNKNOWN,
        UnrecoverableKeyException() to KeystoreFault.UNKNOWN, NullPointerException() to KeystoreFault.UNKNOWN,
    )

    @Test
    fun `each failure means what its class and number say`() {
        for ((failure, fault) in rows) assertEquals("$failure", fault, KeystoreFault.of(failure, TestFacts))
    }

    @Test
    fun `a failure that has itself as a cause is read`() {
        val (one, other) = ProviderException("one") to ProviderException("other")
        one.initCause(other)
        other.initCause(one)
        assertEquals(KeystoreFault.UNKNOWN, KeystoreFault.of(one))
    }

    /** What the calls throw, how often the Keystore is asked, and what comes out; null for success. */
    private val tries = listOf(
        Triple(listOf(), 1, null),
        Triple(listOf(ProviderException()), 2, null),
        Triple(listOf(ProviderException(), IllegalBlockSizeException()), 3, null),
        Triple(List(3) { ProviderException() }, 3, KeystoreFault.UNKNOWN),
        Triple(listOf(INVALIDATED), 1, KeystoreFault.GONE),
        Triple(listOf(LOCKED), 1, KeystoreFault.LOCKED),
        Triple(listOf(ProviderException(), INVALIDATED), 2, KeystoreFault.GONE),
        Triple(listOf(AEADBadTagException()), 1, KeystoreFault.TAMPERED),
    )

    @Test
    fun `a Keystore that fails is asked again as long as that can help`() {
        for ((failures, times, fault) in tries) {
            val (left, slept) = ArrayDeque<Exception>(failures) to mutableListOf<Long>()
            var asked = 0
            val outcome = runCatching {
                KeystoreTries(TestFacts, slept::add).ask {
                    asked += 1
                    left.removeFirstOrNull()?.let { throw it }
                }
            }.exceptionOrNull()
            assertEquals("$failures", fault, (outcome as KeystoreTries.Failure?)?.fault)
            assertEquals("$failures", times, asked)
            assertEquals("$failures", listOf(50L, 400L).take(times - 1), slept)
        }
    }
}
