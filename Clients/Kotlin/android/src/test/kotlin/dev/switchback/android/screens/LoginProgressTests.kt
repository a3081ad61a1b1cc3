package dev.switchback.android

import dev.switchback.LoginState
import org.junit.Assert.assertEquals
import org.junit.Test

/** What a screen reads of each state of a login. */
class LoginProgressTests {
    private val rows = mapOf(
        LoginState.Kind.Idle to "Nothing", LoginState.Kind.Over to "Nothing", LoginState.Kind.Starting to "Working",
        LoginState.Kind.InBrowser to "Working", LoginState.Kind.InApp to "Working",
        LoginState.Kind.Waiting to "Working", LoginState.Kind.Paused to "Paused",
        LoginState.Kind.AppMissing to "AppMissing", LoginState.Kind.CodeWanted to "Code",
        LoginState.Kind.Retrying to "Retrying",
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
