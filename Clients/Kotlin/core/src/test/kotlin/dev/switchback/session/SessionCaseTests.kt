package dev.switchback.session

import dev.switchback.BehaviourCase
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

/** The reducer of a session behaves as every client does. */
class SessionCaseTests {
    @Test
    fun `the reducer of a session does what each case says`() {
        val failures = BehaviourCase.all("session").flatMap { row ->
            val found = try {
                SessionCasePlayer.differences(row)
            } catch (error: BehaviourCase.FormatError) {
                listOf(error.message ?: "")
            }
            found.map { "$row\n  $it" }
        }
        assertEquals("", failures.joinToString("\n"))
    }

    @Test
    fun `there are cases for sessions, each with its own name`() {
        val names = BehaviourCase.all("session").map { "$it" }
        assertEquals(names.size, names.toSet().size)
        assertTrue("${names.size} cases", names.size >= 150)
    }

    @Test
    fun `a step with a name that nobody knows fails`() {
        val steps = listOf(
            """{"event": "started"}""", """{"effects": []}""", """{"event": "start", "link": "x"}""",
            """{"event": "start", "efects": []}""", """{"event": "start", "effects": [{"call": "creat"}]}""",
            """{"event": "start", "effects": [{"call": "create", "bdy": 1}]}""",
            """{"event": "start", "effects": [{"shows": "starting"}]}""", """{"event": "response", "response": {}}""",
            """{"event": "timer"}""", """{"event": "no_response"}""", """{"event": "no_response", "to": 1}""", "1",
            """{"event": "start", "effects": [{"show": "signed_out", "because": "ended"}]}""", """{"event": "start"}""",
        )
        for (step in steps) assertTrue(step, isNoticed(step))
        assertTrue(!isNoticed("""{"event": "start", "effects": [{"show": "signed_out", "because": "never"}]}"""))
    }

    private fun isNoticed(step: String): Boolean {
        val text = """{"reducer": "session", "cases": [{"name": "n", "rule": "r", "steps": [$step]}]}"""
        return try {
            SessionCasePlayer.differences(BehaviourCase.read(text).single()).isNotEmpty()
        } catch (_: BehaviourCase.FormatError) {
            true
        }
    }
}
