package dev.switchback

/**
 * Any JSON, which this library passes on without reading it.
 *
 * A member that is missing, or has another type than requested, reads as null, because the API may grow. It prints
 * without its content, which may be personal.
 */
public class JsonValue private constructor(internal val raw: Any?) {
    /** Returns the member of an object; null if it is missing or this is no object. */
    public operator fun get(name: String): JsonValue? = members?.get(name)

    /** The text, if this is one. */
    public val string: String? get() = raw as? String

    /** The number, if this is a whole one of at most 64 bits. */
    public val long: Long? get() = raw as? Long

    /** The number, if this is one. */
    public val double: Double? get() = (raw as? Number)?.toDouble()

    /** The truth value, if this is one. */
    public val boolean: Boolean? get() = raw as? Boolean

    /** The elements, if this is a list. */
    @Suppress("UNCHECKED_CAST")
    public val elements: List<JsonValue>? get() = raw as? List<JsonValue>

    /** The members by name, if this is an object, in their order. */
    @Suppress("UNCHECKED_CAST")
    public val members: Map<String, JsonValue>? get() = raw as? Map<String, JsonValue>

    /** Whether this is `null`. */
    public val isNull: Boolean get() = raw == null

    /** The texts of a list. Other elements are left out. */
    internal val strings: List<String>? get() = elements?.mapNotNull { it.string }

    /** The whole number, if it fits. */
    internal val int: Int? get() = long?.takeIf { it in Int.MIN_VALUE..Int.MAX_VALUE }?.toInt()

    /** Writes the value as JSON in UTF-8, without white space. Members stay in their order. */
    public fun toBytes(): ByteArray = JsonWriter.text(this).toByteArray()

    override fun equals(other: Any?): Boolean = other is JsonValue && other.raw == raw

    override fun hashCode(): Int = raw.hashCode()

    /** A placeholder: the content may be personal. [toBytes] has it. */
    override fun toString(): String = "‹json›"

    /** Makes values. */
    public companion object {
        /** `null`. */
        @JvmField
        public val Null: JsonValue = JsonValue(null)

        /** Makes a text. */
        @JvmStatic
        public fun of(text: String): JsonValue = JsonValue(text)

        /** Makes a truth value. */
        @JvmStatic
        public fun of(value: Boolean): JsonValue = JsonValue(value)

        /** Makes a whole number. */
        @JvmStatic
        public fun of(number: Long): JsonValue = JsonValue(number)

        /** Makes a number. One that is no number, or infinite, is `null`: JSON has none. */
        @JvmStatic
        public fun of(number: Double): JsonValue = when {
            number.isNaN() || number.isInfinite() -> Null
            number == Math.rint(number) && Math.abs(number) < 9e15 -> JsonValue(number.toLong())
            else -> JsonValue(number)
        }

        /** Makes a list. */
        @JvmStatic
        public fun of(elements: List<JsonValue>): JsonValue = JsonValue(elements.toList())

        /** Makes an object. */
        @JvmStatic
        public fun of(members: Map<String, JsonValue>): JsonValue = JsonValue(LinkedHashMap(members))

        /** Makes an object without the members that are null. */
        internal fun of(vararg members: Pair<String, JsonValue?>): JsonValue =
            JsonValue(members.mapNotNull { (name, value) -> value?.let { name to it } }.toMap(LinkedHashMap()))

        internal fun texts(list: List<String>): JsonValue = of(list.map { of(it) })

        /**
         * Reads JSON in UTF-8 (RFC 8259). Returns null for everything else, also for an object that has a member twice,
         * for more than [JsonReader.DEEPEST] nested values, and for what follows the value. It never throws.
         */
        @JvmStatic
        public fun parse(bytes: ByteArray): JsonValue? = JsonReader.read(bytes)

        internal fun made(raw: Any?): JsonValue = if (raw == null) Null else JsonValue(raw)
    }
}
