package dev.switchback

import java.io.IOException

/**
 * Keeps named bytes where only this app can read them. They contain secrets, so an implementation protects them like
 * passwords, and keeps them out of backups.
 *
 * All methods may block, and are called on threads of the library's own, several at once. Two processes of an app may
 * use one store: whoever reads gets what was written last, or what was there before, and never a part.
 */
public interface SecretStore {
    /**
     * Returns the bytes with this name, or null if there are none. Bytes that can never be read again, because their
     * key is gone, are none.
     *
     * @throws IOException if they cannot be read now, as before the first unlock of the phone
     */
    @Throws(IOException::class)
    public fun read(name: String): ByteArray?

    /**
     * Puts these bytes in the place of those with this name, all or nothing. When it returns, a kill of the app
     * does not lose them.
     *
     * @param name 1 to 64 letters, digits, `-`, `_` and `.`, and none of `.` at the beginning
     * @throws IOException if they cannot be stored
     */
    @Throws(IOException::class)
    public fun replace(name: String, bytes: ByteArray)

    /**
     * Removes the bytes with this name. It is no error if there are none.
     *
     * @throws IOException if they cannot be removed
     */
    @Throws(IOException::class)
    public fun delete(name: String)

    /**
     * Returns the names that there are, in any order.
     *
     * @throws IOException if they cannot be read now
     */
    @Throws(IOException::class)
    public fun names(): List<String>
}
