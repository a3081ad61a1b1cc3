package dev.switchback.android

import dev.switchback.android.KeyPlan.Way
import java.security.ProviderException
import org.junit.Assert.assertEquals
import org.junit.Test

/** In which ways a key is made on which phone. */
class KeyPlanTests {
    private val tee = Way(strongBox = false, attested = false)
    private val chip = Way(strongBox = true, attested = false)
    private val attestedTee = tee.copy(attested = true)
    private val attestedChip = chip.copy(attested = true)

    @Test
    fun `a phone offers the ways that it has`() {
        assertEquals(listOf(tee), KeyPlan.ways(27, hasStrongBox = true, attested = false))
        assertEquals(listOf(chip, tee), KeyPlan.ways(28, hasStrongBox = true, attested = false))
        assertEquals(listOf(attestedTee, tee), KeyPlan.ways(36, hasStrongBox = false, attested = true))
        assertEquals(
            listOf(attestedChip, attestedTee, chip, tee), KeyPlan.ways(36, hasStrongBox = true, attested = true))
    }

    private val noChip = AndroidFailure("android.security.keystore.StrongBoxUnavailableException")

    /** What each way throws, the way that worked or null, and how often each was asked. */
    private val rows: List<Triple<Map<Way, Throwable>, Way?, List<Way>>> = listOf(
        Triple(mapOf(), attestedChip, listOf(attestedChip)),
        Triple(mapOf(attestedChip to noChip), attestedTee, listOf(attestedChip, attestedTee)),
        Triple(
            mapOf(attestedChip to noChip, attestedTee to ProviderException("no attestation keys")), chip,
            listOf(attestedChip, attestedTee, attestedTee, attestedTee, chip)),
        Triple(
            mapOf(attestedChip to noChip, attestedTee to INVALIDATED, chip to noChip), tee,
            listOf(attestedChip, attestedTee, chip, tee)),
        // No other way helps a phone that is locked.
        Triple(mapOf(attestedChip to LOCKED), null, listOf(attestedChip)),
        Triple(
            listOf(attestedChip, attestedTee, chip, tee).associateWith { noChip }, null,
            listOf(attestedChip, attestedTee, chip, tee)),
    )

    @Test
    fun `a key is made in the first way that works`() {
        for ((failures, way, asked) in rows) {
            val seen = mutableListOf<Way>()
            val made = runCatching {
                KeyPlan.make(KeyPlan.ways(36, hasStrongBox = true, attested = true), KeystoreTries(TestFacts) {}) {
                    seen += it
                    failures[it]?.let { failure -> throw failure }
                }
            }
            assertEquals("$failures", way, made.getOrNull()?.way)
            assertEquals("$failures", way == null, made.exceptionOrNull() is KeystoreTries.Failure)
            assertEquals("$failures", asked, seen)
        }
    }
}
