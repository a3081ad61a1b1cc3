package dev.switchback.android

import dev.switchback.AppLaunch
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test

/** The smaller decisions: e-IDs' apps, the ends of tabs, links that return, and whether a tab is gone. */
class DecisionTests {
    private val own = "com.example.shop"

    @Test
    fun `an app is opened by the server's package, and never by an intent or in this app`() {
        val universal = "https://appswitch.mitid.dk/?t=1"
        val scheme = "bankid:///?autostarttoken=1"
        for ((launch, expected) in listOf(
            AppLaunch(universal, null, "dk.mitid.app.android") to
                listOf(AppAttempt(universal, "dk.mitid.app.android", isAppOnly = true)),
            AppLaunch(universal, scheme, "com.bankid.bus") to listOf(
                AppAttempt(universal, "com.bankid.bus", isAppOnly = true), AppAttempt(scheme, "com.bankid.bus"),
            ),
            AppLaunch(universal) to listOf(AppAttempt(universal, null, isAppOnly = true)),
            AppLaunch(universal, androidPackage = "") to listOf(AppAttempt(universal, null, isAppOnly = true)),
            AppLaunch(null, scheme) to listOf(AppAttempt(scheme, null)),
            AppLaunch(universal, scheme, own) to emptyList(),
            AppLaunch("http://appswitch.mitid.dk/") to emptyList(),
            AppLaunch("intent://x#Intent;component=com.example.shop/.Admin;end") to emptyList(),
        ) + listOf(
            "intent:#Intent;component=com.example.shop/.Admin;end", "INTENT://x#Intent;end", "android-app://com.example.shop",
            "content://com.example.shop/x", "file:///data/x", "javascript:x", "https://x.example", "tel:1", "market://x",
            "no link", ":", "",
        ).map { AppLaunch(null, it) to emptyList() }) {
            assertEquals("${launch.universalLink} ${launch.customScheme}", expected, AppAttempts(launch, own).attempts)
        }
    }

    @Test
    fun `a page or a store takes an app's place, and nothing else does`() {
        for ((link, expected) in listOf(
            "https://e-id.example" to true, "http://e-id.example" to true, "market://details?id=x" to true,
            "intent://x#Intent;end" to false, "marketing://x" to false, "javascript:x" to false, "" to false,
        )) {
            assertEquals(link, expected, AppAttempts.isFallback(link))
        }
    }

    @Test
    fun `only a link that came back is the end of an Auth Tab`() {
        for ((code, link, expected) in listOf(
            Triple(-1, "https://link.example.com/r/1?c=%2F", TabEnd.Link("https://link.example.com/r/1?c=%2F")),
            Triple(-1, null, TabEnd.Closed), Triple(-1, "", TabEnd.Closed), Triple(0, null, TabEnd.Closed),
            Triple(0, "https://link.example.com/r/1", TabEnd.Closed), Triple(1, null, TabEnd.Closed),
            Triple(2, null, TabEnd.NotVerified), Triple(3, null, TabEnd.NotVerified),
            Triple(-2, null, TabEnd.Closed), Triple(99, "https://x.example", TabEnd.Closed),
        )) {
            assertEquals("$code $link", expected, TabEnd.of(code, link))
        }
    }

    @Test
    fun `the return activity takes links that were tapped, byte for byte`() {
        val view = "android.intent.action.VIEW"
        val link = "https://Link.example.com/r/a%2Fb?x=ø#1"
        for ((action, data, expected) in listOf(
            Triple(view, link, link), Triple(view, "com.example.shop:/r/1", "com.example.shop:/r/1"),
            Triple("android.intent.action.MAIN", link, null), Triple(null, link, null), Triple(view, null, null),
            Triple(view, "", null), Triple(view, "nothing", null), Triple(view, "https://x/" + "a".repeat(65_536), null),
        )) {
            assertEquals(expected, ReturnLinks.link(action, data))
        }
    }

    @Test
    fun `a tab is gone when the activity that was behind it is in front`() {
        val opened = TabWatch().opened()
        assertFalse("it appears after this resume", opened.isGoneOnResume)
        assertTrue(opened.stopped().isGoneOnResume)
        assertFalse(opened.stopped().gone().isGoneOnResume)
        assertFalse("nothing was open", TabWatch().stopped().isGoneOnResume)
        assertFalse("another one was opened", opened.stopped().opened().isGoneOnResume)
        // After a kill the activity is made anew, in front.
        assertTrue(TabWatch.read(opened.toText()).isGoneOnResume)
        assertTrue(TabWatch.read(opened.stopped().toText()).isGoneOnResume)
        for (text in listOf(null, "", "closed unseen", TabWatch().toText(), "nonsense")) {
            assertFalse("$text", TabWatch.read(text).isGoneOnResume)
        }
    }

    @Test
    fun `what a browser would not take is no link of the web`() {
        assertNull(BrowserOpening.choose(dev.switchback.BrowserLaunch("x"), PhoneBrowsers(emptyList())))
        assertTrue(WebLinks.isHttps("HTTPS://a"))
        assertFalse(WebLinks.isHttps("http://a"))
    }
}
