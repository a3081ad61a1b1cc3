package dev.switchback

/** Gets what the library does, for the app's log or metrics. It is called on any thread, and must return at once. */
public fun interface Logger {
    /** Takes an event. It has no secret and nothing personal. */
    public fun log(event: LogEvent)

    /** The loggers that there are. */
    public companion object {
        /** Logs nothing. */
        @JvmField
        public val None: Logger = Logger {}
    }
}

/** Something that the library did. It has no secret and nothing personal. */
public class LogEvent internal constructor(
    /** What happened. */
    public val name: Name,
    /** The login's reference, if the event is of a login that has one. */
    public val reference: String?,
    attributes: Map<String, String?> = emptyMap(),
) {
    /** Codes and numbers by name. */
    public val attributes: Map<String, String> =
        attributes.entries.mapNotNull { (key, value) -> value?.let { key to it } }.toMap()

    /** One line for a log: `request reference=K7QX-2M4P call=poll status=200`. */
    override fun toString(): String {
        val words = listOfNotNull(name.code, reference?.let { "reference=$it" })
        return (words + attributes.toSortedMap().map { "${it.key}=${it.value}" }).joinToString(" ")
    }

    /** What happened. A later version may have more. */
    public class Name internal constructor(code: String) : Coded(code) {
        /** The names of this version. */
        public companion object {
            /** A request was sent: `call`, and `status` if there was a response. */
            @JvmField
            public val Request: Name = Name("request")

            /** The state of a login: `state`, and `action`, `status`, `reason` or `error` if there is one. */
            @JvmField
            public val LoginState: Name = Name("login_state")

            /** The state of a session: `state`, and `reason` if there is one. */
            @JvmField
            public val SessionState: Name = Name("session_state")

            /** The server named something to open whose URL cannot be parsed, so the action reads as `wait`. */
            @JvmField
            public val UnreadableUrl: Name = Name("unreadable_url")

            /** The app's [LoginHost] threw an `error`, so nothing was opened. */
            @JvmField
            public val HostFailed: Name = Name("host_failed")

            /** A login could not be stored. */
            @JvmField
            public val NotStored: Name = Name("not_stored")
        }
    }
}
