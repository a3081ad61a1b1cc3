package dev.switchback.android

import dev.switchback.SecretStore
import javax.crypto.SecretKey

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
        keys.find(keyName)?.let { GcmBox.decryptor(it, sealed) }?.let { GcmBox.open(it, sealed, label(name)) }
    }

    private fun seal(name: String, bytes: ByteArray, newKey: Boolean): ByteArray = tries.ask {
        GcmBox.seal(GcmBox.encryptor(if (newKey) replacedKey() else key()), bytes, label(name))
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
                GcmBox.seal(GcmBox.encryptor(keys.make(probeName)), ByteArray(1), probeName)
                keys.remove(probeName)
            }
            true
        } catch (_: Exception) {
            false
        }
    }

    private fun label(name: String) = "switchback/store/1/$name"
}
