package dev.switchback

import java.util.Collections
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertSame
import org.junit.Assert.assertTrue
import org.junit.Test

/** Logins as an app sees them, at a server that a test moves on. */
class LoginManagerTests {
    private val server = FakeServer()
    private val store = MemoryStore()
    private val host = ScriptedHost("main")
    private val events = Collections.synchronizedList(ArrayList<String>())

    private fun manager(thumbprint: (suspend (ByteArray) -> String?)? = null): LoginManager {
        val config = SwitchbackConfig("https://login.example", "demo")
        config.http = server
        config.store = store
        config.languages = { listOf("da-DK") }
        config.logger = Logger { events.add("$it") }
        return LoginManager(config, thumbprint)
    }

    private fun test(work: suspend CoroutineScope.() -> Unit) = runBlocking { withTimeout(30_000, work) }

    private suspend fun LoginManager.waitFor(kind: LoginState.Kind, host: LoginHost = this@LoginManagerTests.host) =
        current(host).first { it.kind == kind }

    private suspend fun until(condition: () -> Boolean) {
        while (!condition()) delay(5)
    }

    @Test
    fun `a login that returns by a link is completed and acknowledged once`() = test {
        val manager = manager { "thumb" }
        server.onReturn = { if (it["url"]?.string == FakeServer.LINK) server.complete() }
        val login = async { manager.logIn(host, LoginRequest("mitid").apply { nonce = "n" }) }
        host.waitFor("open https://login.example/go/1 in tab of main")
        assertEquals(LoginState.Kind.InBrowser, manager.waitFor(LoginState.Kind.InBrowser).kind)
        host.ended(BrowserEnd.link(FakeServer.LINK))
        val completed = login.await() as LoginResult.Completed
        assertEquals("Freja", completed.identity?.name)
        assertEquals("a.b.c", completed.assertion?.exposed)
        assertEquals("K7QX-2M4P", completed.reference)
        assertSame(completed, manager.current(host).value.result)
        completed.acknowledge()
        until { server.isDeleted && store.names().isEmpty() }
        assertEquals(LoginState.Kind.Idle, manager.current(host).value.kind)
        until { manager.logins.value.isEmpty() }
        val create = JsonValue.parse(server.requests.first().body!!)!!
        assertEquals(
            listOf("mitid", "demo", "android", "auth_session", "da-DK", "n", "thumb"),
            listOf("provider", "app", "platform", "surface", "locale", "nonce", "dpop_jkt").map { create[it]?.string },
        )
        assertEquals(NextAction.NAMES, create["actions"]?.strings)
        assertTrue(host.opened.value.toString(), "close" in host.opened.value)
    }

    @Test
    fun `the same request joins and another one replaces`() = test {
        val manager = manager()
        val first = async { manager.logIn(host, LoginRequest("mitid")) }
        host.waitFor("open")
        val second = async { manager.logIn(host, LoginRequest("mitid")) }
        delay(100)
        assertEquals(1, server.calls().count { it == "POST logins" })
        val other = async { manager.logIn(host, LoginRequest("vipps")) }
        for (waiting in listOf(first, second)) {
            assertEquals(LoginResult.Kind.Replaced, (waiting.await() as LoginResult.Failed).kind)
        }
        until { server.calls().count { it == "POST logins" } == 2 }
        // The server hears which login it replaces, and that one goes on there.
        val creates = server.requests.filter { it.method == "POST" && it.url.endsWith("logins") }
            .map { JsonValue.parse(it.body!!)!! }
        assertEquals(creates[0]["poll_secret"]?.string, creates[1]["replaces"]?.string)
        assertNull(creates[0]["replaces"])
        assertFalse(server.calls().any { it.endsWith("cancel") })
        // The server may have the request before the list has the login.
        until { manager.logins.value.size == 1 }
        other.cancelAndJoin()
        manager.close()
    }

    @Test
    fun `cancelling the coroutine ends the waiting and not the login`() = test {
        val manager = manager()
        val waiting = launch { manager.logIn(host, LoginRequest("mitid")) }
        host.waitFor("open")
        waiting.cancelAndJoin()
        delay(50)
        assertEquals(1, manager.logins.value.size)
        assertFalse(server.calls().any { it.endsWith("cancel") })
        val again = async { manager.logIn(host, LoginRequest("mitid")) }
        delay(50)
        server.complete()
        assertTrue(again.await() is LoginResult.Completed)
    }

    @Test
    fun `a killed login goes on in the browser in which it began`() = test {
        val killed = manager()
        launch { killed.logIn(host, LoginRequest("mitid")) }
        host.waitFor("open")
        until { store.everything.contains("L1") && store.everything.contains("tab of main") }
        killed.close()
        delay(50)
        server.onReturn = { server.change("next" to FakeServer.browser("https://broker.example/b", "resume_browser")) }
        val again = ScriptedHost("main")
        val manager = manager()
        assertFalse(manager.resumed(again).kind == LoginState.Kind.Idle)
        again.waitFor("resume https://broker.example/b in tab of main")
        server.complete()
        val state = manager.current(again).first { it.result != null }
        assertTrue(state.result is LoginResult.Completed)
        manager.acknowledge(again)
        until { store.names().isEmpty() }
    }

    @Test
    fun `a login whose host is no more goes to the host that asks`() = test {
        val killed = manager()
        launch { killed.logIn(host, LoginRequest("mitid")) }
        host.waitFor("open")
        until { store.everything.contains("L1") }
        killed.close()
        delay(50)
        val other = ScriptedHost("other")
        val manager = manager()
        assertEquals(LoginState.Kind.Idle, manager.resumed(other, setOf("main")).kind)
        assertFalse(manager.resumed(other).kind == LoginState.Kind.Idle)
        assertEquals("other", manager.logins.value.single().host)
        manager.close()
    }

    @Test
    fun `a link goes to the login whose prefix it has and to no other`() = test {
        val manager = manager()
        assertFalse(manager.handleReturn(FakeServer.LINK))
        val links = ArrayList<String?>()
        server.onReturn = { links.add(it["url"]?.string) }
        val login = async { manager.logIn(host, LoginRequest("mitid")) }
        host.waitFor("open")
        assertFalse(manager.handleReturn("https://app.example/other"))
        assertTrue(manager.handleReturn(FakeServer.LINK))
        until { links == listOf(FakeServer.LINK) }
        login.cancelAndJoin()
        manager.close()
    }

    @Test
    fun `a closed browser pauses the login until the user continues`() = test {
        val manager = manager()
        val login = async { manager.logIn(host, LoginRequest("mitid")) }
        host.waitFor("open")
        host.hasBrowser = false
        host.ended(BrowserEnd.Closed)
        assertTrue(manager.waitFor(LoginState.Kind.Paused).canContinue)
        manager.continueLogin(host)
        until { host.opened.value.count { it.startsWith("open") } == 2 }
        manager.cancel(host)
        val result = login.await() as LoginResult.Cancelled
        assertFalse(result.byUser)
        until { server.isDeleted }
    }

    @Test
    fun `a host that throws ends neither the app nor the login`() = test {
        val manager = manager()
        host.fault = { error("no window") }
        val login = async { manager.logIn(host, LoginRequest("mitid")) }
        manager.waitFor(LoginState.Kind.Paused)
        assertTrue(events.toString(), events.any { it.startsWith("host_failed") })
        host.fault = null
        manager.continueLogin(host)
        host.waitFor("open")
        login.cancelAndJoin()
        manager.close()
    }

    @Test
    fun `an app that is not there leaves the user the choice of another way`() = test {
        val manager = manager()
        val window = ScriptedHost("main", hasApp = false)
        server.members = mapOf(
            "next" to JsonValue.of(
                "action" to "open_app".json(), "universal_link" to "https://eid.example/1".json(),
                "fallback" to "https://eid.example/web".json(),
            ),
        )
        val login = async { manager.logIn(window, LoginRequest("mitid")) }
        assertTrue(manager.waitFor(LoginState.Kind.AppMissing, window).canContinue)
        manager.continueLogin(window)
        window.waitFor("fallback https://eid.example/web")
        login.cancelAndJoin()
        manager.close()
    }

    @Test
    fun `the code of the page is handed in and asked for again`() = test {
        val manager = manager()
        server.members = mapOf("next" to JsonValue.of("action" to "enter_code".json()))
        val login = async { manager.logIn(host, LoginRequest("mitid")) }
        assertNull(manager.waitFor(LoginState.Kind.CodeWanted).triesLeft)
        server.answer = { request ->
            val typed = request.body?.let { JsonValue.parse(it) }?.get("code")?.string
            val isWrong = request.path.endsWith("/return") && typed == "111111"
            val body = """{"code":"wrong_code","tries_left":2}""".toByteArray()
            if (isWrong) HttpResponse(422, mapOf("Content-Type" to "application/problem+json"), body) else null
        }
        server.onReturn = { if (it["code"]?.string == "222222") server.complete() }
        manager.enterCode(host, "111111")
        assertEquals(2, manager.current(host).first { it.triesLeft != null }.triesLeft)
        manager.enterCode(host, "222222")
        assertTrue(login.await() is LoginResult.Completed)
    }

    private class Row(val name: String, val result: String, val prepare: LoginManagerTests.() -> Unit)

    @Test
    fun `a login without a result says why`() {
        val rows = listOf(
            Row("refused", "failed: unknown_provider: d") {
                server.answer = { FakeServer.problem(422, "unknown_provider") }
            },
            Row("not stored", "failed: not_stored") { store.fails = true },
            Row("declined", "cancelled by the user") {
                server.members = mapOf(
                    "status" to "cancelled".json(), "final" to JsonValue.of(true),
                    "reason" to JsonValue.of("code" to "user_cancelled".json()),
                )
            },
            Row("failed", "failed: timeout: K7QX-2M4P") {
                server.members = mapOf(
                    "status" to "expired".json(), "final" to JsonValue.of(true),
                    "reason" to JsonValue.of("code" to "timeout".json(), "retryable" to JsonValue.of(true)),
                )
            },
            Row("gone", "failed: gone: K7QX-2M4P") {
                server.answer = { if (it.method == "GET") FakeServer.problem(410, "gone") else null }
            },
        )
        for (row in rows) {
            val one = LoginManagerTests()
            row.prepare(one)
            one.test {
                val manager = one.manager()
                assertEquals(row.name, row.result, "${manager.logIn(one.host, LoginRequest("mitid"))}")
                assertEquals(row.name, LoginState.Kind.Over, manager.current(one.host).value.kind)
                manager.close()
            }
        }
    }

    @Test
    fun `an app that is not set up is told in the words of the system`() = test {
        val manager = manager()
        val login = async { manager.logIn(host, LoginRequest("mitid")) }
        host.waitFor("open")
        host.ended(BrowserEnd.misconfigured("the host is not associated"))
        val failed = login.await() as LoginResult.Failed
        assertEquals(LoginResult.Kind.Misconfigured, failed.kind)
        assertEquals("the host is not associated", failed.detail)
        assertFalse(failed.isRetryable)
        until { server.calls().any { it == "POST logins/L/cancel" } }
    }

    @Test
    fun `without a network the user can leave at once`() = test {
        val manager = manager()
        server.answer = FakeServer.offline
        val login = async { manager.logIn(host, LoginRequest("mitid")) }
        assertEquals(TransientError.NoResponse, manager.waitFor(LoginState.Kind.Retrying).transientError)
        manager.cancel(host)
        assertTrue(login.await() is LoginResult.Cancelled)
        until { store.names().isEmpty() }
    }

    @Test
    fun `two hosts have a login each`() = test {
        val manager = manager()
        val other = ScriptedHost("other")
        val logins = listOf(host, other).map { async { manager.logIn(it, LoginRequest("mitid")) } }
        host.waitFor("open")
        other.waitFor("open")
        assertEquals(setOf("main", "other"), manager.logins.value.map { it.host }.toSet())
        logins.forEach { it.cancelAndJoin() }
        manager.close()
    }

    @Test
    fun `nothing is polled while the app is in the background`() = test {
        val manager = manager()
        val login = async { manager.logIn(host, LoginRequest("mitid")) }
        host.waitFor("open")
        until { server.calls().any { it == "GET logins/L" } }
        manager.enteredBackground()
        delay(100)
        val before = server.calls().size
        server.change("hint" to "started".json())
        delay(100)
        assertEquals(before, server.calls().size)
        manager.enteredForeground()
        assertEquals("started", manager.current(host).first { it.hint != null }.hint)
        login.cancelAndJoin()
        manager.close()
    }

    @Test
    fun `no log and no printed value has a secret`() = test {
        val manager = manager()
        server.onReturn = { server.complete() }
        val login = async { manager.logIn(host, LoginRequest("mitid")) }
        host.waitFor("open")
        manager.handleReturn(FakeServer.LINK)
        val completed = login.await() as LoginResult.Completed
        val secret = completed.pollSecret.exposed
        assertTrue(store.everything.contains(secret))
        assertFalse(store.everything.contains("a.b.c") || store.everything.contains("Freja"))
        val printed = "$events $completed ${manager.current(host).value} ${server.requests} ${completed.identity}"
        for (text in listOf(secret, "a.b.c", "Freja", "proof=x")) assertFalse(text, printed.contains(text))
        completed.acknowledge()
    }

    @Test
    fun `a provider that is off has words for the user`() {
        fun one(members: String, vararg languages: String): Pair<Boolean, String?> =
            Provider.list("""{"providers":[{"id":"mitid",$members}]}""".toByteArray(), languages.toList())!!.single()
                .let { it.isEnabled to it.notice }
        val danish = """"enabled":false,"notices":{"da":"Til kl. 14","en":"Until 2"}"""
        assertEquals(false to "Til kl. 14", one(danish, "da-DK"))
        assertEquals(false to "Until 2", one(danish, "fi"))
        assertEquals(false to "Til kl. 14", one(""""enabled":false,"notices":{"nb":"Til kl. 14","en":"2"}""", "no"))
        assertEquals(false to "Til kl. 14", one(""""enabled":false,"notices":{"nn":"Kl. 2","da":"Til kl. 14"}"""))
        assertEquals(true to null, one(""""enabled":true,"notices":{}""", "da"))
        assertEquals(true to null, one(""""enabled":"no","notices":{"da":1}""", "da"))
    }

    @Test
    fun `a login with a provider that is off says so in the operator's words`() = test {
        val manager = manager()
        val body = """{"code":"provider_off","detail":"d","notice":"MitID is back at 14:00."}""".toByteArray()
        server.answer = { HttpResponse(409, mapOf("Content-Type" to "application/problem+json"), body) }
        val failed = manager.logIn(host, LoginRequest("mitid")) as LoginResult.Failed
        assertEquals("provider_off", failed.code)
        assertEquals("MitID is back at 14:00.", failed.notice)
        assertTrue(!failed.isRetryable)
    }

    @Test
    fun `the providers are read again only when they have changed`() = test {
        val manager = manager()
        val body = """{"providers":[{"id":"mitid","names":{"en":"MitID","da":"MitID (dansk)"},"countries":["DK"],
            "eid_app":{"android_packages":["dk.mitid"]}},{"id":""},1]}"""
        var isNew = true
        server.answer = { request ->
            assertEquals("https://login.example/v1/providers?app=demo", request.url)
            when {
                request.headers["If-None-Match"] != null -> if (isNew) HttpResponse(304) else HttpResponse(503)
                else -> HttpResponse(200, mapOf("etag" to "\"1\""), body.toByteArray())
            }
        }
        repeat(3) {
            val provider = manager.providers().single()
            assertEquals("MitID (dansk)", provider.name)
            assertEquals(listOf("dk.mitid"), provider.androidPackages)
            assertTrue("an older server does not say it", provider.isEnabled && provider.notice == null)
            isNew = it == 0
        }
        server.answer = { FakeServer.problem(422, "unknown_app") }
        val refused = runCatching { manager.providers() }.exceptionOrNull() as ProvidersException
        assertEquals(ProvidersException.Kind.Refused, refused.kind)
        assertEquals("unknown_app", refused.problem?.code)
    }
}
