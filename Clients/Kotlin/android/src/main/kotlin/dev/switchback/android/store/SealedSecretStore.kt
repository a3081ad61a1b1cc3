package dev.switchback.android

import dev.switchback.SecretStore
import java.io.IOException
import java.security.GeneralSecurityException
import javax.crypto.Cipher
import javax.crypto.SecretKey
import javax.crypto.spec.GCMParameterSpec

/**
 * Encrypts what another store keeps, by AES-GCM under a key that cannot leave the phone.
 *
 * Each blob names itself in what the tag covers, so one cannot take the place of another. What cannot be decrypted any
 * more is gone, and is never an error: its key is lost, or something changed it.
 */
internal class SealedSecretStore(
    private val files: SecretStore,
    private val keys: StoreKeys,
    private val tries: KeystoreTries,
    private val lock: StoreLock,
    private val keyName: String = "switchback.store",
) : SecretStore {
    private val probeName = "$keyName.probe"

    override fun read(name: String): ByteArray? {
        val sealed = files.read(name) ?: return null
        return try {
            open(name, sealed)
        } catch (failure: KeystoreTries.Failure) {
            when (failure.fault) {
                KeystoreFault.GONE, KeystoreFault.TAMPERED -> null
                KeystoreFault.LOCKED -> throw failure
                KeystoreFault.UNSUPPORTED, KeystoreFault.UNKNOWN -> lastTry(name, sealed, failure)
            }
        }
    }

    override fun replace(name: String, bytes: ByteArray) {
        val sealed = try {
            seal(name, bytes, newKey = false)
        } catch (failure: KeystoreTries.Failure) {
            if (failure.fault != KeystoreFault.GONE && !isKeyDead(failure.fault)) throw failure
            // What the lost key encrypted is lost already.
            seal(name, bytes, newKey = true)
        }
        files.replace(name, sealed)
    }

    override fun delete(name: String): Unit = files.delete(name)

    override fun names(): List<String> = files.names()

    private fun open(name: String, sealed: ByteArray): ByteArray? = tries.ask {
        val key = keys.find(keyName)
        if (key == null || sealed.size < HEADER + TAG_BITS / 8 || sealed[0] != VERSION) return@ask null
        val cipher = Cipher.getInstance(ALGORITHM)
        cipher.init(Cipher.DECRYPT_MODE, key, GCMParameterSpec(TAG_BITS, sealed, 1, IV))
        cipher.updateAAD(label(name))
        cipher.doFinal(sealed, HEADER, sealed.size - HEADER)
    }

    private fun seal(name: String, bytes: ByteArray, newKey: Boolean): ByteArray = tries.ask {
        val cipher = Cipher.getInstance(ALGORITHM)
        // The Keystore makes the nonce. It takes none from its callers.
        cipher.init(Cipher.ENCRYPT_MODE, if (newKey) replacedKey() else key())
        if (cipher.iv.size != IV) throw GeneralSecurityException("the nonce has another size")
        cipher.updateAAD(label(name))
        byteArrayOf(VERSION) + cipher.iv + cipher.doFinal(bytes)
    }

    /** Two processes that make the key at once would each lose what the other stored. */
    private fun key(): SecretKey = keys.find(keyName) ?: lock.hold { keys.find(keyName) ?: keys.make(keyName) }

    private fun replacedKey(): SecretKey = lock.hold { keys.make(keyName) }

    /**
     * The key fails for no reason that we know. If a new key works, it is this key that does not, and what it encrypted
     * is gone: otherwise the app would fail at each start for ever. If no key works, the phone has to recover first.
     */
    private fun lastTry(name: String, sealed: ByteArray, failure: KeystoreTries.Failure): ByteArray? {
        if (!isKeyDead(failure.fault)) throw failure
        return try {
            open(name, sealed)
        } catch (again: KeystoreTries.Failure) {
            if (again.fault == KeystoreFault.LOCKED) throw again
            null
        }
    }

    private fun isKeyDead(fault: KeystoreFault): Boolean {
        if (fault == KeystoreFault.LOCKED) return false
        return try {
            lock.hold {
                Cipher.getInstance(ALGORITHM).run {
                    init(Cipher.ENCRYPT_MODE, keys.make(probeName))
                    doFinal(ByteArray(1))
                }
                keys.remove(probeName)
            }
            true
        } catch (_: Exception) {
            false
        }
    }

    private fun label(name: String) = "switchback/store/1/$name".toByteArray()

    private companion object {
        const val ALGORITHM = "AES/GCM/NoPadding"
        const val VERSION: Byte = 1
        const val IV = 12
        const val HEADER = 1 + IV
        const val TAG_BITS = 128
    }
}
