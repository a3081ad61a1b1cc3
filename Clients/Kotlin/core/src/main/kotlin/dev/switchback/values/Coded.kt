package dev.switchback

/**
 * One of several values, of which a later version of the server or of this library may have more.
 *
 * It is a class with static members and no enumeration, so that a `when` over it needs an `else`, and an app still
 * compiles and works when there is a new value. Compare it with the members of its companion, and print [code].
 */
public abstract class Coded protected constructor(
    /** The value's name, as in `user_cancelled`. It never changes, and fits into logs. */
    public val code: String,
) {
    override fun equals(other: Any?): Boolean = other is Coded && other.javaClass == javaClass && other.code == code

    override fun hashCode(): Int = code.hashCode()

    /** The code. */
    override fun toString(): String = code
}
