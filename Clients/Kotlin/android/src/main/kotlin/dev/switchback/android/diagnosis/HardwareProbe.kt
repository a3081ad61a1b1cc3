package dev.switchback.android

import android.content.Context
import java.security.GeneralSecurityException

/** Finds out whether this phone keeps keys in hardware, by a key that it makes and removes. */
internal object HardwareProbe {
    private const val NAME = "${AndroidKeystore.PREFIX}probe"

    /** Null if the Keystore does not say. */
    fun isInHardware(context: Context): Boolean? =
        try {
            val keystore = AndroidKeystore(context)
            keystore.makeSigning(NAME, KeyPlan.Place.TEE)
            val key = keystore.findSigning(NAME)?.first
            keystore.remove(NAME)
            key?.let(keystore::isInHardware)
        } catch (_: GeneralSecurityException) {
            null
        } catch (_: IllegalStateException) {
            null
        }
}
