package dev.switchback.android

import android.util.Log
import androidx.activity.ComponentActivity
import dev.switchback.AppLaunch
import dev.switchback.BrowserEnd
import dev.switchback.BrowserLaunch
import dev.switchback.LoginHost
import dev.switchback.Surface

/** One activity, as a login sees it. All methods are for the main thread, where the library calls them. */
internal class ActivityHost(private val activity: ComponentActivity, private val browsers: BrowserConnection) : LoginHost {
    val tabs: ActivityTabs = ActivityTabs(activity, browsers)

    override val name: String get() = tabs.name

    override val surface: Surface
        get() {
            val phone = browsers.browsers()
            val hasAuthTab = BrowserOpening.preferred(phone)?.hasAuthTab == true
            return if (hasAuthTab && !browsers.authTabFails) Surface.AuthSession else Surface.Tab
        }

    override val hasBrowser: Boolean get() = tabs.hasBrowser

    override fun choose(launch: BrowserLaunch, wanted: Surface?, earlier: String?): String? = BrowserOpening.choose(
        launch, browsers.browsers(), wanted, earlier?.let(OpenedIn::read), browsers.authTabFails,
    )?.surface?.toText()

    override fun openBrowser(launch: BrowserLaunch, chosen: String, isResumed: Boolean, ended: (BrowserEnd) -> Unit) {
        // A tab that is still above the activity continues automatically.
        if (isResumed && tabs.hasBrowser) return
        val surface = OpenedIn.read(chosen)
        if (surface == null || tabs.isGone) return ended(BrowserEnd.NotShown)
        browsers.warmUp(surface.browser)
        val problem = tabs.open(BrowserOpening(launch.url, surface)) { ended(end(it)) }
        if (problem != null) ended(BrowserEnd.misconfigured(problem))
    }

    override suspend fun openApp(launch: AppLaunch, ended: (BrowserEnd) -> Unit): Boolean {
        if (tabs.isGone) return true.also { ended(BrowserEnd.NotShown) }
        return AppAttempts(launch, activity.packageName).attempts.any { tabs.open(it) { gone -> ended(end(gone)) } }
    }

    override fun openFallback(link: String) {
        if (AppAttempts.isFallback(link)) tabs.open(AppAttempt(link, null)) {}
    }

    override fun closeBrowser(): Unit = tabs.close()

    /** What a login is told about the end of a tab. */
    fun end(end: TabEnd): BrowserEnd = when (end) {
        is TabEnd.Link -> BrowserEnd.link(end.link)
        TabEnd.Closed -> BrowserEnd.Closed
        TabEnd.NotVerified -> {
            browsers.authTabFails = true
            Log.w("Switchback", "The browser could not verify the host of the app's links. diagnose() says more.")
            BrowserEnd.Closed
        }
    }
}
