package dev.switchback

import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

/** The reducer of a login behaves as every client does. */
class LoginCaseTests {
    @Test
    fun `the reducer of a login does what each case says`() {
        val cases = BehaviourCase.all("login")
        assertTrue("${cases.size} cases", cases.size > 400)
        val wrong = cases.flatMap { row -> LoginCasePlayer.differences(row).map { "$row: $it" } }
        assertEquals(wrong.joinToString("\n"), 0, wrong.size)
    }
}
