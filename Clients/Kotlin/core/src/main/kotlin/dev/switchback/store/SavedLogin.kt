package dev.switchback

import java.security.SecureRandom
import java.util.UUID

/**
 * A login as it is stored: all that is needed to resume it after the app was killed.
 *
 * It contains the poll secret, which gives access to the login's result, so it prints as its id only.
 */
internal data class SavedLogin(
    /** Its id in the store. It means nothing elsewhere. */
    val id: String,
    /** The body of the create without its secret. A repeated create must be the same, or the server refuses it. */
    val request: JsonValue,
    /** What proves whose login it is (rule 1): 43 characters of base64url. */
    val secret: Secret,
    /** When the login started, in milliseconds since 1970 by the wall clock. */
    val startedAt: Long,
    /** The login's id at the server, once the server has responded. */
    val login: String? = null,
    val reference: String? = null,
    val returnPrefixes: List<String> = emptyList(),
    /** Whether the app has the result safe, so that the server may delete it. */
    val isAcknowledged: Boolean = false,
    /** Whether the user has given up, and the server has not heard it yet. */
    val isCancelling: Boolean = false,
    /** What browsers and apps were opened with, so that nothing is opened twice. */
    val opened: List<String> = emptyList(),
    /** The links that opened the app and are not handed in yet. */
    val links: List<String> = emptyList(),
    /** The secret of the login that the user has left for this one. It is in the body of the create, too. */
    val replaces: Secret? = null,
) {
    /**
     * Whether the server never responded, and the login is more than ten minutes old. No browser was ever opened for
     * it, and the user no longer expects one.
     */
    fun isStale(today: Long): Boolean = login == null && Math.abs(today - startedAt) > 600_000

    /** Whether a link starts with one of the login's prefixes (rule 3). It compares bytes and normalizes nothing. */
    fun accepts(link: String): Boolean = returnPrefixes.any { link.startsWith(it) }

    /** Whether the login was opened in the system's browser, behind which the app is in the background. */
    val isInSystemBrowser: Boolean get() = request["surface"]?.string == Surface.System.code

    fun toBytes(): ByteArray = JsonValue.of(
        "id" to JsonValue.of(id), "request" to request, "secret" to JsonValue.of(secret.exposed),
        "started_at" to JsonValue.of(startedAt), "login" to login?.let { JsonValue.of(it) },
        "reference" to reference?.let { JsonValue.of(it) }, "return_prefixes" to JsonValue.texts(returnPrefixes),
        "is_acknowledged" to JsonValue.of(isAcknowledged), "is_cancelling" to JsonValue.of(isCancelling),
        "opened" to JsonValue.texts(opened), "links" to JsonValue.texts(links),
        "replaces" to replaces?.let { JsonValue.of(it.exposed) },
    ).toBytes()

    override fun toString(): String = "SavedLogin($id)"

    companion object {
        /** Reads what [toBytes] wrote. Null for what cannot be used. */
        fun read(bytes: ByteArray): SavedLogin? {
            val json = JsonValue.parse(bytes) ?: return null
            return SavedLogin(
                json["id"]?.string?.takeIf(Login::isId) ?: return null,
                json["request"]?.takeIf { it.members != null } ?: return null,
                json["secret"]?.string?.takeIf(::isPollSecret)?.let(::Secret) ?: return null,
                json["started_at"]?.long ?: return null,
                json["login"]?.string?.takeIf(Login::isId), json["reference"]?.string,
                json["return_prefixes"]?.strings.orEmpty().filter { it.isNotEmpty() },
                json["is_acknowledged"]?.boolean ?: false, json["is_cancelling"]?.boolean ?: false,
                json["opened"]?.strings.orEmpty(), json["links"]?.strings.orEmpty(),
                json["replaces"]?.string?.takeIf(::isPollSecret)?.let(::Secret),
            )
        }

        fun isPollSecret(text: String): Boolean = text.length == 43 && Base64Url.isBase64Url(text)

        /** Makes a login that was not sent yet. */
        fun new(request: JsonValue, secret: Secret, today: Long, replaces: Secret? = null): SavedLogin =
            SavedLogin(UUID.randomUUID().toString(), request, secret, today, replaces = replaces)

        /** Makes a secret: 32 random bytes. */
        fun newSecret(random: SecureRandom): Secret = Secret(Base64Url.encode(ByteArray(32).also(random::nextBytes)))
    }
}
