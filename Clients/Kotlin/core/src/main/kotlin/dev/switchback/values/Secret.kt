package dev.switchback

/**
 * Text that must not be printed, such as an assertion or a national id.
 *
 * Interpolated or logged it reads `‹secret›`. It has no getter and no field that a serializer would write, and is not
 * `java.io.Serializable`, so it gets into no parcel, bundle or file by accident. Only [exposed] returns the text, and
 * it is easy to search for.
 */
public class Secret(text: String) {
    @Transient
    private val text: String = text

    /** The text itself. */
    public val exposed: String
        @JvmName("expose")
        get() = text

    override fun equals(other: Any?): Boolean = other is Secret && other.text == text

    override fun hashCode(): Int = text.hashCode()

    /** A placeholder, never the text. */
    override fun toString(): String = "‹secret›"
}
