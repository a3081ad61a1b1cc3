package dev.switchback.android

import java.io.IOException

/** Asks a Keystore that fails once again. A Keystore is another process, and may restart. */
internal class KeystoreTries(
    private val facts: KeystoreFault.Facts = KeystoreFault.Facts(),
    private val sleep: (milliseconds: Long) -> Unit = Thread::sleep,
) {
    /** A failure that stays, and what it means. The cause is the Keystore's own. */
    class Failure(val fault: KeystoreFault, cause: Throwable) : IOException("the Keystore failed: $fault", cause)

    /**
     * Returns what [ask] returns. It is asked up to three times, within half a second, as long as nothing says that it is
     * in vain.
     *
     * @throws Failure after the last try
     */
    fun <T> ask(ask: () -> T): T {
        for (pause in pauses) {
            try {
                return ask()
            } catch (failure: Exception) {
                // Cryptographic failures are checked exceptions, those of the Keystore's process are not.
                val fault = fault(failure)
                if (pause == null || fault != KeystoreFault.UNKNOWN) throw Failure(fault, failure)
                sleep(pause)
            }
        }
        error("the last pause is null")
    }

    /** The number of the Keystore, for logs; null if it gave none. */
    fun number(failure: Throwable): Int? = generateSequence(failure) { it.cause }.take(8).firstNotNullOfOrNull(facts::number)

    fun fault(failure: Throwable): KeystoreFault = (failure as? Failure)?.fault ?: KeystoreFault.of(failure, facts)

    private companion object {
        /** In milliseconds, before the second and the third try. */
        val pauses = listOf<Long?>(50, 400, null)
    }
}
