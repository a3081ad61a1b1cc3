package dev.switchback.session

import dev.switchback.JsonValue
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

/** The reducer of a session behaves as every client does. */
class SessionCaseTests {
    @Test
    fun `the reducer of a session does what each case says`() {
        val failures = SessionCase.all().flatMap { row ->
            val found = try {
                SessionCasePlayer.differences(row)
            } catch (error: CaseError) {
                listOf(error.message ?: "")
            }
            found.map { "${row.name}\n  $it" }
        }
        assertEquals("", failures.joinToString("\n"))
    }

    @Test
    fun `there are cases for sessions, each with its own name`() {
        val names = SessionCase.all().map { it.name }
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
        val json = JsonValue.parse(text.encodeToByteArray()) ?: throw AssertionError(text)
        return try {
            SessionCasePlayer.differences(SessionCase.read(json, "text", SessionCase.values()).single()).isNotEmpty()
        } catch (_: CaseError) {
            true
        }
    }
}
