package dev.switchback

import org.junit.Assert.assertEquals
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test

/** The reader of the cases: what it does not know is a failure, or a case could hold nothing. */
class BehaviourCaseTests {
    private fun row(step: String): BehaviourCase =
        BehaviourCase.read("""{"reducer": "login", "cases": [{"name": "n", "rule": "r", "steps": [$step]}]}""").single()

    private fun isNoticed(step: String): Boolean =
        try {
            LoginCasePlayer.differences(row(step)).isNotEmpty()
        } catch (_: BehaviourCase.FormatError) {
            true
        }

    @Test
    fun `a step with a name that nobody knows fails`() {
        for (step in listOf(
            """{"event": "started"}""", """{"effects": []}""", """{"event": "start", "link": "x"}""",
            """{"event": "start", "efects": []}""", """{"event": "start", "effects": [{"call": "creat"}]}""",
            """{"event": "start", "effects": [{"call": "create", "bdy": 1}]}""",
            """{"event": "start", "effects": [{"shows": "starting"}]}""", """{"event": "response", "response": {}}""",
            """{"event": "timer"}""", """{"event": "no_response"}""", """{"event": "no_response", "to": 1}""", "1",
        )) {
            assertTrue(step, isNoticed(step))
        }
    }

    @Test
    fun `a case that says something else fails`() {
        val step = """{"event": "start", "effects": [{"must_store": {}}, {"show": "starting"}, {"call": "create"}]}"""
        assertEquals(emptyList<String>(), LoginCasePlayer.differences(row(step)))
        for (changed in listOf(
            step.replace("\"show\"", "\"because\": \"gone\", \"show\""),
            step.replace("[{", "[{\"show\": \"paused\"}, {"),
            """{"event": "start"}""",
        )) {
            assertTrue(changed, isNoticed(changed))
        }
    }

    @Test
    fun `a file that needs what nobody knows fails`() {
        val text = """{"reducer": "session", "needs": "x", "cases": [{"name": "n", "rule": "r", "steps": [{}]}]}"""
        assertThrows(BehaviourCase.FormatError::class.java) { BehaviourCase.read(text) }
    }

    @Test
    fun `every file has cases and each case its own name`() {
        val all = BehaviourCase.all("login") + BehaviourCase.all("session")
        assertEquals(BehaviourCase.files.map { it.name }, all.map { it.file }.distinct().sorted())
        assertEquals(all.size, all.map { "$it" }.toSet().size)
        assertTrue("${all.size} cases", all.size > 600)
    }
}
