package dev.switchback

/**
 * A window or activity of the app, as a login sees it: what opens browsers and apps. `switchback-android` has one for
 * activities; a test has one of its own.
 *
 * All methods are called in [SwitchbackConfig.callbacks], one after the other. None may block.
 */
public interface LoginHost {
    /** The name that the host keeps when it is made anew, also after the app was killed. */
    public val name: String

    /** What a new login is opened in, if neither the app nor its request says. */
    public val surface: Surface

    /** Whether a browser of a login is on top of the host. */
    public val hasBrowser: Boolean

    /**
     * Chooses what to open a page in, before anything is opened. The result is stored, since a browser knows a login by
     * its cookies, and the login must go on in the same one. It says nothing about the login, and has no link.
     *
     * @param wanted what the app asked for, or null
     * @param earlier what this returned for the same login before, perhaps in an earlier process; null for a new start
     * @return at most 1000 characters of the host's own, or null if no browser may get this URL
     */
    public fun choose(launch: BrowserLaunch, wanted: Surface?, earlier: String?): String?

    /**
     * Opens the page in what was chosen, in place of a browser that is there, and reports once when that is gone. If
     * [closeBrowser] has closed it, nothing is reported.
     *
     * @param isResumed whether to bring the browser to the front in which the login began (`resume_browser`): the page
     *   is only for a browser that is gone
     */
    public fun openBrowser(launch: BrowserLaunch, chosen: String, isResumed: Boolean, ended: (BrowserEnd) -> Unit)

    /** Opens the e-ID's app, and neither a browser nor the store. Returns false if it is not there. */
    public suspend fun openApp(launch: AppLaunch, ended: (BrowserEnd) -> Unit): Boolean

    /** Opens the web page in place of the e-ID's app, or its page in the store: the user wanted it. */
    public fun openFallback(link: String)

    /** Closes the browser, if one is there. */
    public fun closeBrowser()
}

/** What it means that a browser of a login is gone. */
public class BrowserEnd private constructor(
    code: String,
    internal val link: String? = null,
    internal val systemMessage: String? = null,
) : Coded(code) {
    /** The ends that there are. */
    public companion object {
        /** The user or an app switch closed it; the phone does not say which. It is not the user's Cancel. */
        @JvmField
        public val Closed: BrowserEnd = BrowserEnd("closed")

        /** The system could not show it, because the host was gone or not in front. Nothing is wrong with the login. */
        @JvmField
        public val NotShown: BrowserEnd = BrowserEnd("not_shown")

        /** It ended at a link to the app, byte for byte. */
        @JvmStatic
        public fun link(link: String): BrowserEnd = BrowserEnd("link", link = link)

        /** The app is not set up, and this is what the system says about it. It would fail again every time. */
        @JvmStatic
        public fun misconfigured(systemMessage: String): BrowserEnd =
            BrowserEnd("misconfigured", systemMessage = systemMessage)
    }
}
