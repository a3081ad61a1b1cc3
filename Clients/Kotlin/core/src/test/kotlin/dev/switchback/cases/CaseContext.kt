package dev.switchback

/** What all cases share: the server, the request, and values by name. */
class CaseContext private constructor(val server: String, val secret: String, private val json: JsonValue) {
    operator fun get(name: String): JsonValue = json[name] ?: JsonValue.Null

    /** The same with another request, for a case that has one of its own. */
    fun with(request: JsonValue?): CaseContext =
        CaseContext(server, secret, json.merging(mapOf("request" to this["request"].merging(request.memberMap))))

    /** Puts the value in the place of its name: `"$go"`. */
    fun fill(value: JsonValue): JsonValue {
        val name = value.string?.takeIf { it.startsWith("$") }
        if (name != null) {
            return fill(this["values"][name.drop(1)] ?: throw BehaviourCase.FormatError("there is no value $name"))
        }
        value.elements?.let { elements -> return JsonValue.of(elements.map(::fill)) }
        value.members?.let { members -> return JsonValue.of(members.mapValues { fill(it.value) }) }
        return value
    }

    /** Returns a call with this name, and what the case says about it. */
    fun call(effect: JsonValue): JsonValue {
        val name = effect["call"]?.string
        val usual = name?.let { this["calls"][it] } ?: throw BehaviourCase.FormatError("unknown call in ${effect.text}")
        val call = fill(usual).memberMap
        val own = effect.memberMap
        val members = (call + own - "call").toMutableMap()
        if (name == "create") members["body"] = this["request"].merging(mapOf("poll_secret" to secret.json()))
        members["headers"] = JsonValue.of(call["headers"].memberMap + own["headers"].memberMap)
        return JsonValue.of(members)
    }

    fun response(json: JsonValue): HttpResponse {
        json.check("status", "headers", "login", "tokens", "without", "problem", "json", "html", "text")
        val status = json["status"]?.int ?: throw BehaviourCase.FormatError("a response without a status: ${json.text}")
        val name = listOf("login", "tokens").firstOrNull { json[it] != null }
        val problem = json["problem"]
        val value = json["json"]
        val (type, body) = when {
            name != null -> {
                val without = json["without"]?.strings.orEmpty().toSet()
                val members = fill(this[name]).memberMap + json[name].memberMap - without
                "application/json" to JsonValue.of(members).toBytes()
            }
            problem != null -> {
                val members = mapOf("status" to JsonValue.of(status.toLong())) + problem.memberMap
                "application/problem+json" to this["problem"].merging(members).toBytes()
            }
            value != null -> "application/json" to value.toBytes()
            json["html"] != null -> "text/html" to json["html"]?.string.orEmpty().toByteArray()
            else -> null to json["text"]?.string.orEmpty().toByteArray()
        }
        val headers = json["headers"].memberMap.mapValues { it.value.string.orEmpty() }
        return HttpResponse(status, (type?.let { mapOf("Content-Type" to it) } ?: emptyMap()) + headers, body)
    }

    companion object {
        fun read(json: JsonValue): CaseContext {
            json.check(
                "server", "app", "poll_secret", "request", "login", "problem", "tokens", "pins", "calls", "values",
            )
            val server = json["server"]?.string
            val secret = json["poll_secret"]?.string
            if (server == null || secret == null) throw BehaviourCase.FormatError("given.json has no server or secret")
            return CaseContext(server, secret, json)
        }
    }
}
