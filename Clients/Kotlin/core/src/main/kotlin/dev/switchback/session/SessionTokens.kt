package dev.switchback

/** What the server gives when a session begins or renews. */
internal class SessionTokens private constructor(
    /** Null in a renewal that does not repeat it. */
    val session: String?,
    /** Null when a session begins later than 15 minutes after its login. A renewal gives one. */
    val accessToken: Secret?,
    /** Whether the token is bound to the key. */
    val isBound: Boolean,
    /** In milliseconds. */
    val lifetime: Long,
    /** Null when the server allows no renewal. */
    val refreshToken: Secret?,
    /** Whether a PIN is set. Null when the session can have none. */
    val hasPin: Boolean?,
) {
    companion object {
        /** Reads the body of a response; null when it is not from Switchback. */
        fun read(body: ByteArray): SessionTokens? {
            val json = JsonValue.parse(body) ?: return null
            val type = json["token_type"]?.string ?: return null
            val token = json["access_token"]?.string
            val isUsable =
                if (token == null) json["access_token"] == null && json["refresh_token"]?.string != null
                else token.isNotEmpty() && token.all { it in '!'..'~' }
            if (!isUsable) return null
            return SessionTokens(
                json["session_id"]?.string?.takeIf(::isSessionId), token?.let(::Secret), type.lowercase() == "dpop",
                (json["expires_in"]?.long ?: 0).coerceIn(0, 3600) * 1000, json["refresh_token"]?.string?.let(::Secret),
                json["pin"]?.boolean,
            )
        }
    }
}

/** Whether a text may be the id of a session, so that it can be a part of a path. */
internal fun isSessionId(text: String): Boolean = text.length in 1..64 && Base64Url.isBase64Url(text)
