package dev.switchback.android

import java.security.GeneralSecurityException
import java.security.Key
import javax.crypto.Cipher
import javax.crypto.spec.GCMParameterSpec

/**
 * Bytes under AES-GCM: a version, the nonce, and what the cipher returns. The label is covered by the tag.
 *
 * A cipher is made apart from its use, because a key for biometrics works only after the user has shown a finger.
 */
internal object GcmBox {
    private const val ALGORITHM = "AES/GCM/NoPadding"
    private const val VERSION: Byte = 1
    private const val NONCE = 12
    private const val HEADER = 1 + NONCE
    private const val TAG_BITS = 128

    /** The Keystore makes the nonce. It takes none from its callers. */
    fun encryptor(key: Key): Cipher = Cipher.getInstance(ALGORITHM).apply {
        init(Cipher.ENCRYPT_MODE, key)
        if (iv?.size != NONCE) throw GeneralSecurityException("the nonce has another size")
    }

    /** Returns null if the bytes are none that [seal] returned. */
    fun decryptor(key: Key, sealed: ByteArray): Cipher? {
        if (sealed.size < HEADER + TAG_BITS / 8 || sealed[0] != VERSION) return null
        return Cipher.getInstance(ALGORITHM).apply {
            init(Cipher.DECRYPT_MODE, key, GCMParameterSpec(TAG_BITS, sealed, 1, NONCE))
        }
    }

    fun seal(cipher: Cipher, bytes: ByteArray, label: String): ByteArray {
        cipher.updateAAD(label.toByteArray())
        return byteArrayOf(VERSION) + cipher.iv + cipher.doFinal(bytes)
    }

    fun open(cipher: Cipher, sealed: ByteArray, label: String): ByteArray {
        cipher.updateAAD(label.toByteArray())
        return cipher.doFinal(sealed, HEADER, sealed.size - HEADER)
    }
}
