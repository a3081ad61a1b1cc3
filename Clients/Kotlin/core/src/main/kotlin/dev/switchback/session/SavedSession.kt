package dev.switchback

/**
 * What a device keeps of a session: all that is needed to go on after the app was killed.
 *
 * It has the refresh token. That is useless without the session's key, but ends the session, so it is stored where
 * only this app can read it.
 */
internal data class SavedSession(
    /** The name of the session's keys. It is stored before a key is made, so that no key is forgotten. */
    val keyName: String? = null,
    /** The key's public half, once it is made. */
    val key: P256PublicKey? = null,
    /** The session at the server; null before it began and after it is over. */
    val session: Session? = null,
    /** Why there is none. */
    val signOutReason: SignOutReason = SignOutReason.NeverSignedIn,
    /**
     * The PIN's secret, as the phone keeps it. There are more than one only while it is unknown which of them the
     * server has, because the response to a new PIN was lost. The newest comes first.
     */
    val pins: List<WrappedPin> = emptyList(),
    /** Whether the app has called `lock`. */
    val isLocked: Boolean = false,
    /** Refresh tokens that the server has not revoked yet. */
    val revocations: List<Secret> = emptyList(),
) {
    /** The session at the server. */
    data class Session(
        val id: String,
        /** Null when the server allows no renewal. The access token is then all there is. */
        val refreshToken: Secret? = null,
        /** Whether the server has a PIN. Null when the session can have none. */
        val hasPin: Boolean? = null,
        /**
         * The access token of a session without renewal, and its end by the wall clock, in milliseconds since 1970. No
         * other access token is stored: one that can be renewed is renewed after a start. This one lives for minutes,
         * and without the session's key it is useless, as the refresh token is.
         */
        val accessToken: Secret? = null,
        val expiresAt: Long? = null,
    )
}

/**
 * A PIN's secret as the device keeps it: masked by a key that is derived from the PIN, and encrypted by hardware.
 *
 * Nothing in it shows whether a PIN is right. All bytes are base64url.
 */
internal data class WrappedPin(
    val salt: String,
    val iterations: Int,
    /** The masked secret, encrypted by the key for PINs. */
    val masked: String,
    /** The secret itself, encrypted by the key for biometrics; null without biometrics. */
    val biometric: String? = null,
) {
    /** The name by which the server says which PIN it has. Each PIN has another salt, which is not secret. */
    val id: String get() = salt
}

/** A secret, and what the device stores of it. */
internal class PinCandidate(val pin: WrappedPin, val secret: PinSecret)
