package dev.switchback.android

import dev.switchback.android.PinEntry.Answer
import dev.switchback.android.PinEntry.Purpose
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Test

/** What a screen for a PIN asks for, and what follows from what the user typed. Each text is its own name here. */
class PinEntryTests {
    private val texts = ScreenTexts { it.name }

    /** Types a PIN key by key, and says that it is whole. */
    private fun PinEntry.type(pin: String): String? {
        input.clear()
        pin.forEachIndexed { at, digit -> input.replace(at, at, "$digit") }
        return submit().words()
    }

    private fun PinEntry.Request?.words(): String? = when (this) {
        is PinEntry.Request.Unlock -> "unlock ${String(pin)}"
        is PinEntry.Request.Choose -> "choose ${String(pin)}"
        PinEntry.Request.UnlockWithBiometrics -> "biometrics"
        null -> null
    }

    private class Choice(val pins: String, val title: ScreenText, val note: ScreenText?, val request: String?)

    private val choices = listOf(
        Choice("481516", ScreenText.REPEAT_PIN_TITLE, null, null),
        Choice("481516 481516", ScreenText.REPEAT_PIN_TITLE, null, "choose 481516"),
        Choice("481516 481517", ScreenText.NEW_PIN_TITLE, ScreenText.DIFFERENT_PIN_TEXT, null),
        Choice("481516 481517 481516", ScreenText.REPEAT_PIN_TITLE, null, null),
        Choice("481516 481517 481516 481516", ScreenText.REPEAT_PIN_TITLE, null, "choose 481516"),
        Choice("48151", ScreenText.NEW_PIN_TITLE, null, null),
        Choice("111111", ScreenText.NEW_PIN_TITLE, ScreenText.EASY_PIN_TEXT, null),
        Choice("123456", ScreenText.NEW_PIN_TITLE, ScreenText.EASY_PIN_TEXT, null),
        Choice("987654", ScreenText.NEW_PIN_TITLE, ScreenText.EASY_PIN_TEXT, null),
        Choice("890123 481516", ScreenText.REPEAT_PIN_TITLE, null, null),
    )

    @Test
    fun `a new PIN is long enough and not easy and typed twice`() {
        for (row in choices) {
            val entry = PinEntry(Purpose.CHOOSE)
            assertEquals("NEW_PIN_TEXT", entry.text(texts))
            val request = row.pins.split(" ").map { entry.type(it) }.last()
            assertEquals(row.pins, row.request, request)
            assertEquals(row.pins, row.request != null, entry.isBusy)
            assertEquals(row.pins, row.title.name, entry.title(texts))
            assertEquals(row.pins, row.note?.name, entry.note(texts))
            assertEquals(row.pins, row.title == ScreenText.REPEAT_PIN_TITLE, entry.text(texts) == null)
        }
    }

    private class Row(val answer: Answer, val note: String?, val digits: String, val goesOn: Boolean)

    private val answers = listOf(
        Row(Answer.Accepted, null, "", true),
        Row(Answer.WrongPin(4), "WRONG_PIN_TEXT TRIES_LABEL: 4", "", true),
        Row(Answer.NoResponse, "NO_RESPONSE_TEXT", "481516", true),
        Row(Answer.NoBiometrics, null, "481516", true),
        Row(Answer.Refused, null, "", false),
    )

    @Test
    fun `each answer to a PIN has its note`() {
        for (row in answers) {
            val entry = PinEntry(Purpose.UNLOCK)
            assertEquals("unlock 481516", entry.type("481516"))
            assertNull(entry.submit())
            assertNull(entry.submitBiometrics())
            assertEquals("${row.answer}", row.goesOn, entry.take(row.answer))
            assertFalse(entry.isBusy)
            assertEquals("${row.answer}", row.note, entry.note(texts))
            assertEquals("${row.answer}", row.digits, String(entry.input.digits()))
        }
    }

    @Test
    fun `the tries that are left are shown at once`() {
        assertEquals("TRIES_LABEL: 3", PinEntry(Purpose.UNLOCK, 3).note(texts))
    }

    @Test
    fun `only a locked session unlocks by face or finger`() {
        assertEquals("biometrics", PinEntry(Purpose.UNLOCK).submitBiometrics().words())
        assertNull(PinEntry(Purpose.CHOOSE).submitBiometrics())
    }

    @Test
    fun `a new PIN that the session refuses has to be chosen again`() {
        val entry = PinEntry(Purpose.CHOOSE)
        entry.type("481516")
        assertEquals("choose 481516", entry.type("481516"))
        assertFalse(entry.take(Answer.NoBiometrics))
        assertEquals("NEW_PIN_TITLE", entry.title(texts))
        assertEquals(0, entry.input.count)
    }

    @Test
    fun `a screen that goes away leaves no first PIN`() {
        val entry = PinEntry(Purpose.CHOOSE)
        entry.type("481516")
        entry.wipe()
        assertEquals("NEW_PIN_TITLE", entry.title(texts))
        assertNull(entry.type("481516"))
    }
}
