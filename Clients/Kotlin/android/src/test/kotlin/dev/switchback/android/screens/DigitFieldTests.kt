package dev.switchback.android

import org.junit.Assert.assertEquals
import org.junit.Test

/** What a field for digits takes, as the text field would ask it. */
class DigitFieldTests {
    /** Plays what a text field does for a new text, and returns what it shows. */
    private class Screen(val input: DigitField) {
        val text = StringBuilder()

        fun replace(from: Int, to: Int, typed: String) {
            text.replace(from, to, input.replace(from, to, typed).toString())
        }
    }

    /** Each edit is begin, end and what is typed; then the digits. */
    private val rows: List<Pair<List<Triple<Int, Int, String>>, String>> = listOf(
        listOf(Triple(0, 0, "1"), Triple(1, 1, "2")) to "12",
        // Pasted or filled in.
        listOf(Triple(0, 0, "123456")) to "", listOf(Triple(0, 0, "1"), Triple(1, 1, "23456")) to "1",
        listOf(Triple(0, 0, "1"), Triple(0, 1, "654321")) to "1",
        listOf(Triple(0, 0, "1"), Triple(1, 1, "a"), Triple(1, 1, " "), Triple(1, 1, "½")) to "1",
        // A key in the middle, a key that replaces, and the delete key.
        listOf(Triple(0, 0, "1"), Triple(1, 1, "3"), Triple(1, 1, "2")) to "123",
        listOf(Triple(0, 0, "1"), Triple(1, 1, "3"), Triple(0, 1, "2")) to "23",
        listOf(Triple(0, 0, "1"), Triple(1, 1, "2"), Triple(1, 2, "")) to "1",
        listOf(Triple(0, 0, "1"), Triple(1, 1, "2"), Triple(0, 2, "")) to "",
        // Keypads with other digits, one of them outside of the basic plane.
        listOf(Triple(0, 0, "١"), Triple(1, 1, "٢")) to "12", listOf(Triple(0, 0, "\uD835\uDFD7")) to "9",
        // More than fit.
        (0..7).map { Triple(it.coerceAtMost(6), it.coerceAtMost(6), "$it") } to "012345",
        // Places that the field does not have.
        listOf(Triple(0, 0, "1"), Triple(3, 4, "2")) to "1",
    )

    @Test
    fun `a field takes digits one by one and nothing from the clipboard`() {
        for (mask in listOf(null, '•')) for ((edits, digits) in rows) {
            val screen = Screen(DigitField(6, mask))
            for ((from, to, typed) in edits) {
                if (from <= screen.text.length) screen.replace(from, to, typed) else screen.input.replace(from, to, typed)
            }
            assertEquals("$edits", digits, String(screen.input.digits()))
            assertEquals("$edits", if (mask == null) digits else "•".repeat(digits.length), "${screen.text}")
            assertEquals("$edits", digits.length == 6, screen.input.isFull)
        }
    }

    @Test
    fun `a keyboard that sends the whole word again adds one digit`() {
        for (mask in listOf(null, '•')) {
            val screen = Screen(DigitField(6, mask))
            for (digit in "480") screen.replace(0, screen.text.length, "${screen.text}$digit")
            assertEquals("480", String(screen.input.digits()))
            screen.replace(0, 3, "${screen.text}".dropLast(1))
            assertEquals("48", String(screen.input.digits()))
        }
    }

    @Test
    fun `nothing stays in the memory of a field that is cleared`() {
        val input = DigitField(6)
        "481516".forEachIndexed { at, digit -> input.replace(at, at, "$digit") }
        input.replace(2, 6, "")
        val bytes = DigitField::class.java.getDeclaredField("bytes").apply { isAccessible = true }.get(input) as ByteArray
        assertEquals("48", String(bytes.copyOf(2)))
        assertEquals(listOf<Byte>(0, 0, 0, 0), bytes.drop(2))
        input.clear()
        assertEquals(List(6) { 0.toByte() }, bytes.toList())
        assertEquals(0, input.count)
    }
}
