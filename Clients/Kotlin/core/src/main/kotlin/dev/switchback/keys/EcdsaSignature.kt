package dev.switchback

/** Signatures as Java has them, and as JWS wants them. */
internal object EcdsaSignature {
    /**
     * Turns a DER signature (RFC 3279 §2.2.3) into r and s with 32 bytes each (RFC 7518 §3.4). Null when it is none
     * of P-256.
     */
    fun raw(der: ByteArray): ByteArray? {
        val sequence = Reader(der).element(0x30) ?: return null
        val reader = Reader(sequence)
        val r = reader.element(0x02)?.let(::number) ?: return null
        val s = reader.element(0x02)?.let(::number) ?: return null
        if (sequence.size + 2 != der.size || !reader.isAtEnd) return null
        return r + s
    }

    private fun number(bytes: ByteArray): ByteArray? {
        val digits = bytes.dropWhile { it == 0.toByte() }
        if (bytes.isEmpty() || digits.size > 32) return null
        return ByteArray(32 - digits.size) + digits
    }

    /** Reads elements with a short length, which is long enough for P-256. */
    private class Reader(private val bytes: ByteArray) {
        private var at = 0

        val isAtEnd: Boolean get() = at == bytes.size

        fun element(tag: Int): ByteArray? {
            if (bytes.size < at + 2 || bytes[at].toInt() != tag || bytes[at + 1] < 0) return null
            val end = at + 2 + bytes[at + 1]
            if (end > bytes.size) return null
            return bytes.copyOfRange(at + 2, end).also { at = end }
        }
    }
}
