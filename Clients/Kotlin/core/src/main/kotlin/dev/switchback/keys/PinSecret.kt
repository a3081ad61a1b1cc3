package dev.switchback

import java.security.MessageDigest
import javax.crypto.Mac
import javax.crypto.spec.SecretKeySpec

/**
 * The secret behind a PIN: 32 random bytes that the server knows and the phone keeps masked by the PIN.
 *
 * The phone can compute it only together with the PIN, and only the server can tell whether it is right. It prints as
 * a placeholder.
 */
internal class PinSecret(private val bytes: ByteArray) {
    /** What stands for the secret after [wipe]. It is kept in memory only. */
    val fingerprint: String = Base64Url.encode(MessageDigest.getInstance("SHA-256").digest(bytes))

    val text: String get() = Base64Url.encode(bytes)

    /** Returns a copy of the bytes, which the caller wipes. */
    fun copy(): ByteArray = bytes.copyOf()

    /** Returns the secret XOR a key that was derived from the PIN. */
    fun masked(mask: ByteArray): ByteArray = xor(bytes, mask)

    /** Returns the proof for a session, a nonce and the id of a DPoP proof. */
    fun proof(session: String, nonce: String, id: String): String {
        val mac = Mac.getInstance("HmacSHA256")
        mac.init(SecretKeySpec(bytes, "HmacSHA256"))
        return Base64Url.encode(mac.doFinal(("switchback/unlock/1$session$nonce$id").encodeToByteArray()))
    }

    /** Overwrites the bytes. */
    fun wipe() = bytes.fill(0)

    override fun toString(): String = "‹secret›"

    companion object {
        const val SIZE = 32

        /**
         * Unmasks what [masked] returned; null for another length. A wrong PIN gives other bytes, and nothing shows
         * that they are wrong.
         */
        fun unmask(masked: ByteArray, mask: ByteArray): PinSecret? =
            if (masked.size == SIZE && mask.size == SIZE) PinSecret(xor(masked, mask)) else null

        private fun xor(one: ByteArray, other: ByteArray) =
            ByteArray(one.size) { (one[it].toInt() xor other[it].toInt()).toByte() }
    }
}
