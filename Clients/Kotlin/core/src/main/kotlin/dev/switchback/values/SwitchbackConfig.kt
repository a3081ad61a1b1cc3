package dev.switchback

import java.util.Locale
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/**
 * What the library needs to know about the server, the app and the phone. On Android, `switchback-android` fills in
 * what the phone knows.
 */
public class SwitchbackConfig(
    /** The server's `public_url`. */
    public val server: String,
    /** The app's name in the server's configuration. */
    public val app: String,
) {
    /** Gets what the library does. No event has a secret. */
    public var logger: Logger = Logger.None

    /** Sends the requests. */
    public var http: HttpEngine = HttpEngine.UrlConnection

    /** Keeps logins and sessions. [LoginManager] needs one; on Android there is a default. */
    public var store: SecretStore? = null

    /**
     * Whether the device's maker attests the key of a session (`apps.*.attestation` of the server). Each login that
     * comes before a session then gets a key of its own.
     */
    public var attestation: Boolean = false

    /** The clocks of the device. */
    public var clock: Clock = Clock.System

    /** What logins are opened in. Null means the best that the phone has. */
    public var surface: Surface? = null

    /** `android`, or what else the app runs on: `ios` or `web`. */
    public var platform: String = "android"

    /** The user's languages as BCP 47 tags, the first one first. */
    public var languages: () -> List<String> = { listOf(Locale.getDefault().toLanguageTag()) }

    /** Where [LoginHost] is called: on Android the main thread. */
    public var callbacks: CoroutineContext = EmptyCoroutineContext

    /** Name and version of the system, such as `android 15`, for `User-Agent`. */
    public var system: String = ClientVersion.virtualMachine

    /** The app's id, such as `com.example.shop`, for `User-Agent`. Null if there is none. */
    public var appId: String? = null

    /** The app's version, such as `4.2`, for `User-Agent`. Null if it has none. */
    public var appVersion: String? = null

    internal val userAgent: String get() = ClientVersion.userAgent(system, appId, appVersion)
}
