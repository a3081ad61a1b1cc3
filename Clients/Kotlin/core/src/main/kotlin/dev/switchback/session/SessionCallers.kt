package dev.switchback

import kotlin.coroutines.resume
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.suspendCancellableCoroutine

/** The calls of an app that wait for a session. */
internal class SessionCallers {
    private class Waiter(val continuation: CancellableContinuation<SessionReply>, val end: (Boolean) -> Unit)

    private val waiting = HashMap<Int, Waiter>()
    private var count = 0
    private var isClosed = false

    /**
     * Reports an event for a new caller, and returns its reply. A cancelled caller no longer waits; what it asked for
     * is done nevertheless. `end` is called when that is over, and says whether somebody still waits.
     */
    suspend fun ask(end: (Boolean) -> Unit, report: (Int) -> Unit): SessionReply =
        suspendCancellableCoroutine { continuation ->
            val caller = synchronized(this) {
                count += 1
                if (!isClosed) waiting[count] = Waiter(continuation, end)
                if (isClosed) null else count
            }
            if (caller == null) finish(Waiter(continuation, end), closed()) else report(caller)
        }

    fun complete(caller: Int, reply: SessionReply) {
        val waiter = synchronized(this) { waiting.remove(caller) } ?: return
        finish(waiter, reply)
    }

    /** Ends all waiting, now and later. */
    fun close() {
        val waiters = synchronized(this) {
            isClosed = true
            waiting.values.toList().also { waiting.clear() }
        }
        waiters.forEach { finish(it, closed()) }
    }

    private fun closed() = SessionReply.Failed(SessionException(SessionException.Kind.Cancelled))

    private fun finish(waiter: Waiter, reply: SessionReply) {
        waiter.end(waiter.continuation.isActive)
        // It does nothing for one that was cancelled.
        waiter.continuation.resume(reply)
    }
}
