package dev.switchback

/** What to open in a browser, and in which one. It prints without its URL. */
public class BrowserLaunch(
    /** The URL to open, byte for byte as the server sent it. */
    public val url: String,
    /** What to open it in, the best first. Surfaces that this version does not know are left out. */
    public val surfaces: List<Surface> = emptyList(),
    /** The https link that ends an auth session, or null. */
    public val callback: String? = null,
    /** The scheme that ends an auth session, or null. */
    public val callbackScheme: String? = null,
    /** Whether the browser should share no cookies with its other tabs. */
    public val isEphemeral: Boolean = false,
    /** The Android browsers that work, the best first; empty if all do. */
    public val androidPackages: List<String> = emptyList(),
) {
    private val all: List<Any?> get() = listOf(url, surfaces, callback, callbackScheme, isEphemeral, androidPackages)

    override fun equals(other: Any?): Boolean = other is BrowserLaunch && other.all == all

    override fun hashCode(): Int = all.hashCode()

    /** The surfaces only: the URL belongs to the user. */
    override fun toString(): String = "BrowserLaunch($surfaces)"

    internal companion object {
        fun read(json: JsonValue?): BrowserLaunch? {
            val url = json?.get("url")?.string?.takeIf(Links::isLink) ?: return null
            return BrowserLaunch(
                url, json["surfaces"]?.strings.orEmpty().mapNotNull(Surface::of), json["callback"]?.string,
                json["callback_scheme"]?.string, json["ephemeral"]?.boolean ?: false,
                json["android_packages"]?.strings.orEmpty(),
            )
        }
    }
}

/** The ways to open the e-ID's app. A link that cannot be parsed is left out. It prints without its links. */
public class AppLaunch(
    /** An https link that opens it, or null. */
    public val universalLink: String? = null,
    /** A link with the app's own scheme, or null. */
    public val customScheme: String? = null,
    /** The package name on Android, or null. */
    public val androidPackage: String? = null,
    /** The store page of the app, or null. */
    public val storeUrl: String? = null,
    /** What to open in a browser if the app is not installed, or null. */
    public val fallback: String? = null,
    /** How many seconds the links are good for, counted from the response; null if the server does not say. */
    public val expiresIn: Long? = null,
) {
    private val all: List<Any?>
        get() = listOf(universalLink, customScheme, androidPackage, storeUrl, fallback, expiresIn)

    override fun equals(other: Any?): Boolean = other is AppLaunch && other.all == all

    override fun hashCode(): Int = all.hashCode()

    /** Identifies this authorization start: the same links mean the same one. */
    internal val name: String
        get() = universalLink ?: customScheme ?: androidPackage ?: storeUrl ?: fallback ?: ""

    /** The package only: the links belong to the user. */
    override fun toString(): String = "AppLaunch($androidPackage)"

    internal companion object {
        fun read(json: JsonValue?): AppLaunch? {
            fun link(name: String) = json?.get(name)?.string?.takeIf(Links::isLink)
            val launch = AppLaunch(
                link("universal_link"), link("custom_scheme"), json?.get("android_package")?.string, link("store_url"),
                link("fallback"), json?.get("expires_in")?.long?.coerceAtLeast(0),
            )
            return launch.takeIf { it.name.isNotEmpty() }
        }
    }
}

/** What an app opens links in. */
public class Surface private constructor(code: String) : Coded(code) {
    /** Those that this version knows. */
    public companion object {
        /** An Auth Tab, or `ASWebAuthenticationSession` on iOS. */
        @JvmField
        public val AuthSession: Surface = Surface("auth_session")

        /** A Custom Tab, or `SFSafariViewController` on iOS. */
        @JvmField
        public val Tab: Surface = Surface("tab")

        /** The system's browser. */
        @JvmField
        public val System: Surface = Surface("system")

        /** Returns the surface with this code, or null for one that this version does not know. */
        @JvmStatic
        public fun of(code: String): Surface? = listOf(AuthSession, Tab, System).firstOrNull { it.code == code }
    }
}

/** Links stay texts, and are passed on byte for byte. This only says whether one can be a link at all. */
internal object Links {
    private val SCHEME = Regex("^[A-Za-z][A-Za-z0-9+.-]*:")

    /**
     * Whether a platform can make a URL of a text (RFC 3986 §3). It is more tolerant than `java.net.URI`, which
     * refuses characters that browsers take.
     */
    fun isLink(text: String): Boolean {
        val scheme = SCHEME.find(text) ?: return false
        if (text.any { it <= ' ' || it == '\u007F' }) return false
        val rest = text.substring(scheme.range.last + 1)
        if (!rest.startsWith("//")) return rest.isNotEmpty()
        val authority = rest.drop(2).takeWhile { it !in "/?#" }
        val host = authority.substringAfterLast('@')
        return ('[' in host || ']' in host).not() || Regex("""\[[0-9A-Fa-f:.]+](:\d*)?""").matches(host)
    }
}
