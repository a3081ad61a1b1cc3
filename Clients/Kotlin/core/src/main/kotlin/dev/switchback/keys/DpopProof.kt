package dev.switchback

import java.security.MessageDigest

/** What a DPoP proof says (RFC 9449 §4.2). It becomes a JWT that is signed with the session's key. */
internal class DpopProof(
    private val key: P256PublicKey,
    private val method: String,
    /** The request's URL. Its query and fragment are left out of the proof. */
    private val url: String,
    /** A random id of the proof. */
    val id: String,
    /** Seconds since 1970. */
    private val issuedAt: Long,
) {
    var nonce: String? = null

    /** The access token of the same request. */
    var accessToken: Secret? = null

    /** The proof that the user typed the PIN. */
    var pinProof: String? = null

    /** Which PIN it was. */
    var pinId: String? = null

    /** Header and payload as JWS wants them signed (RFC 7515 §5.1). */
    val signingInput: String
        get() {
            val header = """{"alg":"ES256","jwk":${key.json},"typ":"dpop+jwt"}"""
            return Base64Url.encode(header.encodeToByteArray()) + "." + Base64Url.encode(payload.toBytes())
        }

    private val payload: JsonValue
        get() = JsonValue.of(
            "ath" to accessToken?.let { text(hash(it)) }, "htm" to text(method),
            "htu" to text(url.substringBefore('#').substringBefore('?')), "iat" to JsonValue.of(issuedAt),
            "jti" to text(id), "nonce" to nonce?.let(::text), "pin_id" to pinId?.let(::text),
            "pin_proof" to pinProof?.let(::text),
        )

    private fun text(text: String) = JsonValue.of(text)

    private fun hash(token: Secret): String =
        Base64Url.encode(MessageDigest.getInstance("SHA-256").digest(token.exposed.encodeToByteArray()))
}
