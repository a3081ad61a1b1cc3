package dev.switchback.android

import android.content.Context
import android.os.Build
import android.security.KeyStoreException
import android.security.keystore.KeyGenParameterSpec
import android.security.keystore.KeyInfo
import android.security.keystore.KeyProperties
import java.security.KeyFactory
import java.security.KeyPairGenerator
import java.security.KeyStore
import java.security.PrivateKey
import java.security.cert.Certificate
import java.security.spec.ECGenParameterSpec
import javax.crypto.KeyGenerator
import javax.crypto.SecretKey

/**
 * The keys of this library in Android's Keystore. No key can leave the phone, and none needs the user, except for those
 * of biometrics. All work after the first unlock of the phone.
 */
internal class AndroidKeystore(context: Context) : StoreKeys {
    private val hasStrongBox =
        Build.VERSION.SDK_INT >= 28 && context.packageManager.hasSystemFeature("android.hardware.strongbox_keystore")

    /** A connection to the Keystore's process. A new one each time, because the process may have restarted. */
    private val keystore: KeyStore get() = KeyStore.getInstance(NAME).apply { load(null) }

    override fun find(name: String): SecretKey? = keystore.getKey(name, null) as? SecretKey

    override fun make(name: String): SecretKey = makeAes(name, KeyPlan.Place.TEE, biometric = false)

    override fun remove(name: String): Unit = keystore.deleteEntry(name)

    override fun names(): List<String> = keystore.aliases().toList()

    /** Returns the key that signs, and its certificates, the key's own first; null if there is none. */
    fun findSigning(name: String): Pair<PrivateKey, List<Certificate>>? {
        val opened = keystore
        val key = opened.getKey(name, null) as? PrivateKey ?: return null
        val certificates = opened.getCertificateChain(name) ?: return null
        return (key to certificates.toList()).takeIf { certificates.isNotEmpty() }
    }

    /** The places in which this phone could make a key. */
    val places: List<KeyPlan.Place> get() = KeyPlan.places(Build.VERSION.SDK_INT, hasStrongBox)

    /** Makes a P-256 key that signs. With a challenge, the phone's maker attests it. */
    fun makeSigning(name: String, place: KeyPlan.Place, challenge: ByteArray? = null) {
        val spec = KeyGenParameterSpec.Builder(name, KeyProperties.PURPOSE_SIGN)
            .setAlgorithmParameterSpec(ECGenParameterSpec("secp256r1"))
            .setDigests(KeyProperties.DIGEST_SHA256)
        if (place == KeyPlan.Place.STRONGBOX && Build.VERSION.SDK_INT >= 28) spec.setIsStrongBoxBacked(true)
        if (challenge != null) spec.setAttestationChallenge(challenge)
        KeyPairGenerator.getInstance(KeyProperties.KEY_ALGORITHM_EC, NAME).apply { initialize(spec.build()) }
            .generateKeyPair()
    }

    /**
     * Makes a key for AES-GCM. A [biometric] one works once after each finger or face, and is destroyed when the phone
     * gets another one.
     */
    fun makeAes(name: String, place: KeyPlan.Place, biometric: Boolean): SecretKey {
        val spec = KeyGenParameterSpec.Builder(name, KeyProperties.PURPOSE_ENCRYPT or KeyProperties.PURPOSE_DECRYPT)
            .setBlockModes(KeyProperties.BLOCK_MODE_GCM)
            .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
            .setKeySize(256)
        if (place == KeyPlan.Place.STRONGBOX && Build.VERSION.SDK_INT >= 28) spec.setIsStrongBoxBacked(true)
        if (biometric) {
            spec.setUserAuthenticationRequired(true).setInvalidatedByBiometricEnrollment(true)
            if (Build.VERSION.SDK_INT >= 30) {
                spec.setUserAuthenticationParameters(0, KeyProperties.AUTH_BIOMETRIC_STRONG)
            }
        }
        return KeyGenerator.getInstance(KeyProperties.KEY_ALGORITHM_AES, NAME).apply { init(spec.build()) }.generateKey()
    }

    /** Whether a key that signs is in hardware; null if the phone does not say. */
    fun isInHardware(key: PrivateKey): Boolean? = try {
        val info = KeyFactory.getInstance(key.algorithm, NAME).getKeySpec(key, KeyInfo::class.java)
        if (Build.VERSION.SDK_INT >= 31) {
            when (info.securityLevel) {
                KeyProperties.SECURITY_LEVEL_SOFTWARE -> false
                KeyProperties.SECURITY_LEVEL_UNKNOWN -> null
                else -> true
            }
        } else {
            @Suppress("DEPRECATION")
            info.isInsideSecureHardware
        }
    } catch (_: Exception) {
        null
    }

    /** What Android's own exceptions say. */
    internal object Facts : KeystoreFault.Facts() {
        override fun number(failure: Throwable): Int? =
            if (Build.VERSION.SDK_INT >= 33 && failure is KeyStoreException) failure.numericErrorCode else null
    }

    internal companion object {
        private const val NAME = "AndroidKeyStore"

        /** All names of the library's keys begin with this. */
        const val PREFIX: String = "switchback."
    }
}
