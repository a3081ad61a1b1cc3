package dev.switchback

import java.io.IOException
import java.security.GeneralSecurityException
import java.security.KeyFactory
import java.security.KeyPairGenerator
import java.security.PrivateKey
import java.security.SecureRandom
import java.security.Signature
import java.security.interfaces.ECPublicKey
import java.security.spec.ECGenParameterSpec
import java.security.spec.PKCS8EncodedKeySpec
import java.security.spec.X509EncodedKeySpec
import javax.crypto.Cipher
import javax.crypto.KeyGenerator
import javax.crypto.spec.GCMParameterSpec
import javax.crypto.spec.SecretKeySpec

/**
 * Keys in software, which lie in a [SecretStore]: for servers, command lines and tests. Whoever reads the store has the
 * keys, so an Android app uses the Keystore instead. Biometrics ask nobody.
 */
public class SoftwareDeviceKeys(private val store: SecretStore) : DeviceKeys {
    override suspend fun make(name: String): DeviceKey = guarded {
        val generator = KeyPairGenerator.getInstance("EC")
        generator.initialize(ECGenParameterSpec("secp256r1"))
        val pair = generator.generateKeyPair()
        val json = JsonValue.of(
            "private" to JsonValue.of(Base64Url.encode(pair.private.encoded)),
            "public" to JsonValue.of(Base64Url.encode(pair.public.encoded)),
        )
        store.replace("key-$name", json.toBytes())
        Signing(pair.private, pair.public as ECPublicKey)
    }

    override suspend fun find(name: String): DeviceKey? = guarded {
        val json = store.read("key-$name")?.let(JsonValue::parse)
        val private = json?.get("private")?.string?.let(Base64Url::decode)
        val public = json?.get("public")?.string?.let(Base64Url::decode)
        if (private == null || public == null) null
        else {
            val factory = KeyFactory.getInstance("EC")
            val key = factory.generatePublic(X509EncodedKeySpec(public)) as ECPublicKey
            Signing(factory.generatePrivate(PKCS8EncodedKeySpec(private)), key)
        }
    }

    override suspend fun makeWrapping(name: String, purpose: WrappingPurpose): WrappingKey = guarded {
        val generator = KeyGenerator.getInstance("AES")
        generator.init(256)
        val bytes = generator.generateKey().encoded
        store.replace(file(name, purpose), bytes)
        Wrapping(bytes)
    }

    override suspend fun findWrapping(name: String, purpose: WrappingPurpose): WrappingKey? =
        guarded { store.read(file(name, purpose))?.let(::Wrapping) }

    override suspend fun remove(name: String): Unit = guarded {
        store.delete("key-$name")
        WrappingPurpose.entries.forEach { store.delete(file(name, it)) }
    }

    private fun file(name: String, purpose: WrappingPurpose) = "wrap-${purpose.name.lowercase()}-$name"

    private class Signing(private val private: PrivateKey, public: ECPublicKey) : DeviceKey {
        override val publicKey = P256PublicKey(public)

        override suspend fun sign(message: ByteArray): ByteArray = guarded {
            val signature = Signature.getInstance("SHA256withECDSA")
            signature.initSign(private)
            signature.update(message)
            signature.sign()
        }
    }

    /** AES-GCM: 12 random bytes, then the text with its tag. */
    private class Wrapping(bytes: ByteArray) : WrappingKey {
        private val key = SecretKeySpec(bytes, "AES")

        override suspend fun wrap(bytes: ByteArray, prompt: BiometricPrompt?): ByteArray = guarded {
            val nonce = ByteArray(NONCE).also(SecureRandom()::nextBytes)
            nonce + cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(bytes)
        }

        override suspend fun unwrap(bytes: ByteArray, prompt: BiometricPrompt?): ByteArray {
            // A text of another key, or none at all, can never be read.
            if (bytes.size < NONCE) throw DeviceKeyException(DeviceKeyException.Kind.GONE)
            return try {
                cipher(Cipher.DECRYPT_MODE, bytes.copyOf(NONCE)).doFinal(bytes, NONCE, bytes.size - NONCE)
            } catch (error: GeneralSecurityException) {
                throw DeviceKeyException(DeviceKeyException.Kind.GONE, null, error)
            }
        }

        private fun cipher(mode: Int, nonce: ByteArray): Cipher =
            Cipher.getInstance("AES/GCM/NoPadding").also { it.init(mode, key, GCMParameterSpec(128, nonce)) }
    }

    private companion object {
        const val NONCE = 12

        inline fun <Result> guarded(work: () -> Result): Result = try {
            work()
        } catch (error: IOException) {
            throw DeviceKeyException(DeviceKeyException.Kind.UNAVAILABLE, null, error)
        } catch (error: GeneralSecurityException) {
            throw DeviceKeyException(DeviceKeyException.Kind.FAILED, null, error)
        }
    }
}
