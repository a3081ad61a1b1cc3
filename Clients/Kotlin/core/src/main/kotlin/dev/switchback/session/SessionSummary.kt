package dev.switchback

/** One of a user's sessions, as the server lists them. It has no name and no identifier of the user. */
public class SessionSummary private constructor(
    /** Its id, for [SessionClient.end]. */
    public val id: String,
    /** `ios` or `android`, as the app said in its login. */
    public val platform: String?,
    /** The provider of its login. */
    public val provider: String?,
    /** When it began (RFC 3339, UTC). */
    public val createdAt: String?,
    /** When it was last used, roughly. */
    public val usedAt: String?,
    /** When it ends. */
    public val endsAt: String?,
    /** Whether it has a PIN. */
    public val hasPin: Boolean,
    /** Whether it is the session that asks. */
    public val isCurrent: Boolean,
) {
    /** The id. */
    override fun toString(): String = id

    internal companion object {
        /** Reads the body of a response; null when it is not from Switchback. */
        fun list(body: ByteArray): List<SessionSummary>? =
            JsonValue.parse(body)?.get("sessions")?.elements?.mapNotNull(::read)

        private fun read(json: JsonValue): SessionSummary? {
            val id = json["id"]?.string ?: json["session_id"]?.string
            if (id == null || !isSessionId(id)) return null
            return SessionSummary(
                id, json["platform"]?.string, json["provider"]?.string, json["created_at"]?.string,
                json["used_at"]?.string, json["ends_at"]?.string, json["pin"]?.boolean ?: false,
                json["current"]?.boolean ?: false,
            )
        }
    }
}
