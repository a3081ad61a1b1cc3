package dev.switchback.android

import java.security.GeneralSecurityException
import javax.crypto.SecretKey

/** Where the key of the store comes from: Android's Keystore, or memory in tests. Both may fail at any call. */
internal interface StoreKeys {
    /** Returns the key with this name; null if there is none. */
    @Throws(GeneralSecurityException::class)
    fun find(name: String): SecretKey?

    /** Makes a key for AES-GCM in the place of an older one with this name. */
    @Throws(GeneralSecurityException::class)
    fun make(name: String): SecretKey

    /** Removes the key. It is no error if there is none. */
    @Throws(GeneralSecurityException::class)
    fun remove(name: String)

    /** Returns the names of the keys that there are. */
    @Throws(GeneralSecurityException::class)
    fun names(): List<String>
}
