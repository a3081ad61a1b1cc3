package dev.switchback

import java.math.BigInteger
import java.security.MessageDigest
import java.security.interfaces.ECPublicKey

/** A public key on P-256, and its thumbprint (RFC 7638). */
public class P256PublicKey internal constructor(
    /** The x coordinate as base64url. */
    internal val x: String,
    /** The y coordinate as base64url. */
    internal val y: String,
) {
    /** Reads a key of the platform. */
    public constructor(key: ECPublicKey) : this(coordinate(key.w.affineX), coordinate(key.w.affineY))

    /** The thumbprint: 43 characters of base64url. A login carries it as `dpop_jkt`. */
    public val thumbprint: String
        get() = Base64Url.encode(MessageDigest.getInstance("SHA-256").digest(json.encodeToByteArray()))

    /** The required members in the order of RFC 7638 §3.3, which is also the `jwk` of a proof. */
    internal val json: String get() = """{"crv":"P-256","kty":"EC","x":"$x","y":"$y"}"""

    override fun equals(other: Any?): Boolean = other is P256PublicKey && other.x == x && other.y == y

    override fun hashCode(): Int = 31 * x.hashCode() + y.hashCode()

    /** The thumbprint. */
    override fun toString(): String = thumbprint

    private companion object {
        fun coordinate(number: BigInteger): String {
            val bytes = number.toByteArray()
            // A number may have a zero before its 32 bytes, or fewer.
            return Base64Url.encode(ByteArray(maxOf(32 - bytes.size, 0)) + bytes.takeLast(32))
        }
    }
}
