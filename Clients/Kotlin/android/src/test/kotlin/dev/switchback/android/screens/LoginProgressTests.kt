package dev.switchback.android

import dev.switchback.LoginState
import org.junit.Assert.assertEquals
import org.junit.Test

/** What a screen reads of each state of a login. */
class LoginProgressTests {
    private val rows = mapOf(
        LoginState.Kind.Idle to "NOTHING", LoginState.Kind.Over to "NOTHING", LoginState.Kind.Starting to "WORKING",
        LoginState.Kind.InBrowser to "WORKING", LoginState.Kind.InApp to "WORKING",
        LoginState.Kind.Waiting to "WORKING", LoginState.Kind.Paused to "PAUSED",
        LoginState.Kind.AppMissing to "APP_MISSING", LoginState.Kind.CodeWanted to "CODE",
        LoginState.Kind.Retrying to "RETRYING",
    )

    @Test
    fun `each state of a login has its progress`() {
        for ((kind, progress) in rows) {
            val read = LoginProgress.of(LoginState(kind, "main", "K7QX-2M4P", canContinue = true, triesLeft = 2))
            assertEquals("$kind", progress, read.kind.name)
            assertEquals(listOf("K7QX-2M4P", true, 2), listOf(read.reference, read.canContinue, read.triesLeft))
        }
    }
}
