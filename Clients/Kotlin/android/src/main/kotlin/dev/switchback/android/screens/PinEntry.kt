package dev.switchback.android

/** What a screen for a PIN asks for, and what follows from what the user typed. It wipes each PIN after its use. */
internal class PinEntry(val purpose: Purpose, private var triesLeft: Int? = null) {
    /** What the screen is for. */
    internal enum class Purpose { UNLOCK, CHOOSE }

    /** What the session has to do. Who gets a PIN wipes it. */
    internal sealed interface Request {
        class Unlock(val pin: ByteArray) : Request

        data object UnlockWithBiometrics : Request

        class Choose(val pin: ByteArray) : Request
    }

    /** What the session said to a PIN. */
    internal sealed interface Answer {
        data object Accepted : Answer

        class WrongPin(val triesLeft: Int?) : Answer

        data object NoResponse : Answer

        /** The user dismissed the system's question, or biometrics are gone. The PIN still helps. */
        data object NoBiometrics : Answer

        /** The user can do nothing about it here. */
        data object Refused : Answer
    }

    /** What was wrong with the last try. */
    private enum class Note(val text: ScreenText) {
        WRONG(ScreenText.WRONG_PIN_TEXT),
        DIFFERENT(ScreenText.DIFFERENT_PIN_TEXT),
        EASY(ScreenText.EASY_PIN_TEXT),
        NO_RESPONSE(ScreenText.NO_RESPONSE_TEXT),
    }

    val input: DigitField = DigitField(LONGEST, '\u2022')

    /** Whether the session has a PIN to judge, so that the buttons wait. */
    var isBusy: Boolean = false
        private set

    private var firstPin: ByteArray? = null
    private var note: Note? = null

    /** A PIN is six digits or more. */
    val isComplete: Boolean get() = input.count >= SHORTEST && !isBusy

    /** The user wants to use a face or finger. */
    fun submitBiometrics(): Request? {
        if (purpose != Purpose.UNLOCK || isBusy) return null
        isBusy = true
        note = null
        return Request.UnlockWithBiometrics
    }

    /** The user says that the PIN is whole. Returns null if there is nothing for the session to do. */
    fun submit(): Request? {
        if (!isComplete) return null
        val pin = input.digits()
        if (purpose == Purpose.UNLOCK) {
            isBusy = true
            note = null
            return Request.Unlock(pin)
        }
        val first = firstPin
        if (first != null && first.contentEquals(pin)) {
            isBusy = true
            note = null
            return Request.Choose(pin)
        }
        input.clear()
        note = if (first != null) Note.DIFFERENT else Note.EASY.takeIf { isEasy(pin) }
        forgetFirstPin()
        if (note == null) firstPin = pin else pin.fill(0)
        return null
    }

    /** The session has answered. Returns whether the user can do something here, and not only the app. */
    fun take(answer: Answer): Boolean {
        isBusy = false
        when (answer) {
            // What was typed stays: the same PIN again is the same try.
            Answer.NoResponse -> note = Note.NO_RESPONSE
            Answer.NoBiometrics -> if (purpose != Purpose.UNLOCK) return refused()
            is Answer.WrongPin -> {
                input.clear()
                note = Note.WRONG
                triesLeft = answer.triesLeft
            }
            Answer.Accepted -> {
                wipe()
                note = null
            }
            Answer.Refused -> return refused()
        }
        return true
    }

    /** Forgets all that was typed: the screen goes away. */
    fun wipe() {
        input.clear()
        forgetFirstPin()
    }

    fun title(texts: ScreenTexts): String = texts[
        when {
            purpose == Purpose.UNLOCK -> ScreenText.PIN_TITLE
            firstPin == null -> ScreenText.NEW_PIN_TITLE
            else -> ScreenText.REPEAT_PIN_TITLE
        }]

    fun text(texts: ScreenTexts): String? =
        if (purpose == Purpose.CHOOSE && firstPin == null) texts[ScreenText.NEW_PIN_TEXT] else null

    /** What was wrong, and how many tries are left. */
    fun note(texts: ScreenTexts): String? = listOfNotNull(
        note?.let { texts[it.text] }, triesLeft?.let { "${texts[ScreenText.TRIES_LABEL]}: $it" },
    ).joinToString(" ").ifEmpty { null }

    private fun refused(): Boolean {
        wipe()
        note = null
        return false
    }

    private fun forgetFirstPin() {
        firstPin?.fill(0)
        firstPin = null
    }

    internal companion object {
        const val SHORTEST: Int = 6
        const val LONGEST: Int = 32

        /** Whether neighbours always differ by the same, as in 111111, 123456 and 987654. */
        private fun isEasy(pin: ByteArray): Boolean =
            pin.toList().zipWithNext { one, next -> Math.floorMod(next - one, 10) }.distinct().size <= 1
    }
}
