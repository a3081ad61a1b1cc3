// What the app asks for.

package dev.switchback

private fun failed(caller: Int, error: SessionException) = SessionEffect.Complete(caller, SessionReply.Failed(error))

/** Why the session can do nothing now; null when it can. */
private val SessionStatus.obstacle: SessionException?
    get() {
        if (record.session == null) return SessionException.signedOut(record.signOutReason)
        if (record.isLocked) return SessionException.locked(LockReason.ByApp)
        return when (val hold = hold) {
            is Hold.Pin -> SessionException.pinRequired(hold.triesLeft)
            Hold.StepUp -> SessionException(SessionException.Kind.StepUpRequired)
            // The device may be unlocked by now.
            Hold.DeviceLocked, null -> null
        }
    }

internal fun SessionStatus.isUsable(now: SessionMoment): Boolean {
    val token = token ?: return false
    return now.instant + SessionStatus.MARGIN < token.until
}

internal fun SessionStatus.append(operation: SessionOperation): List<SessionEffect> {
    queue.add(operation)
    return emptyList()
}

internal fun SessionStatus.begin(event: SessionEvent.BeginWanted): List<SessionEffect> {
    val key = record.key
    if (key == null || key.thumbprint != event.thumbprint) {
        return listOf(failed(event.caller, SessionException(SessionException.Kind.WrongLogin)))
    }
    if (event.nonce != null) {
        nonce = event.nonce
        // It is not known how old it is.
        nonceSince = null
    }
    return append(SessionOperation(Work.Begin(event.secret, event.attestation), listOf(event.caller)))
}

internal fun SessionStatus.giveToken(caller: Int, isNew: Boolean, now: SessionMoment): List<SessionEffect> {
    obstacle?.let { return listOf(failed(caller, it)) }
    val renewal = queue.firstOrNull { it.work == Work.Renew }
    if (isNew && renewal == null) token = null
    val token = token
    if (token != null && isUsable(now)) return listOf(SessionEffect.Complete(caller, SessionReply.Token(token.value)))
    if (renewal == null) return append(SessionOperation(Work.Renew, listOf(caller)))
    renewal.callers += caller
    return emptyList()
}

internal fun SessionStatus.unlock(caller: Int, candidates: List<PinCandidate>): List<SessionEffect> {
    val session = record.session
    if (session == null) return listOf(failed(caller, SessionException.signedOut(record.signOutReason)))
    if (candidates.isEmpty() || session.refreshToken == null) {
        return listOf(failed(caller, SessionException(SessionException.Kind.NoPin)))
    }
    val operation = SessionOperation(Work.Unlock(candidates), listOf(caller))
    val unanswered = unanswered
    val index = candidates.indexOfFirst { it.secret.fingerprint == unanswered?.fingerprint }
    if (unanswered != null && index >= 0) {
        operation.candidate = index
        operation.proof = unanswered.proof
        operation.isProven = true
    }
    return append(operation)
}

/** Adds an operation that needs an access token. */
internal fun SessionStatus.enqueue(operation: SessionOperation): List<SessionEffect> {
    obstacle?.let { error -> return operation.callers.map { failed(it, error) } }
    if (operation.work is Work.SetPin && record.session?.hasPin == null) {
        return operation.callers.map { failed(it, SessionException(SessionException.Kind.NotAllowed)) }
    }
    if (operation.work is Work.End && !isSessionId(operation.work.id)) {
        return operation.callers.map { failed(it, SessionException.refused("session_unknown")) }
    }
    return append(operation)
}

/** Without a PIN nobody could unlock it again, so then it does nothing. */
internal fun SessionStatus.lock(): List<SessionEffect> {
    if (record.session == null || record.isLocked || record.pins.isEmpty()) return emptyList()
    record = record.copy(isLocked = true)
    token = null
    return listOf(SessionEffect.Store(record)) + failQueue(SessionException.locked(LockReason.ByApp)) { work ->
        work == Work.Renew || work is Work.SetPin || work == Work.ListSessions || work is Work.End
    }
}

internal fun SessionStatus.losePins(purpose: WrappingPurpose): List<SessionEffect> {
    if (record.pins.isEmpty()) return emptyList()
    when (purpose) {
        WrappingPurpose.PIN -> losePins()
        WrappingPurpose.BIOMETRICS -> record = record.copy(pins = record.pins.map { it.copy(biometric = null) })
    }
    return listOf(SessionEffect.Store(record))
}

/** Without its PIN a locked session can only go on with a login. */
internal fun SessionStatus.losePins() {
    if (record.isLocked || hold != null) hold = Hold.StepUp
    record = record.copy(pins = emptyList(), isLocked = false)
}

internal fun SessionStatus.replaceBiometrics(pin: WrappedPin): List<SessionEffect> {
    if (record.pins.none { it.masked == pin.masked }) return emptyList()
    record = record.copy(pins = record.pins.map { if (it.masked == pin.masked) pin else it })
    return listOf(SessionEffect.Store(record))
}

/** Ends the session on this device, and tells every caller that waits. */
internal fun SessionStatus.signOut(reason: SignOutReason, caller: Int?): List<SessionEffect> {
    val effects = ArrayList<SessionEffect>()
    effects += failQueue(SessionException.signedOut(reason)) { work ->
        when (work) {
            is Work.Revoke -> false
            // The key stays when the server has ended the session. A login that completes now begins another one.
            is Work.Begin -> reason != SignOutReason.Ended
            is Work.MakeKey -> reason == SignOutReason.ByUser
            else -> true
        }
    }
    val refreshToken = if (reason == SignOutReason.Ended) null else record.session?.refreshToken
    if (reason != SignOutReason.Ended) {
        record.keyName?.let { effects.add(0, SessionEffect.RemoveKeys(it)) }
        effects += restartMakingKey()
        record = record.copy(keyName = null, key = null)
    }
    if (record.session != null || reason == SignOutReason.ByUser) record = record.copy(signOutReason = reason)
    record = record.copy(session = null, pins = emptyList(), isLocked = false)
    token = null
    hold = null
    unanswered = null
    if (refreshToken != null) {
        record = record.copy(revocations = record.revocations + refreshToken)
        queue.add(SessionOperation(Work.Revoke(refreshToken), listOfNotNull(caller)))
    } else if (caller != null) {
        effects += SessionEffect.Complete(caller, SessionReply.Done)
    }
    return listOf(SessionEffect.Store(record)) + effects
}

/** The key that is looked for is the one that is gone, so another one is made. */
private fun SessionStatus.restartMakingKey(): List<SessionEffect> {
    val running = running
    if (running == null || queue.firstOrNull()?.work !is Work.MakeKey) return emptyList()
    this.running = null
    return listOf(SessionEffect.Abandon(running.number))
}

/** Removes the operations that fit, and tells their callers. */
private fun SessionStatus.failQueue(error: SessionException, fits: (Work) -> Boolean): List<SessionEffect> {
    val effects = ArrayList<SessionEffect>()
    val running = running
    val first = queue.firstOrNull()
    if (running != null && first != null && fits(first.work)) {
        effects += SessionEffect.Abandon(running.number)
        this.running = null
    }
    val failedOperations = queue.filter { fits(it.work) }
    queue.removeAll(failedOperations.toSet())
    return effects + failedOperations.flatMap { it.callers }.map { failed(it, error) }
}
