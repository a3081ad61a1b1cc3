package dev.switchback.android

import dev.switchback.android.KeyPlan.Place
import dev.switchback.android.KeyPlan.Place.STRONGBOX
import dev.switchback.android.KeyPlan.Place.TEE
import java.security.ProviderException
import org.junit.Assert.assertEquals
import org.junit.Test

/** Where a key is made on which phone. */
class KeyPlanTests {
    @Test
    fun `a phone offers the places that it has`() {
        assertEquals(listOf(TEE), KeyPlan.places(27, hasStrongBox = true))
        assertEquals(listOf(STRONGBOX, TEE), KeyPlan.places(28, hasStrongBox = true))
        assertEquals(listOf(TEE), KeyPlan.places(36, hasStrongBox = false))
    }

    private val noChip = AndroidFailure("android.security.keystore.StrongBoxUnavailableException")

    /** What each place throws, the one that worked or null, and how often each was asked. */
    private val rows: List<Triple<Map<Place, Throwable>, Place?, List<Place>>> = listOf(
        Triple(mapOf(), STRONGBOX, listOf(STRONGBOX)),
        Triple(mapOf(STRONGBOX to noChip), TEE, listOf(STRONGBOX, TEE)),
        Triple(mapOf(STRONGBOX to INVALIDATED), TEE, listOf(STRONGBOX, TEE)),
        // What nobody knows may work the next time.
        Triple(
            mapOf(STRONGBOX to ProviderException("no keys")), TEE, listOf(STRONGBOX, STRONGBOX, STRONGBOX, TEE)),
        // No other place helps a phone that is locked.
        Triple(mapOf(STRONGBOX to LOCKED), null, listOf(STRONGBOX)),
        Triple(mapOf(STRONGBOX to noChip, TEE to noChip), null, listOf(STRONGBOX, TEE)),
    )

    @Test
    fun `a key is made in the first place that works`() {
        for ((failures, place, asked) in rows) {
            val seen = mutableListOf<Place>()
            val made = runCatching {
                KeyPlan.make(KeyPlan.places(36, hasStrongBox = true), KeystoreTries(TestFacts) {}) {
                    seen += it
                    failures[it]?.let { failure -> throw failure }
                    it
                }
            }
            assertEquals("$failures", place, made.getOrNull())
            assertEquals("$failures", place == null, made.exceptionOrNull() is KeystoreTries.Failure)
            assertEquals("$failures", asked, seen)
        }
    }
}
