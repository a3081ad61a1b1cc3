package dev.switchback.android

import dev.switchback.BrowserLaunch

/** The link that ends an Auth Tab. */
internal sealed class TabCallback {
    data class Https(val host: String, val path: String) : TabCallback()

    data class Scheme(val scheme: String) : TabCallback()

    companion object {
        private val HTTPS = Regex("https://([A-Za-z0-9.-]+)(/[^?#]*)?", RegexOption.IGNORE_CASE)
        private val SCHEME = Regex("[A-Za-z][A-Za-z0-9+.-]{0,199}")

        /** Reads what the server says. Null if it named nothing that a browser takes. */
        fun of(launch: BrowserLaunch): TabCallback? {
            launch.callback?.let { HTTPS.matchEntire(it) }?.let { link ->
                return Https(link.groupValues[1], link.groupValues[2].ifEmpty { "/" })
            }
            val scheme = launch.callbackScheme?.takeIf { SCHEME.matches(it) }?.lowercase() ?: return null
            return if (scheme == "http" || scheme == "https") null else Scheme(scheme)
        }
    }
}

/**
 * What a login was opened in, as it is stored: a browser knows a login by its cookies, so a login that goes on in
 * another one is lost.
 */
internal data class OpenedIn(
    val kind: Kind,
    /** The browser. Null if the phone named none, and its default opened. */
    val browser: String?,
    /** What ends an Auth Tab; null for every other kind. */
    val callback: TabCallback? = null,
    /** Whether the tab shares no cookies with the browser. */
    val isEphemeral: Boolean = false,
) {
    enum class Kind(val code: String) { AuthTab("auth_tab"), CustomTab("custom_tab"), Browser("browser") }

    /** The text that is stored. It has no link and no secret. */
    fun toText(): String {
        val end = when (callback) {
            is TabCallback.Https -> "https ${callback.host} ${callback.path}"
            is TabCallback.Scheme -> "scheme ${callback.scheme}"
            null -> "none"
        }
        return listOf(kind.code, browser ?: "-", if (isEphemeral) "ephemeral" else "shared", end).joinToString(" ")
    }

    companion object {
        /** Reads what [toText] wrote. Null for what cannot be read. */
        fun read(text: String): OpenedIn? {
            val words = text.split(" ")
            if (words.size < 4) return null
            val kind = Kind.entries.firstOrNull { it.code == words[0] } ?: return null
            val callback = when {
                words[3] == "https" && words.size >= 6 -> TabCallback.Https(words[4], words.drop(5).joinToString(" "))
                words[3] == "scheme" && words.size == 5 -> TabCallback.Scheme(words[4])
                else -> null
            }
            return OpenedIn(kind, words[1].takeIf { it != "-" }, callback, words[2] == "ephemeral")
        }
    }
}
