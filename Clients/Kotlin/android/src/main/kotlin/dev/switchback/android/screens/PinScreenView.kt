package dev.switchback.android

import android.content.Context
import android.view.View
import dev.switchback.SessionClient
import dev.switchback.SessionException
import dev.switchback.SessionState
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch

/**
 * A screen for the PIN of a session, or for a new one. Show it as long as there is one for the session's state:
 * [create] returns null if a PIN would not help.
 */
public class PinScreenView private constructor(
    context: Context,
    private val entry: PinEntry,
    private val session: SessionClient,
    private val biometrics: SystemBiometricPrompt?,
    private val failed: (SessionException) -> Unit,
) : SecureLayout(context) {
    private val texts: ScreenTexts = ResourceTexts(context)
    private val parts = ScreenParts(context)
    private val title = parts.title()
    private val text = parts.text()
    private val note = parts.note()
    private val input = DigitInput(context, entry.input, isSecret = true, ::update) { perform(entry.submit()) }
    private val button = parts.button(texts[ScreenText.CONTINUE_BUTTON]) { perform(entry.submit()) }
    private val finger = parts.button(texts[ScreenText.BIOMETRICS_BUTTON]) { perform(entry.submitBiometrics()) }
    private var scope: CoroutineScope? = null

    init {
        input.id = View.generateViewId()
        input.layoutParams = parts.row()
        title.labelFor = input.id
        for (part in listOf(title, text, note, input, button, finger)) column.addView(part)
        update()
    }

    override fun onDetachedFromWindow() {
        super.onDetachedFromWindow()
        scope?.cancel()
        scope = null
        entry.wipe()
        input.refresh()
    }

    private fun update() {
        ScreenParts.show(title, entry.title(texts))
        ScreenParts.show(text, entry.text(texts))
        ScreenParts.show(note, entry.note(texts))
        button.isEnabled = entry.isComplete
        finger.isEnabled = !entry.isBusy
        finger.visibility =
            if (biometrics != null && entry.purpose == PinEntry.Purpose.UNLOCK) View.VISIBLE else View.GONE
    }

    private fun perform(request: PinEntry.Request?) {
        if (request != null) running().launch { answer(request) }
        input.refresh()
        update()
    }

    private suspend fun answer(request: PinEntry.Request) {
        val failure = try {
            when (request) {
                is PinEntry.Request.Unlock -> session.unlock(request.pin)
                is PinEntry.Request.Choose -> session.setPin(request.pin, biometrics)
                PinEntry.Request.UnlockWithBiometrics -> biometrics?.let { session.unlock(it) }
            }
            null
        } catch (failure: SessionException) {
            failure
        }
        val goesOn = entry.take(PinAnswers.of(failure, request))
        input.refresh()
        update()
        if (failure != null && !goesOn) failed(failure)
    }

    private fun running(): CoroutineScope = scope ?: CoroutineScope(MainThread.dispatcher).also { scope = it }

    /** Makes the screen. */
    public companion object {
        /**
         * Returns the screen for a state of the session; null if the state asks for no PIN.
         *
         * @param biometrics sets up the unlock by face or finger with a new PIN, and offers it beside the PIN
         * @param failed gets the errors that the user can do nothing about here; the session's next state says what to
         *   show
         */
        @JvmStatic
        @JvmOverloads
        public fun create(
            context: Context, state: SessionState, session: SessionClient, biometrics: SystemBiometricPrompt? = null,
            failed: (SessionException) -> Unit = {},
        ): PinScreenView? =
            PinAnswers.entry(state)?.let { PinScreenView(context, it, session, biometrics, failed) }
    }
}
