package dev.switchback

/**
 * Makes, finds and removes the keys of sessions. A name stands for one key that signs, and one key for each
 * [WrappingPurpose].
 *
 * `switchback-android` implements it with the Keystore. [SoftwareDeviceKeys] is for servers and tests. Every method may
 * throw a [DeviceKeyException], and is called on threads of the library's own.
 */
public interface DeviceKeys {
    /** Makes the key that signs, in place of an older one with this name. */
    public suspend fun make(name: String): DeviceKey

    /**
     * Makes the key that signs, in place of an older one with this name, and lets the device's maker attest it
     * ([DeviceKey.certificates]). A device that cannot do so makes one without.
     *
     * @param challenge what the statement has to contain
     */
    public suspend fun make(name: String, challenge: ByteArray): DeviceKey = make(name)

    /** Returns the key that signs; null when there is none, which means that it is gone. */
    public suspend fun find(name: String): DeviceKey?

    /**
     * Makes a wrapping key, in place of an older one. Throws [DeviceKeyException.Kind.UNAVAILABLE] on a device that
     * cannot have one.
     */
    public suspend fun makeWrapping(name: String, purpose: WrappingPurpose): WrappingKey

    /** Returns a wrapping key; null when there is none. */
    public suspend fun findWrapping(name: String, purpose: WrappingPurpose): WrappingKey?

    /** Removes all keys with this name. It is no error when there are none. */
    public suspend fun remove(name: String)
}

/** A P-256 key that cannot leave the device. It signs every DPoP proof of a session. */
public interface DeviceKey {
    /** The public key. */
    public val publicKey: P256PublicKey

    /**
     * What the device's maker states about the key: certificates in DER, the key's own first. Empty if it was made
     * without a challenge, or on a device that attests nothing.
     */
    public val certificates: List<ByteArray> get() = emptyList()

    /**
     * Signs a message with ECDSA and SHA-256, and returns the signature in DER, as `java.security.Signature` with
     * `SHA256withECDSA` does.
     */
    public suspend fun sign(message: ByteArray): ByteArray
}

/** A key that encrypts what is stored on the device, so that it is useless elsewhere. */
public interface WrappingKey {
    /** Encrypts. `prompt` is there for [WrappingPurpose.BIOMETRICS] only. */
    public suspend fun wrap(bytes: ByteArray, prompt: BiometricPrompt?): ByteArray

    /** Decrypts what `wrap` returned. `prompt` is there for [WrappingPurpose.BIOMETRICS] only. */
    public suspend fun unwrap(bytes: ByteArray, prompt: BiometricPrompt?): ByteArray
}

/**
 * What a platform needs to ask for face or finger: its window and the texts. The library hands it from the app's call
 * to the [WrappingKey], and does not look inside. `switchback-android` has the one for Android.
 */
public interface BiometricPrompt

/** What a wrapping key is for. */
public enum class WrappingPurpose {
    /** The secret that the PIN masks. The key works without the user. */
    PIN,

    /**
     * The same secret for biometrics. The system asks for face or finger before the key decrypts, and destroys the key
     * when the enrolled faces or fingers change.
     */
    BIOMETRICS,
}

/** Why a key could not be used. Only [Kind.GONE] signs a session out. */
public class DeviceKeyException @JvmOverloads public constructor(
    /** What happened. */
    public val kind: Kind,
    /** The system's number, if it gave one. */
    public val systemCode: Int? = null,
    cause: Throwable? = null,
) : Exception(kind.name.lowercase(), cause) {
    /** What a platform can report. */
    public enum class Kind {
        /** The key no longer exists, and never will again. */
        GONE,

        /**
         * The key cannot be used now, as before the first unlock of the device, or the device has no such keys.
         */
        UNAVAILABLE,

        /** The user dismissed the system's question. */
        CANCELLED,

        /** Anything else. Try again. */
        FAILED,
    }
}
