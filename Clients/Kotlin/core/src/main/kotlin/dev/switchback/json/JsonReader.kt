package dev.switchback

import java.nio.ByteBuffer
import java.nio.charset.CharacterCodingException
import java.nio.charset.CodingErrorAction

/**
 * A reader of JSON (RFC 8259). It is strict about what two readers might understand differently: members that are there
 * twice, other white space, half surrogates, and what follows the value.
 */
internal class JsonReader private constructor(private val text: String) {
    private var at = 0

    /** Where a text is not JSON. It never leaves the reader. */
    private class Malformed : Exception() {
        override fun fillInStackTrace(): Throwable = this
    }

    private fun whole(): JsonValue {
        val value = value(0)
        skip()
        if (at != text.length) throw Malformed()
        return value
    }

    private fun skip() {
        while (at < text.length && text[at] in " \t\r\n") at += 1
    }

    private fun peek(): Char = if (at < text.length) text[at] else throw Malformed()

    private fun expect(word: String) {
        if (!text.startsWith(word, at)) throw Malformed()
        at += word.length
    }

    private fun value(depth: Int): JsonValue {
        if (depth > DEEPEST) throw Malformed()
        skip()
        return when (peek()) {
            '{' -> members(depth)
            '[' -> elements(depth)
            '"' -> JsonValue.of(string())
            't' -> JsonValue.of(true).also { expect("true") }
            'f' -> JsonValue.of(false).also { expect("false") }
            'n' -> JsonValue.Null.also { expect("null") }
            else -> number()
        }
    }

    private fun members(depth: Int): JsonValue {
        val members = LinkedHashMap<String, JsonValue>()
        list('}') {
            val name = string()
            skip()
            expect(":")
            if (members.put(name, value(depth + 1)) != null) throw Malformed()
        }
        return JsonValue.made(members)
    }

    private fun elements(depth: Int): JsonValue {
        val elements = ArrayList<JsonValue>()
        list(']') { elements.add(value(depth + 1)) }
        return JsonValue.made(elements)
    }

    private inline fun list(end: Char, element: () -> Unit) {
        at += 1
        skip()
        if (peek() == end) {
            at += 1
            return
        }
        while (true) {
            skip()
            element()
            skip()
            val next = peek()
            at += 1
            if (next == end) return
            if (next != ',') throw Malformed()
        }
    }

    private fun string(): String {
        expect("\"")
        val made = StringBuilder()
        while (true) {
            val character = peek()
            at += 1
            when {
                character == '"' -> return made.toString().also { if (hasHalfSurrogate(it)) throw Malformed() }
                character < ' ' -> throw Malformed()
                character == '\\' -> made.append(escaped())
                else -> made.append(character)
            }
        }
    }

    private fun escaped(): Char {
        val character = peek()
        at += 1
        return when (character) {
            '"', '\\', '/' -> character
            'b' -> '\b'
            'f' -> '\u000C'
            'n' -> '\n'
            'r' -> '\r'
            't' -> '\t'
            'u' -> {
                if (at + 4 > text.length) throw Malformed()
                val digits = text.substring(at, at + 4)
                if (!digits.all { it in '0'..'9' || it in 'a'..'f' || it in 'A'..'F' }) throw Malformed()
                at += 4
                digits.toInt(16).toChar()
            }
            else -> throw Malformed()
        }
    }

    private fun number(): JsonValue {
        val found = NUMBER.matchAt(text, at) ?: throw Malformed()
        at += found.value.length
        if (found.groupValues[1].isEmpty() && found.groupValues[2].isEmpty()) {
            found.value.toLongOrNull()?.let { return JsonValue.of(it) }
        }
        val number = found.value.toDouble()
        if (number.isInfinite()) throw Malformed()
        return JsonValue.of(number)
    }

    companion object {
        /** Nothing of the API is nested half as deep. */
        const val DEEPEST = 64

        private val NUMBER = Regex("""-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?""")

        fun read(bytes: ByteArray): JsonValue? {
            return try {
                JsonReader(decoded(bytes)).whole()
            } catch (_: Malformed) {
                null
            } catch (_: CharacterCodingException) {
                null
            }
        }

        private fun decoded(bytes: ByteArray): String =
            Charsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT).decode(ByteBuffer.wrap(bytes)).toString()

        private fun hasHalfSurrogate(text: String): Boolean {
            var index = 0
            while (index < text.length) {
                if (text[index].isLowSurrogate()) return true
                if (text[index].isHighSurrogate()) {
                    index += 1
                    if (index == text.length || !text[index].isLowSurrogate()) return true
                }
                index += 1
            }
            return false
        }
    }
}
