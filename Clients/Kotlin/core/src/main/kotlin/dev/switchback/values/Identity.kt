package dev.switchback

/**
 * An identity says who logged in, in the same form for every broker.
 *
 * Use it to greet the user. Your API decides whom to believe, and reads the assertion. It prints as the e-ID and its
 * level, so that no name ends up in a log.
 */
public class Identity private constructor(
    /** The broker's identifier for this user. */
    public val subject: String,
    json: JsonValue,
) {
    /** The login's provider. */
    public val provider: String = json["provider"]?.string ?: ""

    /** The e-ID's name. Several providers may share an e-ID. */
    public val eid: String = json["eid"]?.string ?: ""

    /** Two letters (ISO 3166-1), or null. */
    public val country: String? = json["country"]?.string

    /** How certain the identity is. */
    public val assurance: Assurance = Assurance.of(json["assurance"]?.string)

    /** The level of assurance, as the broker names it, or null. */
    public val acr: String? = json["acr"]?.string

    /** When the user authenticated (RFC 3339, UTC), or null. */
    public val authenticatedAt: String? = json["authenticated_at"]?.string

    /** The full name, or null. */
    public val name: String? = json["name"]?.string

    /** The given name, or null. */
    public val givenName: String? = json["given_name"]?.string

    /** The family name, or null. */
    public val familyName: String? = json["family_name"]?.string

    /** As `1979-11-03`, or null. */
    public val birthDate: String? = json["birth_date"]?.string

    /** Null unless the server is configured to return it. */
    public val nationalId: NationalId? = NationalId.read(json["national_id"])

    /** Those of the broker's claims that the server is configured to pass on. */
    public val claims: Map<String, JsonValue> = json["claims"]?.members ?: emptyMap()

    /** The e-ID and its level: nothing personal. */
    override fun toString(): String = "$eid, $assurance"

    internal companion object {
        fun read(json: JsonValue?): Identity? = json?.get("subject")?.string?.let { Identity(it, json) }
    }
}

/** How certain an identity is (eIDAS, NSIS). Do not trust a level that you do not know. */
public class Assurance private constructor(code: String) : Coded(code) {
    /** The levels, from `None` to `High`. */
    public companion object {
        /** The level is unknown. */
        @JvmField
        public val None: Assurance = Assurance("none")

        /** Low. */
        @JvmField
        public val Low: Assurance = Assurance("low")

        /** Substantial. */
        @JvmField
        public val Substantial: Assurance = Assurance("substantial")

        /** High. */
        @JvmField
        public val High: Assurance = Assurance("high")

        /** An unknown level counts as none. */
        internal fun of(code: String?): Assurance =
            listOf(Low, Substantial, High).firstOrNull { it.code == code } ?: None
    }
}

/** A number that a state has given to a person. */
public class NationalId private constructor(
    /** Which number it is, as configured, such as `dk:cpr`. */
    public val type: String,
    /** The number. */
    public val value: Secret,
) {
    /** The type, and no number. */
    override fun toString(): String = type

    internal companion object {
        fun read(json: JsonValue?): NationalId? {
            val type = json?.get("type")?.string ?: return null
            return json["value"]?.string?.let { NationalId(type, Secret(it)) }
        }
    }
}

/**
 * What the app continues with at the broker's resolver (DigiD).
 *
 * It has no token that outlives the login. It prints as nothing, so that no token ends up in a log.
 */
public class Registration private constructor(json: JsonValue) {
    /** The resolver's access token, or null. */
    public val accessToken: Secret? = json["access_token"]?.string?.let(::Secret)

    /** How to send it, as in `bearer`, or null. */
    public val tokenType: String? = json["token_type"]?.string

    /** Seconds, counted from the resolver's response to the server, or null. Later polls repeat the same number. */
    public val expiresIn: Long? = json["expires_in"]?.long

    /** What the token is for, or null. */
    public val scope: String? = json["scope"]?.string

    /** Those of the resolver's members that the server is configured to pass on. */
    public val data: Map<String, JsonValue> = json["data"]?.members ?: emptyMap()

    /** A placeholder: `data` may say something about the user. */
    override fun toString(): String = "‹registration›"

    internal companion object {
        fun read(json: JsonValue?): Registration? = json?.takeIf { it.members != null }?.let(::Registration)
    }
}
