package dev.switchback

import java.util.Base64

/** Base64url without padding (RFC 4648 §5). */
internal object Base64Url {
    fun encode(bytes: ByteArray): String = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)

    /** Returns null for a text that is not base64url. */
    fun decode(text: String): ByteArray? =
        if (isBase64Url(text)) runCatching { Base64.getUrlDecoder().decode(text) }.getOrNull() else null

    fun isBase64Url(text: String): Boolean =
        text.all { it in 'A'..'Z' || it in 'a'..'z' || it in '0'..'9' || it == '-' || it == '_' }
}
