package dev.switchback.android

import dev.switchback.LockReason
import dev.switchback.SessionException
import dev.switchback.SessionState

/** What a screen for the PIN reads of the session. */
internal object PinAnswers {
    /** Returns what a state asks for; null if a PIN would not help. */
    fun entry(state: SessionState): PinEntry? = when (state.kind) {
        SessionState.Kind.Active -> if (state.needsPin) PinEntry(PinEntry.Purpose.CHOOSE) else null
        SessionState.Kind.Locked ->
            if (state.lockReason == LockReason.DeviceLocked) null else PinEntry(PinEntry.Purpose.UNLOCK)
        SessionState.Kind.PinRequired -> PinEntry(PinEntry.Purpose.UNLOCK, state.triesLeft)
        else -> null
    }

    /** Reads what the session said to a request; null for no error. */
    fun of(failure: SessionException?, request: PinEntry.Request): PinEntry.Answer = of(
        failure?.kind, failure?.triesLeft, failure?.keyFailure, request is PinEntry.Request.UnlockWithBiometrics)

    fun of(
        kind: SessionException.Kind?, triesLeft: Int?, keyFailure: String?, isBiometric: Boolean,
    ): PinEntry.Answer = when (kind) {
        null -> PinEntry.Answer.Accepted
        SessionException.Kind.WrongPin -> PinEntry.Answer.WrongPin(triesLeft)
        SessionException.Kind.NoResponse -> PinEntry.Answer.NoResponse
        SessionException.Kind.NoBiometrics -> PinEntry.Answer.NoBiometrics
        // A sensor that is locked or busy leaves the PIN.
        SessionException.Kind.Key ->
            if (isBiometric || keyFailure == CANCELLED) PinEntry.Answer.NoBiometrics else PinEntry.Answer.Refused
        else -> PinEntry.Answer.Refused
    }

    private const val CANCELLED = "cancelled_by_user"
}
