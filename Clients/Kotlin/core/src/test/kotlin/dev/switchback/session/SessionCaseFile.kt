package dev.switchback.session

import dev.switchback.HttpResponse
import dev.switchback.JsonValue
import java.io.File

/** A mistake in a case, or in its reader. */
internal class CaseError(message: String) : Exception(message)

internal fun JsonValue.text(): String = toBytes().decodeToString()

/** Throws when this has a member that nobody reads, or is no object. */
internal fun JsonValue.check(vararg known: String): JsonValue {
    val names = members?.keys ?: throw CaseError("${text()} is no object")
    val unknown = names - known.toSet()
    if (unknown.isNotEmpty()) throw CaseError("unknown member $unknown of ${text()}")
    return this
}

internal fun objectOf(vararg members: Pair<String, JsonValue?>): JsonValue = JsonValue.of(*members)

internal fun json(text: String): JsonValue = JsonValue.of(text)

internal fun JsonValue.with(members: Map<String, JsonValue>): JsonValue =
    JsonValue.of((this.members ?: emptyMap()) + members)

/** What all cases share: the server and values by name. */
internal class CaseValues(private val given: JsonValue) {
    init {
        given.check("server", "app", "poll_secret", "request", "login", "problem", "tokens", "pins", "calls", "values")
    }

    operator fun get(name: String): JsonValue = given[name] ?: throw CaseError("given.json has no $name")

    fun text(name: String): String = get(name).string ?: throw CaseError("$name of given.json is no text")

    /** Puts the value in the place of its name: `"$go"`. */
    fun fill(json: JsonValue): JsonValue {
        val text = json.string
        if (text != null && text.startsWith("$")) {
            return fill(get("values")[text.drop(1)] ?: throw CaseError("given.json has no value $text"))
        }
        json.elements?.let { list -> return JsonValue.of(list.map(::fill)) }
        json.members?.let { members -> return JsonValue.of(members.mapValues { fill(it.value) }) }
        return json
    }

    /** Returns a call with this name, and what the case says about it. */
    fun call(json: JsonValue): JsonValue {
        json.check("call", "headers", "body", "timeout_ms", "proof", "path")
        val usual = get("calls")[json["call"]?.string ?: ""] ?: throw CaseError("unknown call in ${json.text()}")
        val call = fill(usual)
        val headers = (call["headers"] ?: objectOf()).with(json["headers"]?.members ?: emptyMap())
        return call.with((json.members ?: emptyMap()) - "call").with(mapOf("headers" to headers))
    }

    fun response(json: JsonValue): HttpResponse {
        json.check("status", "headers", "tokens", "without", "problem", "json", "html", "text")
        val status = json["status"]?.int ?: throw CaseError("a response without a status: ${json.text()}")
        val without = json["without"]?.strings ?: emptyList()
        val (type, body) = when {
            json["tokens"] != null -> {
                val members = fill(get("tokens")).with(json["tokens"]?.members ?: emptyMap()).members ?: emptyMap()
                "application/json" to JsonValue.of(members.filterKeys { it !in without }).toBytes()
            }
            json["problem"] != null -> {
                val all = mapOf("status" to JsonValue.of(status.toLong())) + (json["problem"]?.members ?: emptyMap())
                "application/problem+json" to get("problem").with(all).toBytes()
            }
            json["json"] != null -> "application/json" to (json["json"] ?: JsonValue.Null).toBytes()
            json["html"] != null -> "text/html" to (json["html"]?.string ?: "").encodeToByteArray()
            else -> null to (json["text"]?.string ?: "").encodeToByteArray()
        }
        val headers = (json["headers"]?.members ?: emptyMap()).mapValues { it.value.string ?: "" }
        return HttpResponse(status, (if (type == null) emptyMap() else mapOf("Content-Type" to type)) + headers, body)
    }
}

/** A case of `Clients/cases` for a session: what a client does after some events. */
internal class SessionCase(
    val name: String, val saved: JsonValue?, val steps: List<JsonValue>, val values: CaseValues,
) {
    companion object {
        private val folder: File
            get() = File(System.getProperty("switchback.top") ?: ".", "Clients/cases")

        fun values() = CaseValues(read(File(folder, "given.json")))

        fun all(): List<SessionCase> {
            val values = values()
            val all = folder.listFiles() ?: emptyArray()
            val files = all.filter { it.extension == "json" && it.name != "given.json" }
            return files.sorted().flatMap { file -> read(read(file), file.name, values) }
        }

        fun read(json: JsonValue, file: String, values: CaseValues): List<SessionCase> {
            json.check("reducer", "cases")
            val reducer = json["reducer"]?.string
            if (reducer != "login" && reducer != "session") throw CaseError("$file has no reducer")
            if (reducer == "login") return emptyList()
            val cases = json["cases"]?.elements ?: emptyList()
            if (cases.isEmpty()) throw CaseError("$file has no cases")
            return cases.map { row ->
                row.check("name", "rule", "saved", "steps")
                val steps = row["steps"]?.elements ?: emptyList()
                val name = row["name"]?.string
                if (name == null || row["rule"]?.string.isNullOrEmpty() || steps.isEmpty()) {
                    throw CaseError("a case of $file has no name, rule or steps")
                }
                // The name of several steps stands for all of them.
                val filled = steps.map(values::fill).flatMap { it.elements ?: listOf(it) }
                SessionCase("$file: $name", row["saved"]?.let(values::fill), filled, values)
            }
        }

        private fun read(file: File): JsonValue =
            JsonValue.parse(file.readBytes()) ?: throw CaseError("${file.name} is no JSON")
    }
}
