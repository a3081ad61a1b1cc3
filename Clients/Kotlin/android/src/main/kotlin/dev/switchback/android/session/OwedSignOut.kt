package dev.switchback.android

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.withTimeoutOrNull

/** Tells the server of a sign-out that it could not be told of. */
internal class OwedSignOut(
    /** Whether the server still has to be told. It may throw whatever a store throws. */
    private val owes: suspend () -> Boolean,
    private val sleep: suspend (milliseconds: Long) -> Unit,
) {
    /** What becomes of the job. */
    enum class Outcome { DONE, AGAIN }

    /** Waits until the server was told, for at most a minute: a session that is open tells it by itself. */
    suspend fun run(): Outcome = withTimeoutOrNull(LONGEST) {
        while (isOwed()) sleep(PAUSE)
        Outcome.DONE
    } ?: Outcome.AGAIN

    /** A store that cannot be read now may still owe. */
    private suspend fun isOwed(): Boolean = try {
        owes()
    } catch (failure: CancellationException) {
        throw failure
    } catch (_: Exception) {
        true
    }

    internal companion object {
        // In milliseconds. The system gives a job several minutes.
        private const val LONGEST = 60_000L
        private const val PAUSE = 1_000L
    }
}
