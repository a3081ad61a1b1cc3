package dev.switchback.android

import org.junit.Assert.assertEquals
import org.junit.Test

/** What the login button of an e-ID says. */
class EidButtonTextTests {
    @Test
    fun `a button has the notice only while its provider is off`() {
        for ((isEnabled, notice, text) in listOf(
            Triple(true, null, "MitID"), Triple(true, "Back at two.", "MitID"), Triple(false, null, "MitID"),
            Triple(false, " ", "MitID"), Triple(false, "Back at two.", "MitID\nBack at two."),
        )) {
            assertEquals("$isEnabled $notice", text, EidButtonText.of("MitID", isEnabled, notice))
        }
    }
}
