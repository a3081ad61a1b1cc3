// A program: a whole session at a real server, with lost responses. Clients/Kotlin/session-life starts it.

package dev.switchback.life

import dev.switchback.ApiCalls
import dev.switchback.ApiExchange
import dev.switchback.Base64Url
import dev.switchback.BiometricPrompt
import dev.switchback.FileSecretStore
import dev.switchback.HttpEngine
import dev.switchback.HttpRequest
import dev.switchback.HttpResponse
import dev.switchback.JsonValue
import dev.switchback.Secret
import dev.switchback.SessionClient
import dev.switchback.SessionException
import dev.switchback.SessionState
import dev.switchback.SignOutReason
import dev.switchback.SoftwareDeviceKeys
import dev.switchback.SwitchbackConfig
import java.io.File
import java.security.SecureRandom
import java.util.function.BiFunction
import kotlin.system.exitProcess
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.filterNotNull
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout

private object Prompt : BiometricPrompt

/** One life. `losses` responses are lost before each step. */
private class Life(private val server: String, private val proxy: LosingProxy, private val losses: Int) {
    private val folder = File.createTempFile("switchback", "life").also { it.delete() }
    private val store = FileSecretStore(folder)
    private var client = open()
    private var secret = Secret("")
    private var login = ""
    var steps = 0
        private set

    private fun open(): SessionClient {
        val config = SwitchbackConfig(server, "bank")
        config.store = store
        return SessionClient(config, SoftwareDeviceKeys(store))
    }

    private suspend fun step(name: String, work: suspend () -> Unit) {
        steps += 1
        proxy.lose(losses)
        try {
            withTimeout(200_000) { work() }
        } catch (error: Exception) {
            throw IllegalStateException("$name, $losses losses: $error", error)
        }
        proxy.lose(0)
    }

    private fun check(holds: Boolean, what: String) {
        if (!holds) throw IllegalStateException(what)
    }

    private suspend fun kind(work: suspend () -> Unit): SessionException = try {
        work()
        throw IllegalStateException("no error")
    } catch (error: SessionException) {
        error
    }

    /**
     * A PIN, typed again if nobody knows whether the try counted: when the response of a try is lost and the next says
     * that its nonce is too old, the library leaves another try to the user.
     */
    private suspend fun typing(work: suspend () -> Unit) = try {
        work()
    } catch (error: SessionException) {
        if (error.kind != SessionException.Kind.NoResponse) throw error
        work()
    }

    private suspend fun send(method: String, path: String, body: JsonValue?, bearer: Boolean): JsonValue {
        val headers = listOfNotNull(
            if (bearer) "Authorization" to "Bearer ${secret.exposed}" else null,
            if (body != null) "Content-Type" to "application/json" else null,
        ).toMap()
        val response = HttpEngine.UrlConnection.send(HttpRequest(method, server + path, headers, body?.toBytes()))
        check(response.status in 200..299, "$method $path: ${response.status} ${response.body.decodeToString()}")
        return JsonValue.parse(response.body) ?: JsonValue.Null
    }

    /** Logs in by plain HTTP calls, with this device's key. */
    private suspend fun logIn(): String {
        val thumbprint = client.thumbprint()
        secret = Secret(Base64Url.encode(ByteArray(32).also(SecureRandom()::nextBytes)))
        val members = mapOf(
            "app" to "bank", "provider" to "sandbox", "platform" to "android", "dpop_jkt" to thumbprint,
            "poll_secret" to secret.exposed,
        )
        val made = send("POST", "/v1/logins", JsonValue.of(members.mapValues { JsonValue.of(it.value) }), false)
        login = made["id"]?.string ?: throw IllegalStateException("no login")
        val end = send("POST", "/sandbox/logins/$login/approve", null, false)
        val code = JsonValue.of(mapOf("code" to (end["code"] ?: JsonValue.Null)))
        val state = send("POST", "/v1/logins/$login/return", code, true)
        check(state["status"]?.string == "completed", "the login is ${state["status"]?.string}")
        return thumbprint
    }

    private fun digits(text: String) = text.encodeToByteArray()

    private fun state(): SessionState? = client.state.value

    suspend fun run() {
        try {
            live()
        } finally {
            client.close()
            folder.deleteRecursively()
        }
    }

    private suspend fun live() {
        val thumbprint = logIn()
        step("begin") { client.begin(secret, thumbprint, null) }
        check(state() == SessionState.active(needsPin = true), "after the begin: ${state()}")
        step("begin again") { client.begin(secret, thumbprint, null) }
        send("DELETE", "/v1/logins/$login", null, true)
        step("token") { client.accessToken(isNew = true) }
        step("tokens at once") {
            val tokens = coroutineScope { List(8) { async { client.accessToken(isNew = true) } }.awaitAll() }
            check(tokens.toSet().size == 1, "${tokens.toSet().size} tokens")
        }
        step("set PIN") { client.setPin(digits("135790"), Prompt) }
        check(state() == SessionState.active(needsPin = false), "with a PIN: ${state()}")
        step("wrong PIN") {
            val error = kind { typing { client.unlock(digits("000000")) } }
            check(error.kind == SessionException.Kind.WrongPin && error.triesLeft == 4, "$error ${error.triesLeft}")
        }
        check(kind { client.accessToken() }.kind == SessionException.Kind.PinRequired, "a token after a wrong PIN")
        step("right PIN") { typing { client.unlock(digits("135790")) } }
        step("change PIN") { typing { client.changePin(digits("135790"), digits("246802"), Prompt) } }
        step("lock") {
            client.lock()
            check(kind { client.accessToken() }.kind == SessionException.Kind.Locked, "it is not locked")
            typing { client.unlock(digits("246802")) }
        }
        step("biometrics") { typing { client.unlock(Prompt) } }
        step("list") { check(client.sessions().single { it.isCurrent }.hasPin, "no PIN in the list") }
        step("kill") {
            client.close()
            client = open()
            client.state.filterNotNull().first()
            client.accessToken()
        }
        stepUp()
        api()
        okHttp()
        twoProcesses()
    }

    /** The interceptor for OkHttp, if it was compiled. */
    @Suppress("UNCHECKED_CAST")
    private suspend fun okHttp() {
        val name = System.getProperty("switchback.okhttp") ?: return
        val call = Class.forName(name).getDeclaredConstructor().newInstance() as BiFunction<ApiCalls, String, String>
        step("OkHttp") {
            proxy.lose(0)
            val found = withContext(Dispatchers.IO) { call.apply(ApiCalls(client), "$server/v1/sessions") }
            check(found == "200 after 2 tries with 2 tokens, 401 with 0 tokens", found)
        }
    }

    /** A second login with the same key keeps the session and its PIN. */
    private suspend fun stepUp() {
        val thumbprint = logIn()
        step("step-up") { client.begin(secret, thumbprint, null) }
        check(state() == SessionState.active(needsPin = false), "after the step-up: ${state()}")
    }

    /** The server's own list stands for an API: it wants the token, a proof and a nonce. */
    private suspend fun api() = step("api") {
        val url = "$server/v1/sessions"
        var tries = 0
        val exchange = object : ApiExchange<HttpResponse> {
            override suspend fun send(headers: Map<String, String>): HttpResponse {
                tries += 1
                proxy.lose(0)
                return HttpEngine.UrlConnection.send(HttpRequest("GET", url, headers))
            }

            override fun status(response: HttpResponse) = response.status

            override fun header(response: HttpResponse, name: String) = response[name]
        }
        val response = ApiCalls(client).send("GET", url, exchange)
        check(response.status == 200 && tries == 2, "${response.status} after $tries tries")
    }

    private suspend fun twoProcesses() {
        val other = open()
        step("another process") { other.accessToken() }
        step("sign out") { check(client.signOut(), "the server was not told") }
        check(kind { other.accessToken() }.signOutReason == SignOutReason.ByUser, "the other process has a token")
        other.close()
        check(store.names() == listOf("session"), "what is left: ${store.names()}")
        check("refresh_token" !in (store.read("session") ?: ByteArray(0)).decodeToString(), "a token is left")
        owedSignOut()
    }

    /** A sign-out that the server does not hear is told after the next start. */
    private suspend fun owedSignOut() {
        val thumbprint = logIn()
        step("another session") { client.begin(secret, thumbprint, null) }
        proxy.isSilent = true
        proxy.lose(1000)
        check(!client.signOut(), "the server was told")
        client.close()
        proxy.lose(0)
        proxy.isSilent = false
        client = open()
        withTimeout(200_000) {
            while ("\"revocations\":[]" !in (store.read("session") ?: ByteArray(0)).decodeToString()) {
                kotlinx.coroutines.delay(20)
            }
        }
    }
}

fun main(arguments: Array<String>) {
    val proxy = LosingProxy()
    System.setProperty("http.proxyHost", "127.0.0.1")
    System.setProperty("http.proxyPort", "${proxy.port}")
    // Also this machine is reached by the proxy.
    System.setProperty("http.nonProxyHosts", "")
    val life = { losses: Int ->
        runBlocking {
            val one = Life(arguments[0], proxy, losses)
            one.run()
            one.steps
        }
    }
    try {
        // More would reach the number of tries after which the app is told.
        val steps = (0..2).sumOf(life)
        println("$steps steps of three sessions, ${proxy.lost.get()} responses were lost")
    } catch (error: IllegalStateException) {
        System.err.println(error.message)
        exitProcess(1)
    }
    exitProcess(0)
}
