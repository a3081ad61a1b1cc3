package dev.switchback

/** A writer of JSON. The same value always has the same bytes, also after an update of the app. */
internal object JsonWriter {
    fun text(value: JsonValue): String = StringBuilder().also { write(value.raw, it) }.toString()

    private fun write(raw: Any?, out: StringBuilder) {
        when (raw) {
            is String -> quote(raw, out)
            is Map<*, *> -> {
                out.append('{')
                raw.entries.forEachIndexed { index, (name, member) ->
                    if (index > 0) out.append(',')
                    quote(name as String, out)
                    out.append(':')
                    write((member as JsonValue).raw, out)
                }
                out.append('}')
            }
            is List<*> -> {
                out.append('[')
                raw.forEachIndexed { index, element ->
                    if (index > 0) out.append(',')
                    write((element as JsonValue).raw, out)
                }
                out.append(']')
            }
            else -> out.append(raw.toString())
        }
    }

    private fun quote(text: String, out: StringBuilder) {
        out.append('"')
        for (character in text) {
            when {
                character == '"' || character == '\\' -> out.append('\\').append(character)
                character < ' ' -> out.append("\\u").append(character.code.toString(16).padStart(4, '0'))
                else -> out.append(character)
            }
        }
        out.append('"')
    }
}
