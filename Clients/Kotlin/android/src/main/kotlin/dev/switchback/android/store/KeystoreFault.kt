package dev.switchback.android

import javax.crypto.AEADBadTagException

/** What a failure of the Keystore means. */
internal enum class KeystoreFault {
    /** The key is lost for good, and so is what it encrypted. */
    GONE,

    /** The bytes are not what the key encrypted: something changed them. */
    TAMPERED,

    /** The key does not work now, because the phone or the user has to be unlocked first. */
    LOCKED,

    /** The phone has no such hardware. */
    UNSUPPORTED,

    /** Anything else. Ask again. */
    UNKNOWN;

    /** What is known of a failure. Tests have none of Android's exceptions, and say here what they stand for. */
    internal open class Facts {
        open fun name(failure: Throwable): String = failure.javaClass.name

        /** The number of a `KeyStoreException`; null if it has none. */
        open fun number(failure: Throwable): Int? = null
    }

    internal companion object {
        // The classes are compared by name, because some exist on newer phones only, and none in tests.
        private const val KEYSTORE = "android.security.KeyStoreException"

        /**
         * The reference is developer.android.com/reference/android/security/keystore: "can no longer be used because it
         * has been permanently invalidated", and "the user needs to be authenticated".
         */
        private val classes = mapOf(
            "android.security.keystore.KeyPermanentlyInvalidatedException" to GONE,
            "android.security.keystore.UserNotAuthenticatedException" to LOCKED,
            "android.security.keystore.StrongBoxUnavailableException" to UNSUPPORTED,
        )

        /**
         * `ERROR_USER_AUTHENTICATION_REQUIRED`, `ERROR_KEYSTORE_UNINITIALIZED`, `ERROR_KEY_DOES_NOT_EXIST` and
         * `ERROR_KEY_CORRUPTED` of `android.security.KeyStoreException`, which are public since API 33.
         */
        private val numbers = mapOf(2 to LOCKED, 3 to LOCKED, 6 to GONE, 7 to GONE)

        /** What the exception said before it had public numbers. */
        private val words = mapOf(
            "invalid key blob" to GONE, "key permanently invalidated" to GONE, "key not found" to GONE,
            "device locked" to LOCKED, "user authentication required" to LOCKED,
        )

        /** Reads a failure with all its causes. */
        fun of(failure: Throwable, facts: Facts = Facts()): KeystoreFault {
            val causes = generateSequence(failure) { it.cause }.take(8).toList()
            return causes.firstNotNullOfOrNull { of(it, facts.name(it), facts) }
                // The tag is judged last: the Keystore wraps a lost key into the words of a wrong tag.
                ?: if (causes.any { it is AEADBadTagException }) TAMPERED else UNKNOWN
        }

        private fun of(cause: Throwable, name: String, facts: Facts): KeystoreFault? {
            classes[name]?.let { return it }
            if (name != KEYSTORE) return null
            val message = cause.message?.lowercase().orEmpty()
            return numbers[facts.number(cause)] ?: words.entries.firstOrNull { it.key in message }?.value
        }
    }
}
