package dev.switchback

/** A provider of the app: what it needs to draw one login button. */
public class Provider private constructor(
    /** What [LoginRequest.provider] is. */
    public val id: String,
    json: JsonValue,
    languages: List<String>,
) {
    /** The name for the button, in the first of the user's languages that it has. */
    public val name: String = name(languages, json["names"]?.members.orEmpty()) ?: json["name"]?.string ?: id

    /** Whether a login may begin with it now. If not, disable its button, and show [notice]. */
    public val isEnabled: Boolean = json["enabled"]?.boolean ?: true

    /**
     * What to tell the user while it is switched off, in the first of the user's languages that there is, otherwise in
     * English or any; null if the server says nothing.
     */
    public val notice: String? = json["notices"]?.members.orEmpty().let { notices ->
        name(languages + "en", notices) ?: notices.toSortedMap().values.firstNotNullOfOrNull { it.string }
    }

    /** A picture for the button, from the operator of the server, or null. */
    public val logoUrl: String? = json["logo"]?.string?.takeIf(Links::isLink)

    /** Where the e-ID comes from: two letters each (ISO 3166-1). */
    public val countries: List<String> = json["countries"]?.strings.orEmpty()

    /** The e-ID's name, as in [Identity.eid]. */
    public val eid: String = json["eid"]?.string ?: ""

    /** What the app may open its links in, the best first; empty if it opens only the e-ID's own app. */
    public val surfaces: List<Surface> = json["surfaces"]?.strings.orEmpty().mapNotNull(Surface::of)

    /** The e-ID's app is installed if Android's `PackageManager` knows one of these. Empty if nobody can tell. */
    public val androidPackages: List<String> = json["eid_app"]?.get("android_packages")?.strings.orEmpty()

    /** What the app's manifest needs below `<queries>` to check them. */
    public val androidQueries: List<String> = json["eid_app"]?.get("android_queries")?.strings.orEmpty()

    /** The store's page of the e-ID's app on Android, or null. */
    public val androidStoreUrl: String? = json["eid_app"]?.get("android_store_url")?.string?.takeIf(Links::isLink)

    internal companion object {
        /** Reads the body of a response; null when it is not from Switchback. */
        fun list(body: ByteArray, languages: List<String>): List<Provider>? =
            JsonValue.parse(body)?.get("providers")?.elements?.mapNotNull { json ->
                json["id"]?.string?.takeIf { it.isNotEmpty() }?.let { Provider(it, json, languages) }
            }

        /** Looks for each language with all its subtags, then without the last one, and so on (RFC 4647 §3.4). */
        private fun name(languages: List<String>, names: Map<String, JsonValue>): String? {
            val known = names.entries.reversed().associate { it.key.lowercase() to it.value.string }
            for (language in languages) {
                var subtags = language.lowercased().split("-")
                // A phone may still say `no` for Norwegian.
                if (subtags.first() == "no") subtags = listOf("nb") + subtags.drop(1)
                while (subtags.isNotEmpty()) {
                    known[subtags.joinToString("-")]?.let { return it }
                    subtags = subtags.dropLast(1)
                }
            }
            return null
        }

        private fun String.lowercased() = lowercase().replace('_', '-')
    }
}

/** Why the providers could not be read. Decide by [kind]. */
public class ProvidersException internal constructor(
    /** What happened. Treat one that you do not know as `NoResponse`. */
    public val kind: Kind,
    /** Why there is no response; null if the server refuses. */
    public val transientError: TransientError? = null,
    /** What the server says; null if there is no response. */
    public val problem: Problem? = null,
) : Exception(problem?.let { "${it.code}: ${it.detail}" } ?: transientError?.code) {
    /** What happened. A later version may have more. */
    public class Kind private constructor(code: String) : Coded(code) {
        /** The kinds of this version. */
        public companion object {
            /** There is no usable response. Try again. */
            @JvmField
            public val NoResponse: Kind = Kind("no_response")

            /** The server refuses the request. Correct the app, or the server's configuration. */
            @JvmField
            public val Refused: Kind = Kind("refused")
        }
    }
}
