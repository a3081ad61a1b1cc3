package dev.switchback.android

import dev.switchback.android.ScreenProgress.Kind
import org.junit.Assert.assertEquals
import org.junit.Test

/** Which screen a login has, with which texts and buttons. Each text is its own name here. */
class LoginScreenTests {
    private class Row(
        val kind: Kind, val canContinue: Boolean = false, val triesLeft: Int? = null, val isOpen: Boolean = false,
        val screen: String?, val text: ScreenText? = null, val note: String? = null, val actions: String = "give_up",
    )

    private val rows = listOf(
        Row(Kind.Nothing, screen = null), Row(Kind.Nothing, isOpen = true, screen = null),
        Row(Kind.Working, screen = null), Row(Kind.Working, isOpen = true, screen = "working"),
        Row(
            Kind.Paused, canContinue = true, screen = "paused", text = ScreenText.PAUSED_TEXT,
            actions = "continue_login give_up"),
        Row(Kind.Paused, isOpen = true, screen = "paused"),
        Row(
            Kind.AppMissing, canContinue = true, screen = "app_missing", text = ScreenText.APP_MISSING_TEXT,
            actions = "continue_login give_up"),
        Row(Kind.AppMissing, screen = "app_missing", text = ScreenText.APP_NEEDED_TEXT),
        Row(
            Kind.Code, canContinue = true, screen = "code", text = ScreenText.CODE_TEXT,
            actions = "send_code continue_login give_up"),
        Row(
            Kind.Code, triesLeft = 2, screen = "code", text = ScreenText.CODE_TEXT,
            note = "WRONG_CODE_TEXT TRIES_LABEL: 2", actions = "send_code give_up"),
        Row(Kind.Retrying, screen = "retrying", text = ScreenText.RETRYING_TEXT),
    )

    @Test
    fun `each progress has its screen`() {
        for (row in rows) {
            val progress = ScreenProgress(row.kind, row.canContinue, row.triesLeft, "K7QX-2M4P")
            val screen = LoginScreen.of(progress, { it.name }, row.isOpen)
            val name = "${row.kind} ${row.canContinue} ${row.isOpen}"
            assertEquals(name, row.screen, screen?.kind?.code)
            if (screen == null) continue
            assertEquals(name, row.text?.name, screen.text)
            assertEquals(name, row.note, screen.note)
            assertEquals(name, row.actions, screen.buttons.joinToString(" ") { it.action.code })
            assertEquals(name, "REFERENCE_LABEL: K7QX-2M4P", screen.reference)
            assertEquals(name, row.note ?: screen.title, screen.announcement)
        }
    }

    @Test
    fun `a login without a reference shows none`() {
        assertEquals(null, LoginScreen.of(ScreenProgress(Kind.Retrying), { it.name }, false)?.reference)
    }
}
