package dev.switchback

import java.io.IOException
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.withTimeoutOrNull

/** A server with one login, which a test moves on. It holds long polls as the real one does. */
class FakeServer : HttpEngine {
    val requests = ArrayList<HttpRequest>()
    val version = MutableStateFlow(1L)

    /** What a member of the login is now; null leaves it out. */
    @Volatile
    var members: Map<String, JsonValue?> = mapOf("next" to browser("https://login.example/go/1"))

    /** What a return changes. */
    @Volatile
    var onReturn: (JsonValue) -> Unit = {}

    /** What answers in place of the login; null for the login. */
    @Volatile
    var answer: (HttpRequest) -> HttpResponse? = { null }

    @Volatile
    var isDeleted = false
    private var count = 0

    fun change(vararg new: Pair<String, JsonValue?>) {
        members = members + new
        version.value += 1
    }

    fun complete() = change(
        "status" to "completed".json(), "final" to JsonValue.of(true), "next" to null, "assertion" to "a.b.c".json(),
        "identity" to JsonValue.of("subject" to "s1".json(), "eid" to "mitid".json(), "name" to "Freja".json()),
    )

    fun calls(): List<String> = synchronized(requests) {
        requests.map { "${it.method} ${it.path.substringAfter("/v1/").replace(Regex("L\\d+"), "L")}" }
    }

    override suspend fun send(request: HttpRequest): HttpResponse {
        synchronized(requests) { requests.add(request) }
        answer(request)?.let { return it }
        val path = request.path
        if (path == "/v1/logins") {
            count += 1
            if (count > 1) members = mapOf("next" to browser("https://login.example/go/$count"))
            return login()
        }
        val body = request.body?.let { JsonValue.parse(it) } ?: JsonValue.Null
        when {
            request.method == "DELETE" -> {
                isDeleted = true
                return HttpResponse(204)
            }
            path.endsWith("/return") -> onReturn(body)
            path.endsWith("/cancel") -> change(
                "status" to "cancelled".json(), "final" to JsonValue.of(true), "next" to null,
                "reason" to JsonValue.of("code" to "app_cancelled".json(), "retryable" to JsonValue.of(true)),
            )
            request.headers["If-None-Match"] == "W/\"${version.value}\"" -> {
                val before = version.value
                withTimeoutOrNull(20_000) { version.first { it != before } } ?: return HttpResponse(304)
            }
        }
        return login()
    }

    private fun login(): HttpResponse {
        val usual = mapOf(
            "id" to "L1".json(), "status" to "pending".json(), "final" to JsonValue.of(false),
            "version" to JsonValue.of(version.value), "reference" to "K7QX-2M4P".json(),
            "return_prefixes" to JsonValue.texts(listOf("https://app.example/r/")),
            "expires_in" to JsonValue.of(600),
        )
        val all = (usual + members).mapNotNull { (name, value) -> value?.let { name to it } }.toMap()
        return HttpResponse(200, mapOf("Content-Type" to "application/json"), JsonValue.of(all).toBytes())
    }

    companion object {
        const val LINK = "https://app.example/r/?proof=x%20y#z"

        fun browser(url: String, action: String = "open_browser"): JsonValue = JsonValue.of(
            "action" to action.json(), "url" to url.json(), "callback" to "https://app.example/r/x".json(),
            "surfaces" to JsonValue.texts(listOf("auth_session", "tab")),
        )

        fun problem(status: Int, code: String): HttpResponse = HttpResponse(
            status, mapOf("Content-Type" to "application/problem+json"),
            JsonValue.of("code" to code.json(), "detail" to "d".json()).toBytes(),
        )

        /** A network that is not there. */
        val offline: (HttpRequest) -> HttpResponse? = { throw IOException("offline") }
    }
}

/** A window that only remembers what it was asked to open. */
class ScriptedHost(override val name: String, private val hasApp: Boolean = true) : LoginHost {
    val opened = MutableStateFlow<List<String>>(emptyList())
    override val surface: Surface = Surface.AuthSession

    @Volatile
    override var hasBrowser: Boolean = false

    @Volatile
    var ended: (BrowserEnd) -> Unit = {}

    /** What goes wrong when it opens a browser. */
    var fault: (() -> Unit)? = null

    private fun add(what: String) {
        opened.value += what
    }

    override fun choose(launch: BrowserLaunch, wanted: Surface?, earlier: String?): String? =
        if (launch.url.startsWith("https://")) earlier ?: "tab of $name" else null

    override fun openBrowser(launch: BrowserLaunch, chosen: String, isResumed: Boolean, ended: (BrowserEnd) -> Unit) {
        fault?.invoke()
        hasBrowser = true
        this.ended = ended
        add("${if (isResumed) "resume" else "open"} ${launch.url} in $chosen")
    }

    override suspend fun openApp(launch: AppLaunch, ended: (BrowserEnd) -> Unit): Boolean {
        if (hasApp) add("app ${launch.universalLink}")
        return hasApp
    }

    override fun openFallback(link: String) = add("fallback $link")

    override fun closeBrowser() {
        hasBrowser = false
        add("close")
    }

    suspend fun waitFor(what: String) {
        opened.first { list -> list.any { it.startsWith(what) } }
    }
}

/** A store in memory, which a test can break. */
class MemoryStore : SecretStore {
    private val secrets = java.util.concurrent.ConcurrentHashMap<String, ByteArray>()

    @Volatile
    var fails = false

    private fun check() {
        if (fails) throw IOException("the store fails")
    }

    override fun read(name: String): ByteArray? = check().let { secrets[name] }

    override fun replace(name: String, bytes: ByteArray) {
        check()
        secrets[name] = bytes
    }

    override fun delete(name: String) {
        check()
        secrets.remove(name)
    }

    override fun names(): List<String> = check().let { secrets.keys.toList() }

    val everything: String get() = secrets.values.joinToString("\n") { String(it) }
}
