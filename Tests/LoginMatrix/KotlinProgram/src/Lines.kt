/** A line from the driver: an object whose members are texts. */
class Order private constructor(private val members: Map<String, String>) {
    operator fun get(name: String): String? = members[name]

    companion object {
        private val member = Regex("\"(\\w+)\": \"((?:[^\"\\\\]|\\\\.)*)\"")
        private val escape = Regex("\\\\(u[0-9a-fA-F]{4}|.)")

        fun read(line: String): Order? {
            val members = member.findAll(line).associate { it.groupValues[1] to unescaped(it.groupValues[2]) }
            return if ("order" in members) Order(members) else null
        }

        private fun unescaped(text: String): String = escape.replace(text) {
            val name = it.groupValues[1]
            when {
                name.length == 5 -> name.drop(1).toInt(16).toChar().toString()
                name == "n" -> "\n"
                name == "t" -> "\t"
                else -> name
            }.let(Regex::escapeReplacement)
        }
    }
}

/** Writes a line to the driver. A value is a text, a number, a boolean or a list of texts; null is left out. */
fun report(name: String, vararg members: Pair<String, Any?>) {
    val all = listOf("report" to name, *members).filter { it.second != null }
    val line = all.joinToString(", ", "{", "}") { (member, value) -> "\"$member\": ${json(value)}" }
    synchronized(System.out) {
        System.out.write((line + "\n").toByteArray())
        System.out.flush()
    }
}

private fun json(value: Any?): String = when (value) {
    is List<*> -> value.joinToString(", ", "[", "]") { json(it) }
    is Number, is Boolean -> value.toString()
    else -> value.toString().map { if (it < ' ' || it == '"' || it == '\\') "\\u%04x".format(it.code) else it.toString() }
        .joinToString("", "\"", "\"")
}
