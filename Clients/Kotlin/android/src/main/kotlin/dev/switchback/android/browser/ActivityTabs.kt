package dev.switchback.android

import android.app.Activity
import android.app.Application
import android.content.ActivityNotFoundException
import android.content.Intent
import android.net.Uri
import android.os.Build
import android.os.Bundle
import androidx.activity.ComponentActivity
import androidx.activity.result.ActivityResultLauncher
import androidx.activity.result.contract.ActivityResultContracts
import androidx.browser.auth.AuthTabIntent
import androidx.browser.customtabs.CustomTabsIntent
import java.util.UUID

/**
 * What logins open above one activity. All methods are for the main thread.
 *
 * It may be made at any time, also after the activity has started: it registers under keys of its own.
 */
internal class ActivityTabs(private val activity: ComponentActivity, private val browsers: BrowserConnection) {
    /** The name that the activity keeps when it is made anew, also after a kill. */
    var name: String = UUID.randomUUID().toString()
        private set
    private var watch = TabWatch()
    private var ended: ((TabEnd) -> Unit)? = null
    private val launcher: ActivityResultLauncher<Intent>

    /** Called when what was open is gone, and the one who opened it is not there any more: after a kill. */
    var endedUnseen: (TabEnd) -> Unit = {}

    /** Called when the activity is destroyed. */
    var destroyed: () -> Unit = {}

    /** Whether the activity is gone, so that nothing can be opened above it. */
    val isGone: Boolean get() = activity.isDestroyed || activity.isFinishing

    init {
        activity.savedStateRegistry.registerSavedStateProvider(KEY) {
            Bundle().apply {
                putString("name", name)
                putString("watch", watch.toText())
            }
        }
        if (activity.savedStateRegistry.isRestored) {
            restore()
        } else {
            activity.addOnContextAvailableListener { restore() }
        }
        launcher = activity.activityResultRegistry.register(
            "$KEY.authTab", ActivityResultContracts.StartActivityForResult(),
        ) { result -> report(TabEnd.of(result.resultCode, result.data?.dataString)) }
        activity.application.registerActivityLifecycleCallbacks(Lifecycle())
    }

    private fun restore() {
        val saved = activity.savedStateRegistry.consumeRestoredStateForKey(KEY) ?: return
        saved.getString("name")?.let { name = it }
        watch = TabWatch.read(saved.getString("watch"))
    }

    /** Whether a browser or the e-ID's app is above the activity. */
    val hasBrowser: Boolean get() = watch.isOpen

    /**
     * Opens a browser in place of the one that is there, and reports once when it is gone. Returns null, or what the
     * system says if nothing on this phone can show the page.
     */
    fun open(opening: BrowserOpening, ended: (TabEnd) -> Unit): String? {
        val surface = opening.surface
        val uri = Uri.parse(opening.url)
        this.ended = ended
        watch = watch.opened()
        val problem = attempt {
            when (surface.kind) {
                OpenedIn.Kind.AuthTab -> openAuthTab(surface, uri)
                OpenedIn.Kind.CustomTab -> openCustomTab(surface, uri)
                OpenedIn.Kind.Browser -> activity.startActivity(view(uri).addCategory(Intent.CATEGORY_BROWSABLE))
            }
        }
        if (problem != null) {
            watch = watch.gone()
            this.ended = null
        }
        return problem
    }

    private fun openAuthTab(surface: OpenedIn, uri: Uri) {
        val tab = AuthTabIntent.Builder().setEphemeralBrowsingEnabled(surface.isEphemeral).build()
        // Without it the user's default browser opens, which may be none that the e-ID supports.
        tab.intent.setPackage(surface.browser)
        when (val callback = surface.callback) {
            is TabCallback.Https -> tab.launch(launcher, uri, callback.host, callback.path)
            is TabCallback.Scheme -> tab.launch(launcher, uri, callback.scheme)
            null -> openCustomTab(surface, uri)
        }
    }

    private fun openCustomTab(surface: OpenedIn, uri: Uri) {
        val builder = CustomTabsIntent.Builder(browsers.session(surface.browser))
            // Users must see where they are.
            .setUrlBarHidingEnabled(false).setShareState(CustomTabsIntent.SHARE_STATE_OFF)
        if (surface.isEphemeral) builder.setEphemeralBrowsingEnabled(true)
        val tab = builder.build()
        tab.intent.setPackage(surface.browser)
        tab.intent.putExtra(
            "android.support.customtabs.extra.KEEP_ALIVE", Intent(activity, SwitchbackKeepAliveService::class.java),
        )
        tab.launchUrl(activity, uri)
    }

    /** Opens a link in another app. Returns false if no app takes it. */
    fun open(attempt: AppAttempt, ended: (TabEnd) -> Unit): Boolean {
        val intent = view(Uri.parse(attempt.link)).addCategory(Intent.CATEGORY_BROWSABLE).setPackage(attempt.packageName)
        if (attempt.isAppOnly && Build.VERSION.SDK_INT >= 30) intent.addFlags(Intent.FLAG_ACTIVITY_REQUIRE_NON_BROWSER)
        if (attempt { activity.startActivity(intent) } != null) return false
        this.ended = ended
        watch = watch.opened()
        return true
    }

    private fun view(uri: Uri) = Intent(Intent.ACTION_VIEW, uri)

    private fun attempt(start: () -> Unit): String? =
        try {
            start()
            null
        } catch (error: ActivityNotFoundException) {
            error.message ?: "no activity opens this link"
        } catch (error: SecurityException) {
            error.message ?: "this app may not open this link"
        }

    /** Closes the tab above the activity, by bringing the activity to the front of its task. */
    fun close() {
        ended = null
        val wasOpen = watch.isOpen
        watch = watch.gone()
        if (!wasOpen || activity.isFinishing) return
        val back = Intent(activity, activity.javaClass)
            .addFlags(Intent.FLAG_ACTIVITY_CLEAR_TOP or Intent.FLAG_ACTIVITY_SINGLE_TOP)
        attempt { activity.startActivity(back) }
    }

    private fun report(end: TabEnd) {
        if (!watch.isOpen) return
        watch = watch.gone()
        val ended = this.ended
        this.ended = null
        if (ended != null) ended(end) else endedUnseen(end)
    }

    private inner class Lifecycle : Application.ActivityLifecycleCallbacks {
        override fun onActivityCreated(activity: Activity, savedInstanceState: Bundle?) {}

        override fun onActivityStarted(activity: Activity) {}

        override fun onActivityResumed(activity: Activity) {
            if (activity !== this@ActivityTabs.activity || !watch.isGoneOnResume) return
            // The result of an Auth Tab, which says more, comes in the same start.
            MainThread.executor.execute { if (watch.isGoneOnResume) report(TabEnd.Closed) }
        }

        override fun onActivityPaused(activity: Activity) {}

        override fun onActivityStopped(activity: Activity) {
            if (activity === this@ActivityTabs.activity) watch = watch.stopped()
        }

        override fun onActivitySaveInstanceState(activity: Activity, outState: Bundle) {}

        override fun onActivityDestroyed(activity: Activity) {
            if (activity !== this@ActivityTabs.activity) return
            activity.application.unregisterActivityLifecycleCallbacks(this)
            launcher.unregister()
            ended = null
            destroyed()
        }
    }

    private companion object {
        const val KEY = "dev.switchback"
    }
}
