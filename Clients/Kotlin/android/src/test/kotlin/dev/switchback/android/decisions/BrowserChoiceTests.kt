package dev.switchback.android

import dev.switchback.BrowserLaunch
import dev.switchback.Surface
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Test

/** Which browser a login is opened in. */
class BrowserChoiceTests {
    private val chrome = InstalledBrowser("com.android.chrome", hasAuthTab = true, hasEphemeral = true)
    private val samsung = InstalledBrowser("com.sec.android.app.sbrowser")
    private val firefox = InstalledBrowser("org.mozilla.firefox", hasAuthTab = true)
    private val all = listOf(Surface.AuthSession, Surface.Tab, Surface.System)
    private val callback = "https://link.example.com/r/callback"
    private val end = TabCallback.Https("link.example.com", "/r/callback")

    private fun launch(
        surfaces: List<Surface> = all, callback: String? = this.callback, scheme: String? = null,
        isEphemeral: Boolean = false, packages: List<String> = emptyList(),
    ) = BrowserLaunch("https://login.example.com/go/1", surfaces, callback, scheme, isEphemeral, packages)

    private fun phone(vararg browsers: InstalledBrowser, default: InstalledBrowser? = null) =
        PhoneBrowsers(browsers.toList(), default?.packageName)

    private fun authTab(browser: InstalledBrowser, isEphemeral: Boolean = false, end: TabCallback = this.end) =
        OpenedIn(OpenedIn.Kind.AuthTab, browser.packageName, end, isEphemeral)

    private fun customTab(browser: InstalledBrowser, isEphemeral: Boolean = false) =
        OpenedIn(OpenedIn.Kind.CustomTab, browser.packageName, isEphemeral = isEphemeral)

    private val system = OpenedIn(OpenedIn.Kind.Browser, null)

    @Test
    fun `the server's packages come before the user's default browser`() {
        for ((packages, browsers, expected) in listOf(
            Triple(emptyList(), phone(firefox, chrome, default = firefox), authTab(chrome)),
            Triple(emptyList(), phone(firefox, samsung, default = firefox), customTab(samsung)),
            Triple(emptyList(), phone(firefox, default = firefox), authTab(firefox)),
            Triple(listOf(samsung, chrome), phone(chrome, samsung), customTab(samsung)),
            Triple(listOf(samsung), phone(chrome, firefox, default = firefox), authTab(firefox)),
            Triple(listOf(firefox), phone(chrome, firefox, default = chrome), authTab(firefox)),
            Triple(listOf(samsung), phone(firefox, chrome), authTab(firefox)),
            Triple(emptyList(), phone(), system),
        )) {
            val opening = BrowserOpening.choose(launch(packages = packages.map { it.packageName }), browsers)
            assertEquals("$packages $browsers", expected, opening?.surface)
        }
    }

    @Test
    fun `the surface is the app's if the server lists it, and else the first that works`() {
        val phone = phone(chrome, samsung)
        val old = phone(samsung)
        for ((case, expected) in listOf(
            BrowserOpening.choose(launch(), phone) to authTab(chrome),
            BrowserOpening.choose(launch(), phone, Surface.Tab) to customTab(chrome),
            BrowserOpening.choose(launch(), phone, Surface.System) to system,
            BrowserOpening.choose(launch(listOf(Surface.Tab)), phone, Surface.AuthSession) to customTab(chrome),
            BrowserOpening.choose(launch(emptyList()), phone) to customTab(chrome),
            BrowserOpening.choose(launch(emptyList()), phone, Surface.AuthSession) to authTab(chrome),
            BrowserOpening.choose(launch(), old) to customTab(samsung),
            BrowserOpening.choose(launch(callback = null), phone) to customTab(chrome),
            BrowserOpening.choose(launch(callback = null, scheme = "com.example.shop"), phone) to
                authTab(chrome, end = TabCallback.Scheme("com.example.shop")),
            BrowserOpening.choose(launch(listOf(Surface.AuthSession), callback = null), phone) to customTab(chrome),
            BrowserOpening.choose(launch(), phone, authTabFails = true) to customTab(chrome),
            BrowserOpening.choose(launch(listOf(Surface.System)), phone) to system,
        )) {
            assertEquals(expected, case?.surface)
        }
    }

    @Test
    fun `a tab is ephemeral only if the server says so and the browser can`() {
        for ((browser, isWanted, expected) in listOf(
            Triple(chrome, true, true), Triple(chrome, false, false), Triple(samsung, true, false),
            Triple(firefox, true, false),
        )) {
            for (surface in listOf(Surface.AuthSession, Surface.Tab)) {
                val opening = BrowserOpening.choose(launch(isEphemeral = isWanted), phone(browser), surface)
                assertEquals("$browser $surface", expected, opening?.surface?.isEphemeral)
            }
        }
    }

    @Test
    fun `a login goes on in what it began in`() {
        val both = phone(chrome, samsung, default = samsung)
        val other = launch(callback = "https://other.example.com/x", packages = listOf(samsung.packageName))
        for ((earlier, phone, expected) in listOf(
            Triple(authTab(chrome), both, authTab(chrome)),
            Triple(authTab(chrome, isEphemeral = true), both, authTab(chrome, isEphemeral = true)),
            Triple(customTab(chrome), both, customTab(chrome)),
            Triple(system, both, system),
            // An update took the Auth Tab away: the Custom Tab of the same browser has its cookies.
            Triple(authTab(samsung), both, customTab(samsung)),
            // The browser was removed, and its cookies with it.
            Triple(authTab(chrome), phone(samsung), customTab(samsung)),
        )) {
            assertEquals("$earlier", expected, BrowserOpening.choose(other, phone, earlier = earlier)?.surface)
        }
        val afterFailure = BrowserOpening.choose(launch(), both, earlier = authTab(chrome), authTabFails = true)
        assertEquals(customTab(chrome), afterFailure?.surface)
    }

    @Test
    fun `only links of the web are opened in a browser`() {
        for (url in listOf(
            "intent://x#Intent;end", "javascript:alert(1)", "file:///etc/hosts", "content://a/b", "about:blank", "", "https",
            "https:", "https://", "https:///x", "https://?x", "com.example.shop://x", " https://x.example",
        )) {
            assertNull(url, BrowserOpening.choose(BrowserLaunch(url), phone(chrome)))
        }
        for (url in listOf("https://a.example", "HTTPS://a.example/ø?x=%zz#|", "http://127.0.0.1:8080/go")) {
            assertEquals(url, BrowserOpening.choose(BrowserLaunch(url), phone(chrome))?.url)
        }
    }

    @Test
    fun `what ends an Auth Tab is read as the browser needs it`() {
        for ((launch, expected) in listOf(
            launch() to end,
            launch(callback = "HTTPS://Link.Example.com") to TabCallback.Https("Link.Example.com", "/"),
            launch(callback = "https://a.example:8443/r") to null,
            launch(callback = "http://a.example/r") to null,
            launch(callback = "https://user@a.example/r") to null,
            launch(callback = "nonsense") to null,
            launch(callback = null, scheme = "Com.Example.Shop") to TabCallback.Scheme("com.example.shop"),
            launch(callback = null, scheme = "https") to null,
            launch(callback = null, scheme = "1a") to null,
            launch(callback = null, scheme = "a b") to null,
            launch(callback = null) to null,
        )) {
            assertEquals("${launch.callback} ${launch.callbackScheme}", expected, TabCallback.of(launch))
        }
    }

    @Test
    fun `what is stored of a tab is read again, and anything else is nothing`() {
        for (surface in listOf(
            authTab(chrome), authTab(chrome, isEphemeral = true), customTab(samsung), system,
            authTab(firefox, end = TabCallback.Scheme("com.example.shop")),
            authTab(chrome, end = TabCallback.Https("a.example", "/a b")),
        )) {
            assertEquals(surface, OpenedIn.read(surface.toText()))
        }
        for (text in listOf("", "auth_tab", "window chrome shared none", "auth_tab chrome shared")) {
            assertNull(text, OpenedIn.read(text))
        }
    }
}
