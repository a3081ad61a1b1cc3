package dev.switchback.session

import dev.switchback.Base64Url
import dev.switchback.DpopProof
import dev.switchback.EcdsaSignature
import dev.switchback.JsonValue
import dev.switchback.P256PublicKey
import dev.switchback.PinMask
import dev.switchback.PinSecret
import dev.switchback.Secret
import java.security.KeyPairGenerator
import java.security.Signature
import java.security.interfaces.ECPublicKey
import java.security.spec.ECGenParameterSpec
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertNull
import org.junit.Test

/** Proofs, keys, signatures and the secret of a PIN, by published vectors. */
class CryptographyTests {
    private val key = P256PublicKey(
        "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs", "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA",
    )

    private fun hex(bytes: ByteArray) = bytes.joinToString("") { "%02x".format(it) }

    @Test
    fun `the thumbprint is that of RFC 9449 section 6 1`() {
        assertEquals("0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I", key.thumbprint)
    }

    @Test
    fun `the proof has the form of RFC 9449 section 4 2`() {
        val url = "https://resource.example.org/protected%20resource?x=1#y"
        val proof = DpopProof(key, "GET", url, "e1j3V_bKic8-LAEB", 1_562_262_618)
        val parts = proof.signingInput.split(".").map { Base64Url.decode(it)?.decodeToString() }
        assertEquals(
            """{"alg":"ES256","jwk":{"crv":"P-256","kty":"EC","x":"l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",""" +
                """"y":"9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA"},"typ":"dpop+jwt"}""",
            parts[0],
        )
        assertEquals(
            """{"htm":"GET","htu":"https://resource.example.org/protected%20resource","iat":1562262618,""" +
                """"jti":"e1j3V_bKic8-LAEB"}""",
            parts[1],
        )
        proof.accessToken = Secret("Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU")
        proof.nonce = "n"
        val claims = Base64Url.decode(proof.signingInput.substringAfter("."))?.let(JsonValue::parse)
        assertEquals("fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo", claims?.get("ath")?.string)
        assertEquals("n", claims?.get("nonce")?.string)
        assertNull(claims?.get("pin_proof"))
    }

    @Test
    fun `PBKDF2 matches the published keys`() {
        // The first two are RFC 7914 §11; the others are the inputs of RFC 6070 with SHA-256.
        val rows = listOf(
            listOf("passwd", "salt", "1", "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"),
            listOf("Password", "NaCl", "80000", "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"),
            listOf("password", "salt", "2", "ae4d0c95af6b46d32d0adff928f06dd02a303f8ef3c251dfd6e2d85a95474c43"),
            listOf("password", "salt", "4096", "c5e478d59288c841aa530db6845c4c8d962893a001ce4e11a4963873aa98134a"),
        )
        for ((password, salt, iterations, expected) in rows) {
            val made = PinMask.derive(password.encodeToByteArray(), salt.encodeToByteArray(), iterations.toInt())
            assertEquals(expected, hex(made))
        }
    }

    @Test
    fun `a DER signature is read as its raw numbers`() {
        val r = ByteArray(32) { 0x11 }
        val high = byteArrayOf(0x91.toByte()) + r.drop(1)
        fun der(vararg parts: Any): ByteArray = parts.fold(ByteArray(0)) { all, part ->
            all + if (part is Int) byteArrayOf(part.toByte()) else part as ByteArray
        }
        val five = ByteArray(31) + byteArrayOf(5)
        val six = ByteArray(31) + byteArrayOf(6)
        val rows = listOf(
            der(0x30, 68, 2, 32, r, 2, 32, r) to r + r,
            // A leading zero keeps a number positive, and small numbers are short.
            der(0x30, 70, 2, 33, 0, high, 2, 33, 0, r) to high + r,
            der(0x30, 6, 2, 1, 5, 2, 1, 6) to five + six,
            der() to null, der(0x30) to null, der(0x30, 0) to null, der(0x31, 6, 2, 1, 5, 2, 1, 6) to null,
            der(0x30, 6, 2, 1, 5, 2, 1) to null, der(0x30, 7, 2, 1, 5, 2, 1, 6) to null,
            der(0x30, 6, 2, 1, 5, 2, 1, 6, 0) to null, der(0x30, 9, 2, 1, 5, 2, 1, 6, 2, 1, 7) to null,
            der(0x30, 5, 2, 0, 2, 1, 6) to null, der(0x30, 68, 2, 33, 1, r, 2, 31, r.copyOf(31)) to null,
            der(0x30, 0x81, 6, 2, 1, 5, 2, 1, 6) to null,
        )
        for ((signature, raw) in rows) assertArrayEquals(hex(signature), raw, EcdsaSignature.raw(signature))
    }

    @Test
    fun `what Java signs is what a JWT needs, whatever its numbers`() {
        val generator = KeyPairGenerator.getInstance("EC").apply { initialize(ECGenParameterSpec("secp256r1")) }
        repeat(50) {
            val pair = generator.generateKeyPair()
            val public = P256PublicKey(pair.public as ECPublicKey)
            assertEquals(32, Base64Url.decode(public.x)?.size)
            assertEquals(32, Base64Url.decode(public.y)?.size)
            val signer = Signature.getInstance("SHA256withECDSA").apply { initSign(pair.private) }
            signer.update(byteArrayOf(1))
            val raw = EcdsaSignature.raw(signer.sign())
            val verifier = Signature.getInstance("SHA256withECDSAinP1363Format").apply { initVerify(pair.public) }
            verifier.update(byteArrayOf(1))
            assertEquals(64, raw?.size)
            assertEquals(true, verifier.verify(raw))
        }
    }

    @Test
    fun `every PIN gives a secret, and nothing tells which is right`() {
        val secret = PinSecret(ByteArray(32) { it.toByte() })
        val masked = secret.masked(ByteArray(32) { 9 })
        assertEquals(secret.fingerprint, PinSecret.unmask(masked, ByteArray(32) { 9 })?.fingerprint)
        assertNotEquals(secret.fingerprint, PinSecret.unmask(masked, ByteArray(32) { 8 })?.fingerprint)
        assertNull(PinSecret.unmask(masked.copyOf(31), ByteArray(32)))
        assertNull(PinSecret.unmask(masked, ByteArray(31)))
    }

    @Test
    fun `the proof of a PIN is a code under its secret`() {
        // Computed with Python's hmac: HMAC-SHA-256 of "switchback/unlock/1sessionnonceid" under 32 zeros.
        val secret = PinSecret(ByteArray(32))
        assertEquals("tB1wCHHN14KF2pfGjQsBWBvtpNjUlfmPxCC5DVYofo0", secret.proof("session", "nonce", "id"))
    }

    @Test
    fun `a secret prints as a placeholder and can be wiped`() {
        val secret = PinSecret(ByteArray(32) { 7 })
        assertFalse(secret.toString().contains(secret.text))
        secret.wipe()
        assertArrayEquals(ByteArray(32), secret.copy())
    }
}
