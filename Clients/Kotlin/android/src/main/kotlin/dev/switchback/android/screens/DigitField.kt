package dev.switchback.android

/**
 * What a field for digits has. It takes nothing from the clipboard: a code or PIN that other apps can read is none.
 *
 * With a [mask] the text field never has the digits, only one mask for each. They are bytes here, and are wiped.
 */
internal class DigitField(val limit: Int, private val mask: Char? = null) {
    private val bytes = ByteArray(limit)

    /** How many digits there are. */
    var count: Int = 0
        private set

    val isFull: Boolean get() = count == limit

    /** Returns a copy of the ASCII digits, whatever digits the keypad has. The caller wipes it. */
    fun digits(): ByteArray = bytes.copyOf(count)

    /**
     * The text field is about to replace what it has in `from..<to` by [typed]. Returns what it must put there: a key
     * adds one character at most, and more are pasted or filled in, so they are left out.
     */
    fun replace(from: Int, to: Int, typed: CharSequence): CharSequence {
        if (from !in 0..to || to > count) return ""
        val old = shown(from, to)
        val begin = typed.commonPrefixWith(old).length
        val rest = typed.drop(begin)
        val end = rest.commonSuffixWith(old.drop(begin)).length
        val added = rest.dropLast(end).toString()
        val digit = when (added.codePointCount(0, added.length)) {
            0 -> null
            1 -> Character.digit(added.codePointAt(0), 10).takeIf { it >= 0 } ?: return old
            else -> return old
        }
        val taken = if (digit == null) 0 else 1
        if (count - (to - from - begin - end) + taken > limit) return old
        put(from + begin, to - end, digit)
        return shown(from, from + begin + taken + end)
    }

    /** Wipes all digits. The caller empties the text field. */
    fun clear() {
        bytes.fill(0)
        count = 0
    }

    private fun put(from: Int, to: Int, digit: Int?) {
        val kept = bytes.copyOfRange(to, count)
        val at = if (digit == null) from else from + 1
        if (digit != null) bytes[from] = ('0'.code + digit).toByte()
        kept.copyInto(bytes, at)
        count = at + kept.size
        bytes.fill(0, count, limit)
        kept.fill(0)
    }

    private fun shown(from: Int, to: Int): String =
        String(CharArray(to - from) { mask ?: bytes[from + it].toInt().toChar() })
}
