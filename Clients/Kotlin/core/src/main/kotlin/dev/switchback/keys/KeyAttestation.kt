package dev.switchback

import java.security.MessageDigest
import javax.crypto.Mac
import javax.crypto.spec.SecretKeySpec

/** A statement of the device's maker, as the body of the begin of a session: JSON. */
internal class KeyAttestation(val body: String) {
    companion object {
        /** The server takes no more certificates. */
        private const val MOST = 6

        /** Android's statement about a key: its certificates in DER. Null if there are none, or too many. */
        fun of(certificates: List<ByteArray>): KeyAttestation? {
            if (certificates.isEmpty() || certificates.size > MOST) return null
            val members = JsonValue.of(
                "format" to JsonValue.of("android-key"), "x5c" to JsonValue.texts(certificates.map(Base64Url::encode)),
            )
            return KeyAttestation(JsonValue.of("attestation" to members).toBytes().decodeToString())
        }
    }
}

/**
 * What a statement about a key covers: one login. Android makes it a part of the key, so it is known before the login
 * is created: the login's id is made from its secret.
 */
internal object AttestationChallenge {
    /** 32 bytes. */
    const val SIZE = 32

    fun of(pollSecret: Secret): ByteArray {
        val key = SecretKeySpec(requireNotNull(Base64Url.decode(pollSecret.exposed)), "HmacSHA256")
        val mac = Mac.getInstance("HmacSHA256").apply { init(key) }.doFinal("id".encodeToByteArray())
        val login = Base64Url.encode(mac.copyOf(16))
        return MessageDigest.getInstance("SHA-256").digest("switchback/attest/1$login".encodeToByteArray())
    }

    /** The name of the key that was made for this challenge. */
    fun keyName(challenge: ByteArray): String = Base64Url.encode(challenge)

    /** The challenge of a key with this name; null for one that was made for none. */
    fun ofKey(name: String): ByteArray? = Base64Url.decode(name)?.takeIf { it.size == SIZE }
}
