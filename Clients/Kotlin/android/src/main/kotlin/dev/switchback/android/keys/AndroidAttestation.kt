package dev.switchback.android

import java.security.MessageDigest
import java.util.Base64

/** A statement of the phone's maker about a key, and the challenge that it covers. */
internal object AndroidAttestation {
    /** Returns the challenge for a key whose login has this id: 32 bytes. */
    fun challenge(login: String): ByteArray =
        MessageDigest.getInstance("SHA-256").digest("switchback/attest/1$login".toByteArray())

    /** Returns the body of the begin of a session. [certificates] are DER, the key's own first. */
    fun body(certificates: List<ByteArray>): String {
        val chain = certificates.joinToString(",") { "\"${Base64.getUrlEncoder().withoutPadding().encodeToString(it)}\"" }
        return """{"attestation":{"format":"android-key","x5c":[$chain]}}"""
    }
}
