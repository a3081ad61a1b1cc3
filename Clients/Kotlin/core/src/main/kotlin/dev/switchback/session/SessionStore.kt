package dev.switchback

/**
 * Keeps the record of a session in a [SecretStore]. Two processes may do that with one record: each reads it again
 * before it uses it, and writes only over what it has read.
 */
internal class SessionStore(private val store: SecretStore, private val name: String) {
    /** What was read or written last. */
    private var last: ByteArray? = null

    /** Returns the record, an empty one if there is none. Null when it cannot be known, whatever the store throws. */
    fun load(): SavedSession? = try {
        val bytes = store.read(name)
        last = bytes
        bytes?.let(::read) ?: SavedSession()
    } catch (_: Exception) {
        null
    }

    /** Returns the record if another process has changed it. */
    fun changed(): SavedSession? = try {
        if (isAsBefore()) null else load()
    } catch (_: Exception) {
        null
    }

    /** Returns whether the record is stored. It is not when another process has changed it meanwhile. */
    fun save(record: SavedSession): Boolean = try {
        if (isAsBefore()) {
            val bytes = write(record)
            store.replace(name, bytes)
            last = bytes
            true
        } else {
            false
        }
    } catch (_: Exception) {
        false
    }

    private fun isAsBefore(): Boolean {
        val last = last
        val now = store.read(name)
        return if (last == null || now == null) last == null && now == null else last.contentEquals(now)
    }

    companion object {
        /** Writes the record. No other code writes the tokens. */
        fun write(record: SavedSession): ByteArray {
            val session = record.session?.let {
                JsonValue.of(
                    "id" to text(it.id), "refresh_token" to text(it.refreshToken?.exposed),
                    "has_pin" to it.hasPin?.let { pin -> JsonValue.of(pin) },
                    "access_token" to text(it.accessToken?.exposed),
                    "expires_at" to it.expiresAt?.let { end -> JsonValue.of(end) },
                )
            }
            val pins = record.pins.map {
                JsonValue.of(
                    "salt" to text(it.salt), "iterations" to JsonValue.of(it.iterations.toLong()),
                    "masked" to text(it.masked), "biometric" to text(it.biometric),
                )
            }
            return JsonValue.of(
                "key_name" to text(record.keyName),
                "key" to record.key?.let { JsonValue.of("x" to text(it.x), "y" to text(it.y)) },
                "session" to session, "sign_out_reason" to text(record.signOutReason.code),
                "pins" to JsonValue.of(pins), "is_locked" to JsonValue.of(record.isLocked),
                "revocations" to JsonValue.texts(record.revocations.map { it.exposed }),
            ).toBytes()
        }

        /** Reads what [write] wrote; null for anything else, which is no session. */
        fun read(bytes: ByteArray): SavedSession? {
            val json = JsonValue.parse(bytes)?.takeIf { it.members != null } ?: return null
            val key = json["key"]?.let { P256PublicKey(it["x"]?.string ?: return null, it["y"]?.string ?: return null) }
            val session = json["session"]?.let {
                SavedSession.Session(
                    it["id"]?.string?.takeIf(::isSessionId) ?: return null,
                    it["refresh_token"]?.string?.let(::Secret), it["has_pin"]?.boolean,
                    it["access_token"]?.string?.let(::Secret), it["expires_at"]?.long,
                )
            }
            val pins = json["pins"]?.elements.orEmpty().map {
                WrappedPin(
                    it["salt"]?.string ?: return null, it["iterations"]?.int?.takeIf { n -> n > 0 } ?: return null,
                    it["masked"]?.string ?: return null, it["biometric"]?.string,
                )
            }
            val reason = json["sign_out_reason"]?.string?.let { SignOutReason(it) } ?: SignOutReason.NeverSignedIn
            return SavedSession(
                json["key_name"]?.string, key, session, reason, pins, json["is_locked"]?.boolean ?: false,
                json["revocations"]?.strings.orEmpty().map { Secret(it) },
            )
        }

        private fun text(text: String?): JsonValue? = text?.let { JsonValue.of(it) }
    }
}
