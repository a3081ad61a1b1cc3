package dev.switchback

import java.io.File

/** A case of `Clients/cases`: what a client does after some events. The page beside the files explains the format. */
class BehaviourCase(
    val file: String,
    val name: String,
    /** The reducer that it is for: `login` or `session`. */
    val reducer: String,
    /** What the store has; null for nothing. */
    val saved: JsonValue?,
    val steps: List<JsonValue>,
    val context: CaseContext,
) {
    override fun toString(): String = "$file: $name"

    /** Why a case cannot be played. That is a mistake in the case, or in this reader. */
    class FormatError(message: String) : Exception(message)

    companion object {
        /** The library has the cases beside it in the server's repository, and inside when it is alone. */
        val folder: File by lazy {
            val top = File(System.getProperty("switchback.top") ?: ".")
            listOf(File(top, "Cases"), File(top, "Clients/cases")).first { it.isDirectory }
        }

        val files: List<File> by lazy {
            folder.listFiles().orEmpty()
                .filter { it.extension == "json" && it.name != "given.json" }.sortedBy { it.name }
        }

        val given: CaseContext by lazy { CaseContext.read(json(File(folder, "given.json"))) }

        private val everything: List<BehaviourCase> by lazy { files.flatMap { read(json(it), it.name, given) } }

        /** The cases for a reducer. A file that cannot be read is an error. */
        fun all(reducer: String): List<BehaviourCase> = everything.filter { it.reducer == reducer }

        /** Reads the text of a file. */
        fun read(text: String): List<BehaviourCase> =
            read(JsonValue.parse(text.toByteArray()) ?: throw FormatError("no JSON: $text"), "text", given)

        private fun json(file: File): JsonValue =
            JsonValue.parse(file.readBytes()) ?: throw FormatError("${file.name} is no JSON")

        private fun read(json: JsonValue, file: String, context: CaseContext): List<BehaviourCase> {
            json.check("reducer", "needs", "cases")
            // This library plays all cases.
            val needs = json["needs"]?.string
            if (json["needs"] != null && needs != "maker_keys") throw FormatError("$file needs $needs")
            val reducer = json["reducer"]?.string?.takeIf { it == "login" || it == "session" }
            val cases = json["cases"]?.elements
            if (reducer == null || cases.isNullOrEmpty()) throw FormatError("$file has no reducer or no cases")
            return cases.map { read(it, file, reducer, context) }
        }

        private fun read(json: JsonValue, file: String, reducer: String, context: CaseContext): BehaviourCase {
            json.check("name", "rule", "request", "saved", "steps")
            val name = json["name"]?.string
            val steps = json["steps"]?.elements
            if (name == null || json["rule"]?.string.isNullOrEmpty() || steps.isNullOrEmpty()) {
                throw FormatError("a case has no name, rule or steps: ${json.text}")
            }
            // The name of several steps stands for all of them.
            val filled = steps.map(context::fill).flatMap { it.elements ?: listOf(it) }
            return BehaviourCase(
                file, name, reducer, json["saved"]?.let(context::fill), filled, context.with(json["request"]),
            )
        }
    }
}

val JsonValue.text: String get() = String(toBytes())

val JsonValue?.memberMap: Map<String, JsonValue> get() = this?.members.orEmpty()

fun JsonValue.merging(other: Map<String, JsonValue>): JsonValue = JsonValue.of(memberMap + other)

fun String?.json(): JsonValue = if (this == null) JsonValue.Null else JsonValue.of(this)

/** Fails when this has a member that nobody reads, or is no object. */
fun JsonValue.check(vararg known: String) {
    val members = members ?: throw BehaviourCase.FormatError("$text is no object")
    val unknown = members.keys - known.toSet()
    if (unknown.isNotEmpty()) throw BehaviourCase.FormatError("unknown member $unknown of $text")
}
