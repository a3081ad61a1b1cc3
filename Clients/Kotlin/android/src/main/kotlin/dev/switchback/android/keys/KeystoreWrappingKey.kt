package dev.switchback.android

import dev.switchback.BiometricPrompt
import dev.switchback.DeviceKeyException
import dev.switchback.WrappingKey
import javax.crypto.Cipher
import javax.crypto.SecretKey

/** What asks the user for a face or finger, and returns the cipher when the phone lets it work. */
internal interface CipherPrompt : BiometricPrompt {
    /** @throws DeviceKeyException if the user or the phone says no */
    suspend fun unlock(cipher: Cipher): Cipher
}

/** A key that encrypts what is stored on the phone. One that [asks] works only after a face or finger. */
internal class KeystoreWrappingKey(
    private val key: SecretKey,
    private val label: String,
    private val tries: KeystoreTries,
    private val asks: Boolean,
) : WrappingKey {
    override suspend fun wrap(bytes: ByteArray, prompt: BiometricPrompt?): ByteArray = DeviceKeyFault.guard(tries) {
        if (!asks) return@guard tries.ask { GcmBox.seal(GcmBox.encryptor(key), bytes, label) }
        val cipher = unlocked(tries.ask { GcmBox.encryptor(key) }, prompt)
        // The finger is good for one use, so this is not asked again.
        GcmBox.seal(cipher, bytes, label)
    }

    override suspend fun unwrap(bytes: ByteArray, prompt: BiometricPrompt?): ByteArray = DeviceKeyFault.guard(tries) {
        if (!asks) return@guard tries.ask { GcmBox.decryptor(key, bytes)?.let { GcmBox.open(it, bytes, label) } } ?: gone()
        val cipher = unlocked(tries.ask { GcmBox.decryptor(key, bytes) } ?: gone(), prompt)
        GcmBox.open(cipher, bytes, label)
    }

    private suspend fun unlocked(cipher: Cipher, prompt: BiometricPrompt?): Cipher =
        (prompt as? CipherPrompt ?: throw DeviceKeyException(DeviceKeyException.Kind.UNAVAILABLE)).unlock(cipher)

    private fun gone(): Nothing = throw DeviceKeyException(DeviceKeyException.Kind.GONE)
}
