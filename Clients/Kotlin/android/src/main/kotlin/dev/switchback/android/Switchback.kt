package dev.switchback.android

import android.app.Activity
import android.app.Application
import android.content.Context
import android.content.pm.ApplicationInfo
import android.os.Bundle
import android.util.Log
import androidx.activity.ComponentActivity
import dev.switchback.LoginHost
import dev.switchback.LoginManager
import dev.switchback.LoginRequest
import dev.switchback.LoginResult
import dev.switchback.LoginState
import dev.switchback.Provider
import dev.switchback.ProvidersException
import dev.switchback.SessionClient
import dev.switchback.SwitchbackConfig
import java.util.WeakHashMap
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext

/**
 * Logs users in on Android: one call opens what the login needs, and returns its result.
 *
 * Create one when the app starts, and keep it: `Switchback.create(context, config)` in `Application.onCreate`. A login
 * outlives the call, the activity and the process. Each activity has a login of its own.
 */
public class Switchback private constructor(private val context: Context, private val config: SwitchbackConfig) {
    private val browsers = BrowserConnection(context)
    private val reader = PhoneReader(context, config.http)
    private val scope = CoroutineScope(SupervisorJob() + MainThread.dispatcher)
    private val hosts = WeakHashMap<ComponentActivity, ActivityHost>()

    /** The packages of the e-IDs' apps, by provider, as the server last said. */
    @Volatile
    private var packages: Map<String, List<String>> = emptyMap()

    /** The user's session on this phone. It is used only if the app begins one. */
    public val session: SessionClient by lazy { SessionClient(config, KeystoreDeviceKeys(context)) }

    /** The logins, for what this class has no shorter call for. */
    public val login: LoginManager by lazy { LoginManager(config) { session.thumbprint(it) } }

    // --- A login -------------------------------------------------------------------------------------------------------

    /**
     * Returns what logins open browsers over. It may be called at any time in an activity's life, and returns the same
     * host for the same activity. Call it on the main thread.
     */
    public fun host(activity: ComponentActivity): LoginHost = hosts.getOrPut(activity) {
        val host = ActivityHost(activity, browsers)
        host.tabs.endedUnseen = { login.browserEnded(host, host.end(it)) }
        host.tabs.destroyed = {
            hosts.remove(activity)
            if (hosts.isEmpty()) browsers.close()
        }
        browsers.warmUp(BrowserOpening.preferred(browsers.browsers())?.packageName)
        host
    }

    /**
     * Logs in over an activity, and returns when the login is over. The same request again joins the login that is
     * there, and another one replaces it. Cancelling the coroutine ends the waiting and not the login.
     */
    public suspend fun logIn(host: LoginHost, request: LoginRequest): LoginResult {
        if (request.isEidAppInstalled == null) {
            request.isEidAppInstalled = packages[request.provider]?.let(reader::isInstalled)
        }
        return login.logIn(host, request)
    }

    /**
     * Gives an activity the login that was under way in it when the app was killed, and returns what to show. Call it
     * at every start. A browser opens only if the server says that the login goes on in it.
     */
    public suspend fun resumed(host: LoginHost): LoginState {
        val names = withContext(MainThread.dispatcher) { hosts.values.map { it.name }.toSet() }
        return login.resumed(host, names - host.name)
    }

    /**
     * Returns the providers of the app, for the buttons.
     *
     * @throws ProvidersException if the server gives no list, and gave none before
     */
    @Throws(ProvidersException::class)
    public suspend fun providers(): List<Provider> =
        login.providers().also { list -> packages = list.associate { it.id to it.androidPackages } }

    /** Whether the e-ID's app is on this phone. Null if the phone cannot tell. */
    public fun isAppInstalled(provider: Provider): Boolean? = reader.isInstalled(provider.androidPackages)

    // --- A session -----------------------------------------------------------------------------------------------------

    /**
     * Signs out here at once. If there is no network, a job of the system tells the server later, even if the app is
     * killed. Returns whether the server was told already.
     */
    public suspend fun signOut(): Boolean = session.signOut(context, config.server, config.app)

    // --- What is set up ------------------------------------------------------------------------------------------------

    /**
     * Says what would break the first login on this phone, and writes it to the log of a debug build. It asks the server
     * for the providers, and the host of the app's links for its `assetlinks.json`.
     */
    public suspend fun diagnose(): List<Diagnosis> = withContext(Dispatchers.IO) {
        val problems = mutableListOf<Diagnosis>()
        val installable = try {
            providers().flatMap { it.androidPackages }
        } catch (error: ProvidersException) {
            problems += Diagnosis(Diagnosis.Kind.ProvidersUnknown, error.problem?.code ?: error.kind.code)
            emptyList()
        }
        problems += reader.facts(browsers.browsers(), installable, HardwareProbe.isInHardware(context)).diagnoses
        if (context.applicationInfo.flags and ApplicationInfo.FLAG_DEBUGGABLE != 0) {
            problems.forEach { Log.e("Switchback", it.toString()) }
        }
        problems
    }

    private fun begin() {
        ReturnedLinks.send { link -> scope.launch { login.handleReturn(link) } }
        (context as? Application)?.registerActivityLifecycleCallbacks(Foreground())
    }

    /** All activities together: one that stops must not end the polls of another. */
    private inner class Foreground : Application.ActivityLifecycleCallbacks {
        private var started = 0

        override fun onActivityCreated(activity: Activity, savedInstanceState: Bundle?) {}

        override fun onActivityStarted(activity: Activity) {
            started += 1
            if (started == 1) login.enteredForeground()
        }

        override fun onActivityResumed(activity: Activity) {}

        override fun onActivityPaused(activity: Activity) {}

        override fun onActivityStopped(activity: Activity) {
            started -= 1
            // Below a tab the app is in its task, and may go on for as long as the system lets it.
            val isBelowTab = hosts.values.any { it.hasBrowser }
            if (started == 0 && !activity.isChangingConfigurations && !isBelowTab) login.enteredBackground()
        }

        override fun onActivitySaveInstanceState(activity: Activity, outState: Bundle) {}

        override fun onActivityDestroyed(activity: Activity) {}
    }

    /** Creates the library. */
    public companion object {
        /**
         * Creates the library with this phone's network, browsers, files and Keystore. Create one when the app starts.
         * What [config] leaves out is filled in.
         */
        @JvmStatic
        public fun create(context: Context, config: SwitchbackConfig): Switchback {
            val application = context.applicationContext
            return Switchback(application, PhoneConfig.fill(config, application)).also { it.begin() }
        }
    }
}
