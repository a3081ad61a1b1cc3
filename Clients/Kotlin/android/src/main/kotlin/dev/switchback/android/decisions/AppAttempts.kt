package dev.switchback.android

import dev.switchback.AppLaunch

/** One link, and which app may open it. */
internal data class AppAttempt(
    val link: String,
    /** The only app that may open it. Null if any may. */
    val packageName: String?,
    /** Whether an app must open it, and no browser. */
    val isAppOnly: Boolean = false,
)

/** The ways to open the e-ID's app, in the order in which to try them. */
internal class AppAttempts(launch: AppLaunch, ownPackage: String) {
    /** What opens the app itself. */
    val attempts: List<AppAttempt>

    init {
        // A package of the server's that is this app would start one of this app's own screens.
        val target = launch.androidPackage?.takeIf { it.isNotEmpty() }
        val isOwn = target == ownPackage
        val universal = launch.universalLink?.takeIf { WebLinks.isHttps(it) && !isOwn }
        val custom = launch.customScheme?.takeIf { isAppScheme(it) && !isOwn }
        attempts = listOfNotNull(
            universal?.let { AppAttempt(it, target, isAppOnly = true) },
            custom?.let { AppAttempt(it, target) },
        )
    }

    companion object {
        /** Schemes that open no app of an e-ID: `intent:` can name any screen and extras, and the others read files. */
        private val FORBIDDEN = setOf(
            "intent", "android-app", "android.resource", "content", "file", "javascript", "data", "about", "blob", "http",
            "https", "tel", "sms", "smsto", "mailto", "market", "package",
        )
        private val SCHEME = Regex("[A-Za-z][A-Za-z0-9+.-]*")

        /** Whether a link may take the app's place: a web page or a page of the store. */
        fun isFallback(link: String): Boolean = WebLinks.isWeb(link) || link.startsWith("market:", ignoreCase = true)

        fun isAppScheme(link: String): Boolean {
            val scheme = link.substringBefore(":", "")
            return SCHEME.matches(scheme) && scheme.lowercase() !in FORBIDDEN
        }
    }
}
