package dev.switchback

/**
 * The state machine behind [SessionClient]: takes an event, and returns the effects to perform.
 *
 *     signed out ─▶ begin ─▶ active ⇄ renew ─▶ PIN required ─▶ unlock ─▶ active
 *                              │         └──▶ step-up required ─▶ begin
 *                              └──▶ signed out: ended by the server, key gone, or the user
 *
 * It has no clock, no randomness, no storage, no key, no network and no screen. It does one operation at a time, so
 * callers that need a new access token share one renewal. What changes is in [SessionStatus]; what the app asks for is
 * in `SessionReducerAsks`, the next request in `SessionReducerCalls`, and what results change in
 * `SessionReducerAnswers`.
 */
internal class SessionReducer(record: SavedSession, server: String, app: String) {
    val status = SessionStatus(record, server, app)

    /** How the session stands. */
    val state: SessionState get() = status.state

    /** Takes an event and returns its effects. */
    fun handle(event: SessionEvent, now: SessionMoment): List<SessionEffect> {
        val state = status.state
        val wasStarted = status.isStarted
        val effects = status.take(event, now) + status.proceed(now)
        if (status.state == state && wasStarted) return effects
        // A caller that learns its result must find the new state, so the state is first.
        val index = effects.indexOfFirst { it is SessionEffect.Complete }
        val present = listOf(SessionEffect.Present(status.state))
        return if (index < 0) effects + present else effects.take(index) + present + effects.drop(index)
    }
}

/** Why an existing session gives no access tokens. */
internal sealed interface Hold {
    data object DeviceLocked : Hold

    data class Pin(val triesLeft: Int?) : Hold

    data object StepUp : Hold
}

/** An access token, and the instant until which it may be used. */
internal class Token(val value: Secret, val until: Long)

/** The operation in front of the queue, while something is done for it. */
internal class Running(val number: Int, var phase: Phase, val call: SessionCall?, val since: Long) {
    var signingInput = ""

    sealed interface Phase {
        data object Key : Phase

        data object Signing : Phase

        data object Sent : Phase

        /** The record is stored. With a begin, it and its token count from then on. */
        class Storing(val record: SavedSession, val token: Token?) : Phase
    }
}

/** A proof of a PIN to which there was no response, and the secret as [PinSecret.fingerprint]. */
internal class Unanswered(val fingerprint: String, val proof: String)

/** All that changes while a session lives. */
internal class SessionStatus(var record: SavedSession, val server: String, val app: String) {
    var hold: Hold? = null
    var token: Token? = null
    var nonce: String? = null

    /** When the server gave the nonce. */
    var nonceSince: Long? = null
    val queue = ArrayList<SessionOperation>()
    var running: Running? = null
    var count = 0

    /** The same PIN is tried with the same proof, which the server counts once. */
    var unanswered: Unanswered? = null
    var isStarted = false

    /** Whether nobody waits for anything, so that the record may be read again. */
    val isIdle: Boolean get() = running == null && queue.all { it.isRevocation && it.callers.isEmpty() }

    val state: SessionState
        get() {
            val session = record.session ?: return SessionState.signedOut(record.signOutReason)
            if (record.isLocked) return SessionState.locked(LockReason.ByApp)
            return when (val hold = hold) {
                Hold.DeviceLocked -> SessionState.locked(LockReason.DeviceLocked)
                is Hold.Pin -> SessionState.pinRequired(hold.triesLeft)
                Hold.StepUp -> SessionState.stepUpRequired
                null -> SessionState.active(session.hasPin == false || session.hasPin == true && record.pins.isEmpty())
            }
        }

    companion object {
        /** How often an operation is sent before its callers are told. */
        const val ATTEMPTS = 3

        /** How long the callers wait for `Retry-After`, in milliseconds. */
        const val PATIENCE = 15_000L

        /** A token is not used in its last milliseconds, because it must still be valid when it arrives. */
        const val MARGIN = 20_000L

        /**
         * A PIN is not proven with an older nonce, in milliseconds. While the request is repeated, the server must not
         * take the nonce for too old: only a repetition of the same proof is certain to count once.
         */
        const val NONCE_AGE = 120_000L
    }
}

/** Does what an event wants, without beginning the next operation. */
internal fun SessionStatus.take(event: SessionEvent, now: SessionMoment): List<SessionEffect> = when (event) {
    SessionEvent.Started -> start(now)
    is SessionEvent.RecordWanted -> listOf(SessionEffect.Complete(event.caller, SessionReply.Record(record)))
    is SessionEvent.KeyWanted -> 
        append(SessionOperation(Work.MakeKey(event.name, event.isForLogin), listOf(event.caller)))
    is SessionEvent.BeginWanted -> begin(event)
    is SessionEvent.TokenWanted -> giveToken(event.caller, event.isNew, now)
    is SessionEvent.UnlockWanted -> unlock(event.caller, event.candidates)
    is SessionEvent.PinChosen ->
        enqueue(SessionOperation(Work.SetPin(event.candidate, event.old), listOf(event.caller)))
    is SessionEvent.PinsLost -> losePins(event.purpose)
    is SessionEvent.BiometricsChanged -> replaceBiometrics(event.pin)
    is SessionEvent.ListWanted -> enqueue(SessionOperation(Work.ListSessions, listOf(event.caller)))
    is SessionEvent.EndWanted -> enqueue(SessionOperation(Work.End(event.id), listOf(event.caller)))
    SessionEvent.LockWanted -> lock()
    is SessionEvent.SignOutWanted -> signOut(SignOutReason.ByUser, event.caller)
    SessionEvent.KeyGone -> if (record.session == null) emptyList() else signOut(SignOutReason.KeyLost, null)
    is SessionEvent.Stored -> handleStored(event.number)
    is SessionEvent.StoreFailed -> handleStoreFailed(event.number)
    is SessionEvent.KeyFound -> handleKey(event.number, event.key)
    is SessionEvent.KeyFailed -> handleKeyError(event.number, event.error)
    is SessionEvent.Signed -> handleSignature(event.number, event.signature)
    is SessionEvent.Responded -> handleResponse(event.number, event.response, now)
    is SessionEvent.RequestFailed ->
        if (running?.number == event.number) retry(TransientError.NoResponse, null, now) else emptyList()
    SessionEvent.TimerFired -> emptyList()
}

private fun SessionStatus.start(now: SessionMoment): List<SessionEffect> {
    if (isStarted) return emptyList()
    isStarted = true
    val session = record.session
    if (session?.accessToken != null && session.expiresAt != null) {
        // The wall clock may have been changed; a token that is no longer valid is refused by its API.
        val remaining = minOf(maxOf(session.expiresAt - now.wall, 0), 3_600_000)
        token = Token(session.accessToken, now.instant + remaining)
    }
    queue += record.revocations.map { SessionOperation(Work.Revoke(it)) }
    return emptyList()
}
