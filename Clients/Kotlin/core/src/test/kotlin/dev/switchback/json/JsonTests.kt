package dev.switchback

import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Test

/** The reader and writer of JSON. */
class JsonTests {
    private fun parse(text: String) = JsonValue.parse(text.toByteArray())

    @Test
    fun `what is written as it was read stays the same`() {
        for (text in listOf(
            "null", "true", "false", "0", "-1", "9223372036854775807", "0.5", "\"\"", "[]", "{}",
            "\"æ\\u0001\\\"\\\\\"",
            "[1,[2,{\"a\":[]}]]", "{\"b\":1,\"a\":null}", "\"\uD83D\uDE00\"",
        )) {
            assertEquals(text, parse(text)?.let { String(it.toBytes()) })
        }
    }

    @Test
    fun `the same value is read from other spellings of it`() {
        for ((one, other) in listOf(
            " [ 1 , 2 ] \r\n" to "[1,2]", "1.0" to "1", "1e2" to "100", "\"\\u00e6\\/\"" to "\"æ/\"", "-0" to "0",
            "\"\\ud83d\\ude00\"" to "\"\uD83D\uDE00\"", "{\"a\":1,\"b\":2}" to "{\"b\":2,\"a\":1}",
            "1e-1" to "0.1", "\"\\b\\f\\n\\r\\t\"" to "\"\\u0008\\u000c\\u000a\\u000d\\u0009\"",
        )) {
            assertNotNull(one, parse(one))
            assertEquals(one, parse(other), parse(one))
        }
    }

    @Test
    fun `what is no JSON reads as nothing`() {
        for (text in listOf(
            "", " ", "nul", "nullx", "tru", "+1",
            "01", "1.", ".5", "1e", "0x1", "NaN", "Infinity", "1e999", "'a'", "\"",
            "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\n\"", "\"\\ud83d\"",
            "\"\\ude00\"", "\"\\ud83d\\ud83d\"", "[", "[1",
            "[1,]", "[,1]", "[1 2]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
            "{a:1}", "{\"a\":1 \"b\":2}", "{}x", "1 2",
            "{\"a\":1,\"a\":1}", "{\"a\":1,\"\\u0061\":2}", "\uFEFF{}", "[1]]", "\u00A01", "<html>",
        )) {
            assertNull(text, parse(text))
        }
        assertNull(JsonValue.parse(byteArrayOf('"'.code.toByte(), 0xC3.toByte(), '"'.code.toByte())))
        assertNull(JsonValue.parse(byteArrayOf('"'.code.toByte(), 0xC0.toByte(), 0x80.toByte(), '"'.code.toByte())))
    }

    @Test
    fun `values are nested as deep as allowed and no deeper`() {
        val deepest = JsonReader.DEEPEST
        assertNotNull(parse("[".repeat(deepest) + "1" + "]".repeat(deepest)))
        assertNull(parse("[".repeat(deepest + 1) + "1" + "]".repeat(deepest + 1)))
        assertNull(parse("[".repeat(1_000_000)))
        assertNull(parse("{\"a\":".repeat(1_000_000)))
    }

    @Test
    fun `a member of another type reads as null`() {
        val json = parse("""{"a":1,"b":"x","c":[1,"y",null],"d":1.5,"e":12345678901234}""")!!
        assertNull(json["a"]?.string)
        assertNull(json["b"]?.long)
        assertNull(json["b"]?.get("x"))
        assertNull(json["x"])
        assertNull(json["d"]?.long)
        assertNull(json["e"]?.int)
        assertEquals(12345678901234, json["e"]?.long)
        assertEquals(1.5, json["d"]?.double!!, 0.0)
        assertEquals(listOf("y"), json["c"]?.strings)
        assertEquals("‹json›", "$json")
    }
}
