package dev.switchback.android

import org.junit.Assert.assertEquals
import org.junit.Test

/** When the flag of a window that nobody may record is set and cleared. */
class SecureCountTests {
    /** What comes and goes (`+` and `-`), whether the app had set the flag, and when it is set and cleared. */
    private val rows = listOf(
        Triple("+-", false, "SC"), Triple("++--", false, "S..C"), Triple("+-+-", false, "SCSC"),
        Triple("+-", true, ".."), Triple("++--", true, "...."), Triple("-", false, "."), Triple("-+-", false, ".SC"),
    )

    @Test
    fun `the first screen sets the flag and the last clears it`() {
        for ((events, isAppsOwn, expected) in rows) {
            val count = SecureCount()
            var isSet = isAppsOwn
            val done = events.map { event ->
                when {
                    event == '+' && count.enter(isSet) -> 'S'.also { isSet = true }
                    event == '-' && count.leave() -> 'C'.also { isSet = false }
                    else -> '.'
                }
            }
            assertEquals(events, expected, done.joinToString(""))
        }
    }
}
