package dev.switchback

/**
 * The login resource of the API: a login as the server last reported it.
 *
 * Members that this version does not know are ignored. Missing members have a harmless value.
 */
internal class Login private constructor(val id: String, status: String, json: JsonValue, now: Long) {
    val status: LoginStatus = LoginStatus.read(status, json["final"]?.boolean)

    /** A number that rises with every change that an app can act on. */
    val version: Long = json["version"]?.long ?: 0
    val app: String = json["app"]?.string ?: ""
    val provider: String = json["provider"]?.string ?: ""

    /** Eight letters and digits that the user can read out to support. They are not secret. */
    val reference: String = json["reference"]?.string ?: ""

    /** When the login, or its result, expires, by this device's own clock in milliseconds. */
    val expiresAt: Long = now + (json["expires_in"]?.long ?: 0).coerceIn(0, 1_000_000_000) * 1000

    /** A link that opens the app and starts with one of these belongs to a login. An empty one would match all. */
    val returnPrefixes: List<String> = json["return_prefixes"]?.strings.orEmpty().filter { it.isNotEmpty() }
    val poll: PollHints = PollHints(json["poll"])
    val next: NextAction = if (isFinal) NextAction.Wait else NextAction.read(json["next"])

    /** Shows the page again if its browser is gone, while the page has a button to press or a code to read. */
    val page: BrowserLaunch? = BrowserLaunch.read(json["next"]).takeIf { next.isOnPage }

    val identity: Identity? = if (isCompleted) Identity.read(json["identity"]) else null
    val assertion: Secret? = if (isCompleted) json["assertion"]?.string?.let(::Secret) else null

    /** Which same-device proof the server accepted. */
    val proof: String? = json["proof"]?.string
    val registration: Registration? = if (isCompleted) Registration.read(json["registration"]) else null

    /** The code of why the login did not complete, and whether a new login may succeed. */
    val reason: String? = json["reason"]?.get("code")?.string
    val isRetryable: Boolean = json["reason"]?.get("retryable")?.boolean ?: false

    /** What the broker reports about the e-ID's app. Null when the login is final. */
    val hint: String? = if (isFinal) null else json["hint"]?.string

    /** Whether `next` is `wait` only because nothing in it can be opened. */
    val isNextUnreadable: Boolean =
        !isFinal && next == NextAction.Wait && json["next"]?.get("action")?.string in NextAction.OPENING

    val isFinal: Boolean get() = status.isFinal
    private val isCompleted: Boolean get() = status == LoginStatus.Completed

    /**
     * The value of `If-None-Match` that names this state. It comes from the body, because a proxy that compresses may
     * change the `ETag`. Null if the server named no version.
     */
    val validator: String? get() = if (version > 0) "W/\"$version\"" else null

    companion object {
        /** Reads the body of a response; null when it is not from Switchback. */
        fun read(body: ByteArray, now: Long): Login? {
            val json = JsonValue.parse(body) ?: return null
            val id = json["id"]?.string?.takeIf(::isId) ?: return null
            return json["status"]?.string?.let { Login(id, it, json, now) }
        }

        /** Whether a text is safe as part of a path: 1 to 64 characters of base64url. */
        fun isId(text: String): Boolean = text.length in 1..64 && Base64Url.isBase64Url(text)
    }
}

/**
 * How the server wants to be polled. The values are kept within bounds, so that a mistake at the server causes neither
 * a storm of requests nor silence.
 */
internal class PollHints(json: JsonValue?) {
    /** The longest time, in seconds, that the server holds a long poll. */
    val wait: Long = (json?.get("wait")?.long ?: 25).coerceIn(0, 60)

    /** The milliseconds between two polls that do not wait. */
    val interval: Long = (json?.get("interval")?.long ?: 2).coerceIn(1, 60) * 1000

    /** The milliseconds to wait before the next poll. */
    val after: Long = (json?.get("after_ms")?.long ?: 0).coerceIn(0, 60_000)
}

/**
 * How far a login has come. A status that this version does not know reads as `pending` while the login is not final,
 * and as `failed` when it is: the server's word decides (`final`), and not the name of the status.
 */
internal enum class LoginStatus(val code: String, val isFinal: Boolean) {
    Pending("pending", false),
    Exchanging("exchanging", false),
    AwaitingReturn("awaiting_return", false),
    Completed("completed", true),
    Failed("failed", true),
    Cancelled("cancelled", true),
    Expired("expired", true);

    companion object {
        /** `isFinal` is the server's word, and null if it said nothing. */
        fun read(text: String, isFinal: Boolean?): LoginStatus {
            val status = entries.firstOrNull { it.code == text }
            val isEnd = isFinal ?: status?.isFinal ?: false
            return status?.takeIf { it.isFinal == isEnd } ?: if (isEnd) Failed else Pending
        }
    }
}

/** What to do now (rule 2). One that this version does not know reads as `wait`, and so does one that opens no URL. */
internal sealed class NextAction(val code: String) {
    data class OpenBrowser(override val browser: BrowserLaunch) : NextAction("open_browser")

    /** Bring the same browser to the front. Only if it is gone, open another one of the same kind. */
    data class ResumeBrowser(override val browser: BrowserLaunch) : NextAction("resume_browser")

    /** The user has to press a button of the page, or to read its code. */
    object ShowBrowser : NextAction("show_browser")

    data class OpenApp(override val app: AppLaunch) : NextAction("open_app")

    /** Ask for the six digits on the page. */
    object EnterCode : NextAction("enter_code")

    object Wait : NextAction("wait")

    open val browser: BrowserLaunch? get() = null
    open val app: AppLaunch? get() = null

    /** Whether a browser or an app has to be opened. */
    val opensSomething: Boolean get() = this is OpenBrowser || this is OpenApp
    val isOnPage: Boolean get() = this == ShowBrowser || this == EnterCode

    companion object {
        /** The codes of the actions that this version knows, besides `wait`. */
        val NAMES = listOf("open_browser", "resume_browser", "show_browser", "open_app", "enter_code")
        val OPENING = listOf("open_browser", "resume_browser", "open_app")

        fun read(json: JsonValue?): NextAction = when (json?.get("action")?.string) {
            "open_browser" -> BrowserLaunch.read(json)?.let(::OpenBrowser)
            "resume_browser" -> BrowserLaunch.read(json)?.let(::ResumeBrowser)
            "show_browser" -> ShowBrowser
            "open_app" -> AppLaunch.read(json)?.let(::OpenApp)
            "enter_code" -> EnterCode
            else -> null
        } ?: Wait
    }
}
