package dev.switchback.android

import android.content.Context
import android.os.Build
import dev.switchback.BiometricPrompt
import dev.switchback.DeviceKey
import dev.switchback.DeviceKeyException
import dev.switchback.DeviceKeys
import dev.switchback.P256PublicKey
import dev.switchback.WrappingKey
import dev.switchback.WrappingPurpose
import java.security.InvalidAlgorithmParameterException
import java.security.PrivateKey
import java.security.Signature
import java.security.interfaces.ECPublicKey
import javax.crypto.SecretKey

/**
 * Keeps the keys of sessions in Android's Keystore: in StrongBox, and in the TEE of phones without one.
 *
 * Biometrics need Android 9 and a strong sensor. A key for biometrics is destroyed when a finger or face is added.
 */
public class KeystoreDeviceKeys internal constructor(
    private val keystore: AndroidKeystore,
    private val tries: KeystoreTries,
) : DeviceKeys {
    /** Creates it for the app of [context], which may be an activity: only its application is kept. */
    public constructor(context: Context) :
        this(AndroidKeystore(context.applicationContext), KeystoreTries(AndroidKeystore.Facts))

    override suspend fun make(name: String): DeviceKey = DeviceKeyFault.guard(tries) {
        val alias = alias(name, SIGN)
        KeyPlan.make(keystore.places, tries) { keystore.makeSigning(alias, it) }
        key(alias) ?: throw DeviceKeyException(DeviceKeyException.Kind.FAILED)
    }

    override suspend fun make(name: String, challenge: ByteArray): DeviceKey = DeviceKeyFault.guard(tries) {
        val alias = alias(name, SIGN)
        try {
            KeyPlan.make(keystore.places, tries) { keystore.makeSigning(alias, it, challenge) }
        } catch (failure: KeystoreTries.Failure) {
            if (failure.fault == KeystoreFault.LOCKED) throw failure
            // Some phones have no key that attests, or have used it up.
            KeyPlan.make(keystore.places, tries) { keystore.makeSigning(alias, it) }
        }
        key(alias) ?: throw DeviceKeyException(DeviceKeyException.Kind.FAILED)
    }

    override suspend fun find(name: String): DeviceKey? = DeviceKeyFault.guard(tries) { key(alias(name, SIGN)) }

    override suspend fun makeWrapping(name: String, purpose: WrappingPurpose): WrappingKey {
        val alias = alias(name, purpose.name.lowercase())
        val biometric = purpose == WrappingPurpose.BIOMETRICS
        if (biometric && Build.VERSION.SDK_INT < SystemBiometricPrompt.FIRST_SDK) throw unavailable(null)
        return DeviceKeyFault.guard(tries) {
            try {
                val made = KeyPlan.make(keystore.places, tries) { keystore.makeAes(alias, it, biometric) }
                wrapping(alias, made, purpose)
            } catch (failure: KeystoreTries.Failure) {
                // The Keystore refuses a key for biometrics as long as no finger or face is enrolled.
                if (biometric && failure.cause is InvalidAlgorithmParameterException) throw unavailable(failure)
                throw failure
            }
        }
    }

    override suspend fun findWrapping(name: String, purpose: WrappingPurpose): WrappingKey? {
        val alias = alias(name, purpose.name.lowercase())
        return DeviceKeyFault.guard(tries) { tries.ask { keystore.find(alias) }?.let { wrapping(alias, it, purpose) } }
    }

    override suspend fun remove(name: String) {
        for (use in listOf(SIGN) + WrappingPurpose.entries.map { it.name.lowercase() }) {
            DeviceKeyFault.guard(tries) { tries.ask { keystore.remove(alias(name, use)) } }
        }
    }

    private fun key(alias: String): DeviceKey? = tries.ask { keystore.findSigning(alias) }?.let { (key, certificates) ->
        (certificates.first().publicKey as? ECPublicKey)?.let {
            // A key that nobody attests has one certificate, which it has signed itself.
            val statement = if (certificates.size > 1) certificates.map { one -> one.encoded } else emptyList()
            SigningKey(key, P256PublicKey(it), statement, tries)
        }
    }

    private fun wrapping(alias: String, key: SecretKey, purpose: WrappingPurpose): WrappingKey =
        KeystoreWrappingKey(key, alias, tries, asks = purpose == WrappingPurpose.BIOMETRICS)

    private fun alias(name: String, use: String) = "${AndroidKeystore.PREFIX}session.$name.$use"

    private fun unavailable(cause: Throwable?) =
        DeviceKeyException(DeviceKeyException.Kind.UNAVAILABLE, null, cause)

    private companion object {
        const val SIGN = "sign"
    }
}

/** A key in the Keystore that signs the proofs of a session. */
private class SigningKey(
    private val key: PrivateKey,
    override val publicKey: P256PublicKey,
    override val certificates: List<ByteArray>,
    private val tries: KeystoreTries,
) : DeviceKey {
    override suspend fun sign(message: ByteArray): ByteArray = DeviceKeyFault.guard(tries) {
        tries.ask {
            Signature.getInstance("SHA256withECDSA").run {
                initSign(key)
                update(message)
                sign()
            }
        }
    }
}
