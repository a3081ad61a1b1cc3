package dev.switchback.session

import dev.switchback.BehaviourCase
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

/** What an app sees of a session is what every client shows. */
class SessionClientCaseTests {
    @Test
    fun `an app sees and sends what each case of a session says`() {
        val (played, leftOut) = BehaviourCase.all("session").partition { SessionClientCasePlayer.leftOut(it) == null }
        val failures = played.flatMap { row -> SessionClientCasePlayer.differences(row).map { "$row\n  $it" } }
        println("${played.size} session cases were played through the public client. Left out:")
        for (row in leftOut) println("$row: ${SessionClientCasePlayer.leftOut(row)}")
        assertEquals("", failures.joinToString("\n"))
        assertTrue("${played.size} cases", played.size > 150)
    }

    @Test
    fun `a client that does something else is noticed`() {
        val session = """{"id": "S1", "refresh_token": "rt1", "pin": false}"""
        val saved = """{"key_name": "key", "key": "K1", "session": $session}"""
        val start = """{"event": "start", "effects": [{"show": "active", "needs_pin": true}]}"""
        val call = """{"call": "renew", "proof": {"id": 1, "key": "K1"}}"""
        for ((steps, isRight) in listOf(
            """$start, {"event": "token", "effects": [$call]}""" to true,
            """$start, {"event": "token"}""" to false,
            """$start, {"event": "token", "effects": [${call.replace("K1", "K2")}]}""" to false,
            """$start, {"event": "token", "effects": [$call, {"show": "step_up_required"}]}""" to false,
            """$start, {"event": "lock", "effects": [{"store": {"locked": true}}]}""" to false,
            """{"event": "start", "effects": [{"show": "signed_out", "because": "never"}]}""" to false,
        )) {
            val text = """{"reducer": "session",
                "cases": [{"name": "n", "rule": "r", "saved": $saved, "steps": [$steps]}]}"""
            val differences = SessionClientCasePlayer.differences(BehaviourCase.read(text).single())
            assertEquals(steps, isRight, differences.isEmpty())
        }
    }
}
