// The end of an operation, or of one try.

package dev.switchback

internal fun SessionStatus.retry(error: TransientError, retryAfter: Int?, now: SessionMoment): List<SessionEffect> {
    running = null
    val first = queue.firstOrNull() ?: return emptyList()
    first.failures += 1
    // The server checks its limits first, so it has not judged the PIN.
    if (error != TransientError.RateLimited) first.mayBeJudged = true
    val delay = Backoff.delay(first.failures, retryAfter, now.jitter)
    first.notBefore = now.instant + delay
    if (first.isRevocation) {
        if (first.failures < SessionStatus.ATTEMPTS) return emptyList()
        // The session is over on this device. The server is told when it can be reached.
        val callers = first.callers
        first.callers = emptyList()
        return callers.map { SessionEffect.Complete(it, SessionReply.Failed(SessionException.noResponse(error))) }
    }
    if (first.failures < SessionStatus.ATTEMPTS && delay <= SessionStatus.PATIENCE) return emptyList()
    val pin = first.provenPin
    val proof = first.proof
    if (first.work is Work.Unlock && pin != null && proof != null && first.isProven) {
        unanswered = Unanswered(pin.secret.fingerprint, proof)
    }
    return fail(SessionException.noResponse(error))
}

/** Ends the first operation. */
internal fun SessionStatus.complete(reply: SessionReply): List<SessionEffect> {
    running = null
    if (queue.isEmpty()) return emptyList()
    return queue.removeAt(0).callers.map { SessionEffect.Complete(it, reply) }
}

/** Ends the first operation, and the one that needs it. */
internal fun SessionStatus.fail(error: SessionException): List<SessionEffect> {
    val first = queue.firstOrNull() ?: return emptyList()
    val effects = ArrayList<SessionEffect>()
    effects += complete(SessionReply.Failed(error))
    if (first.work is Work.SetPin && first.isStored && first.failures == 0 && wasRefused(error)) {
        record = record.copy(pins = record.pins.filter { it != first.work.candidate.pin })
        effects += SessionEffect.Store(record)
    }
    if (!first.isForNext || queue.isEmpty()) return effects
    return effects + fail(error)
}

/** Whether the server has not taken what was sent, if it was sent once. */
private fun wasRefused(error: SessionException): Boolean =
    error.kind == SessionException.Kind.Refused || error.kind == SessionException.Kind.WrongPin ||
        error.kind == SessionException.Kind.StepUpRequired
