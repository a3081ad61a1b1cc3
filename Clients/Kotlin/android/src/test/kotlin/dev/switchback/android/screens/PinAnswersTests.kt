package dev.switchback.android

import dev.switchback.LockReason
import dev.switchback.SessionException
import dev.switchback.SessionState
import dev.switchback.SignOutReason
import org.junit.Assert.assertEquals
import org.junit.Test

/** What a screen for the PIN reads of the session. Each text is its own name here. */
class PinAnswersTests {
    private val texts = ScreenTexts { it.name }

    /** A state of the session, and the title and note of the screen for it; null for none. */
    private val states = listOf(
        SessionState.active(true) to "NEW_PIN_TITLE null", SessionState.active(false) to null,
        SessionState.pinRequired(null) to "PIN_TITLE null",
        SessionState.pinRequired(3) to "PIN_TITLE TRIES_LABEL: 3",
        SessionState.locked(LockReason.ByApp) to "PIN_TITLE null",
        SessionState.locked(LockReason.DeviceLocked) to null, SessionState.stepUpRequired to null,
        SessionState.signedOut(SignOutReason.ByUser) to null,
    )

    @Test
    fun `each state of a session has its screen`() {
        for ((state, screen) in states) {
            val entry = PinAnswers.entry(state)
            assertEquals("$state", screen, entry?.let { "${it.title(texts)} ${it.note(texts)}" })
        }
    }

    private class Row(
        val kind: SessionException.Kind?, val answer: String, val keyFailure: String? = null,
        val isBiometric: Boolean = false,
    )

    private val rows = listOf(
        Row(null, "Accepted"), Row(SessionException.Kind.WrongPin, "WrongPin"),
        Row(SessionException.Kind.NoResponse, "NoResponse"), Row(SessionException.Kind.NoBiometrics, "NoBiometrics"),
        Row(SessionException.Kind.Key, "NoBiometrics", "cancelled_by_user"),
        Row(SessionException.Kind.Key, "NoBiometrics", "failed", isBiometric = true),
        Row(SessionException.Kind.Key, "Refused", "failed"),
        Row(SessionException.Kind.StepUpRequired, "Refused"), Row(SessionException.Kind.NoPin, "Refused"),
        Row(SessionException.Kind.SignedOut, "Refused"),
    )

    @Test
    fun `each error of a session leaves what helps`() {
        for (row in rows) {
            val answer = PinAnswers.of(row.kind, 4, row.keyFailure, row.isBiometric)
            assertEquals("${row.kind} ${row.keyFailure}", row.answer, answer.javaClass.simpleName)
        }
    }
}
