package dev.switchback.android

import dev.switchback.BrowserLaunch
import dev.switchback.Surface

/** A browser on the phone that opens Custom Tabs. */
internal data class InstalledBrowser(
    val packageName: String,
    val hasAuthTab: Boolean = false,
    val hasEphemeral: Boolean = false,
)

/** The browsers on the phone, and which one opens links. */
internal data class PhoneBrowsers(val installed: List<InstalledBrowser>, val default: String? = null) {
    /** Returns the browser with this package, or null if it is not installed. */
    operator fun get(packageName: String?): InstalledBrowser? =
        installed.firstOrNull { it.packageName == packageName }

    /** The browser of the user's choice, else any. */
    val anyBrowser: InstalledBrowser? get() = this[default] ?: installed.firstOrNull()
}

/** What to open now, and in what: the decision before any browser is opened. */
internal data class BrowserOpening(val url: String, val surface: OpenedIn) {
    companion object {
        /** The browsers that MitID allows for Custom Tabs, the better one first (docs/how-to/browsers.md). */
        val PREFERRED = listOf("com.android.chrome", "com.sec.android.app.sbrowser")

        /**
         * Decides what to open. Returns null for a URL that no browser should get.
         *
         * A login goes on in what it began in ([earlier]) while this phone has that browser. Else it gets what the app
         * asked for ([preference]) if the server lists it, and the first of the server's list that this phone has if
         * not. The browser is the first of the server's packages that is installed (`android_packages`).
         *
         * @param authTabFails whether the system could not verify the callback's host a moment ago
         */
        fun choose(
            launch: BrowserLaunch,
            phone: PhoneBrowsers,
            preference: Surface? = null,
            earlier: OpenedIn? = null,
            authTabFails: Boolean = false,
        ): BrowserOpening? {
            if (!WebLinks.isWeb(launch.url)) return null
            val kept = earlier?.let { again(it, phone, authTabFails) }
            return BrowserOpening(launch.url, kept ?: first(launch, phone, preference, authTabFails))
        }

        /** The browser of a login whose e-ID names none. */
        fun preferred(phone: PhoneBrowsers, wanted: List<String> = PREFERRED): InstalledBrowser? =
            wanted.firstNotNullOfOrNull { phone[it] } ?: phone.anyBrowser

        private fun again(earlier: OpenedIn, phone: PhoneBrowsers, authTabFails: Boolean): OpenedIn? {
            if (earlier.kind == OpenedIn.Kind.Browser) return earlier
            val browser = phone[earlier.browser] ?: return null
            val isAuthTab = earlier.kind == OpenedIn.Kind.AuthTab && browser.hasAuthTab && !authTabFails
            // A Custom Tab of the same browser has the same cookies.
            return if (isAuthTab && earlier.callback != null) earlier
            else earlier.copy(kind = OpenedIn.Kind.CustomTab, callback = null)
        }

        private fun first(
            launch: BrowserLaunch, phone: PhoneBrowsers, preference: Surface?, authTabFails: Boolean,
        ): OpenedIn {
            val browser = preferred(phone, launch.androidPackages.ifEmpty { PREFERRED })
            val callback = TabCallback.of(launch)
            val preferred = listOfNotNull(preference).filter { launch.surfaces.isEmpty() || it in launch.surfaces }
            for (surface in preferred + launch.surfaces) {
                when (surface) {
                    Surface.AuthSession -> if (browser?.hasAuthTab == true && callback != null && !authTabFails) {
                        val isEphemeral = launch.isEphemeral && browser.hasEphemeral
                        return OpenedIn(OpenedIn.Kind.AuthTab, browser.packageName, callback, isEphemeral)
                    }
                    Surface.System -> return OpenedIn(OpenedIn.Kind.Browser, null)
                    Surface.Tab -> if (browser != null) return customTab(launch, browser)
                }
            }
            return browser?.let { customTab(launch, it) } ?: OpenedIn(OpenedIn.Kind.Browser, null)
        }

        private fun customTab(launch: BrowserLaunch, browser: InstalledBrowser): OpenedIn = OpenedIn(
            OpenedIn.Kind.CustomTab, browser.packageName, isEphemeral = launch.isEphemeral && browser.hasEphemeral,
        )
    }
}

/** Which links are of the web. */
internal object WebLinks {
    private val WEB = Regex("https?://[^/?#\\s]+.*", setOf(RegexOption.IGNORE_CASE, RegexOption.DOT_MATCHES_ALL))

    /** Whether a browser may get the link: an Intent for any other could start something of this app. */
    fun isWeb(link: String): Boolean = WEB.matches(link)

    fun isHttps(link: String): Boolean = isWeb(link) && link.startsWith("https:", ignoreCase = true)
}
