// A program: logins at a real sandbox, as an app makes them. Clients/Kotlin/login-life starts it. It uses only what
// apps see, so that it also runs when the library was shrunk.

package dev.switchback.life

import dev.switchback.AppLaunch
import dev.switchback.BrowserEnd
import dev.switchback.BrowserLaunch
import dev.switchback.FileSecretStore
import dev.switchback.HttpEngine
import dev.switchback.HttpRequest
import dev.switchback.HttpResponse
import dev.switchback.JsonValue
import dev.switchback.LoginHost
import dev.switchback.LoginManager
import dev.switchback.LoginRequest
import dev.switchback.LoginResult
import dev.switchback.LoginState
import dev.switchback.Surface
import dev.switchback.SwitchbackConfig
import java.io.File
import kotlin.system.exitProcess
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout

/** The platform's engine, which remembers the id of the last login. */
private class Remembering : HttpEngine {
    @Volatile
    var login = ""

    override suspend fun send(request: HttpRequest): HttpResponse {
        val response = HttpEngine.UrlConnection.send(request)
        if (request.method == "POST" && request.url.endsWith("/v1/logins")) {
            login = JsonValue.parse(response.body)?.get("id")?.string ?: ""
        }
        return response
    }
}

/** A window whose browser the sandbox plays: `approve` is what it is asked to do. */
private class Window(override val surface: Surface) : LoginHost {
    override val name: String = "main"
    override var hasBrowser: Boolean = false

    @Volatile
    var openings = 0

    override fun choose(launch: BrowserLaunch, wanted: Surface?, earlier: String?): String = earlier ?: "tab"

    override fun openBrowser(launch: BrowserLaunch, chosen: String, isResumed: Boolean, ended: (BrowserEnd) -> Unit) {
        hasBrowser = true
        openings += 1
    }

    override suspend fun openApp(launch: AppLaunch, ended: (BrowserEnd) -> Unit): Boolean {
        openings += 1
        return true
    }

    override fun openFallback(link: String) {}

    override fun closeBrowser() {
        hasBrowser = false
    }
}

private class Phone(private val server: String, private val app: String) {
    private val folder = File.createTempFile("switchback", "logins").also { it.delete() }
    private val engine = Remembering()
    var manager = open()

    fun open(): LoginManager {
        val config = SwitchbackConfig(server, app)
        config.http = engine
        config.store = FileSecretStore(folder)
        return LoginManager(config)
    }

    suspend fun approve(body: String): JsonValue {
        val headers = mapOf("Content-Type" to "application/json")
        val url = "$server/sandbox/logins/${engine.login}/approve"
        val response = HttpEngine.UrlConnection.send(HttpRequest("POST", url, headers, body.toByteArray(), 60_000))
        check(response.status == 200, "approve: ${response.status} ${response.body.decodeToString()}")
        return JsonValue.parse(response.body) ?: JsonValue.Null
    }

    suspend fun wait(what: String, condition: () -> Boolean) {
        repeat(3000) { if (condition()) return else delay(10) }
        throw IllegalStateException("nothing came of: $what")
    }

    fun check(holds: Boolean, what: String) {
        if (!holds) throw IllegalStateException(what)
    }

    /** Every login that is acknowledged is forgotten. */
    suspend fun end() = wait("forgetting") { folder.list().isNullOrEmpty() }
}

private suspend fun completed(phone: Phone, window: Window, provider: String, way: String, body: String) = runBlocking {
    val login = async { phone.manager.logIn(window, LoginRequest(provider)) }
    phone.wait("opening") { window.openings > 0 }
    val end = phone.approve(body)
    val link = end[way]?.string ?: throw IllegalStateException("$provider has no $way: ${end.members?.keys}")
    if (way == "code") {
        phone.manager.current(window).first { it.kind == LoginState.Kind.CodeWanted }
        phone.manager.enterCode(window, link)
    } else {
        phone.check(phone.manager.handleReturn(link), "$link belongs to no login")
    }
    val result = login.await()
    phone.check(result is LoginResult.Completed, "$result")
    val done = result as LoginResult.Completed
    phone.check(done.identity?.name != null && done.assertion != null, "no identity")
    done.acknowledge()
    phone.end()
}

/** The app is killed between the browser and the link, which starts it again. */
private suspend fun killed(server: String) = runBlocking {
    val phone = Phone(server, "demo")
    val window = Window(Surface.Tab)
    val waiting = async { phone.manager.logIn(window, LoginRequest("mitid")) }
    phone.wait("opening") { window.openings > 0 }
    phone.manager.close()
    val stopped = waiting.await()
    phone.check(stopped is LoginResult.Failed && stopped.code == "waiting_stopped", "$stopped")
    val link = phone.approve("{}")["return_link"]?.string.orEmpty()
    phone.manager = phone.open()
    phone.check(phone.manager.handleReturn(link), "the link belongs to no login")
    val again = Window(Surface.Tab)
    phone.manager.resumed(again)
    val state = phone.manager.current(again).first { it.result != null }
    phone.check(state.result is LoginResult.Completed, "${state.result}")
    phone.manager.acknowledge(again)
    phone.end()
}

private suspend fun cancelled(server: String, byUser: Boolean) = runBlocking {
    val phone = Phone(server, "demo")
    val window = Window(Surface.AuthSession)
    val login = async { phone.manager.logIn(window, LoginRequest("sandbox")) }
    phone.wait("opening") { window.openings > 0 }
    if (byUser) phone.approve("""{"decision":"cancel"}""") else phone.manager.cancel(window)
    val result = login.await()
    phone.check(result is LoginResult.Cancelled && result.byUser == byUser, "$result")
    phone.end()
}

private suspend fun refused(server: String) {
    val phone = Phone(server, "demo")
    val result = phone.manager.logIn(Window(Surface.Tab), LoginRequest("nobody"))
    phone.check(result is LoginResult.Failed && result.code == "unknown_provider" && !result.isRetryable, "$result")
    phone.check(phone.manager.providers().any { it.id == "mitid" && it.name == "MitID" }, "MitID has no button")
    phone.end()
}

fun main(arguments: Array<String>) {
    val server = arguments.single()
    val rows: List<Pair<String, suspend () -> Unit>> = listOf(
        "a link" to { completed(Phone(server, "demo"), Window(Surface.Tab), "mitid", "return_link", "{}") },
        "an auth tab" to {
            completed(Phone(server, "demo"), Window(Surface.AuthSession), "vipps", "return_link", "{}")
        },
        "the code" to { completed(Phone(server, "desk"), Window(Surface.Tab), "sandbox", "code", "{}") },
        "the e-ID's app switches back" to {
            completed(Phone(server, "demo"), Window(Surface.Tab), "mitid", "switch_link", """{"switch":true}""")
        },
        "a kill" to { killed(server) },
        "the user declines" to { cancelled(server, true) },
        "the app cancels" to { cancelled(server, false) },
        "a provider that is unknown" to { refused(server) },
    )
    var failures = 0
    for ((name, row) in rows) {
        try {
            runBlocking { withTimeout(60_000) { row() } }
            println("ok $name")
        } catch (error: Throwable) {
            failures += 1
            println("FAILED $name: $error")
        }
    }
    println("${rows.size - failures} passed, $failures failed")
    exitProcess(if (failures == 0) 0 else 1)
}
