package dev.switchback.android

import dev.switchback.Coded

/** What a screen shows of a login that needs the user: its texts and buttons. Decide by [kind]. */
public class LoginScreen internal constructor(
    /** Which screen it is. */
    public val kind: Kind,
    /** What happened. */
    public val title: String,
    /** What to do now. Null if there is nothing. */
    public val text: String?,
    /** What was wrong with the last try. Null if nothing was. */
    public val note: String?,
    /** What the user can read out to support, with its label. Null before the server's first response. */
    public val reference: String?,
    /** The buttons. The first is what most users want, if there is more than one. */
    public val buttons: List<Button>,
    /** The name of the field for the code. */
    public val fieldLabel: String,
) {
    /** Which screen it is. Show one that you do not know with its texts and buttons. */
    public class Kind internal constructor(code: String) : Coded(code) {
        /** The screens of this version. */
        public companion object {
            /** The user seems to have left the browser. */
            @JvmField public val Paused: Kind = Kind("paused")

            /** The e-ID's app did not open. */
            @JvmField public val AppMissing: Kind = Kind("app_missing")

            /** The user types the six digits of the page. */
            @JvmField public val Code: Kind = Kind("code")

            /** The server gives no usable response, and the library retries. */
            @JvmField public val Retrying: Kind = Kind("retrying")

            /** The login goes on by itself. Only a screen that is there already becomes this one. */
            @JvmField public val Working: Kind = Kind("working")
        }
    }

    /** A button of a screen. */
    public class Button internal constructor(
        /** What the button does. */
        public val action: Action,
        /** What stands on it. */
        public val title: String,
    ) {
        /** What a button does. Leave one out that you do not know. */
        public class Action internal constructor(code: String) : Coded(code) {
            /** The actions of this version. */
            public companion object {
                /** Sends the digits. */
                @JvmField public val SendCode: Action = Action("send_code")

                /** Opens what the login waits for. */
                @JvmField public val ContinueLogin: Action = Action("continue_login")

                /** Gives up. */
                @JvmField public val GiveUp: Action = Action("give_up")
            }
        }
    }

    /** What TalkBack says when the screen changes. */
    public val announcement: String get() = note ?: title

    internal companion object {
        /**
         * Reads what a login is doing. Null if it needs no screen. [isOpen] says whether there is a screen already: it
         * stays until the login is over, so that it does not flicker between two steps.
         */
        fun of(progress: ScreenProgress, texts: ScreenTexts, isOpen: Boolean): LoginScreen? {
            val giveUp = Button(Button.Action.GiveUp, texts[ScreenText.GIVE_UP_BUTTON])
            val goOn = { text: ScreenText -> Button(Button.Action.ContinueLogin, texts[text]) }
            fun screen(
                kind: Kind, title: ScreenText, text: ScreenText?, buttons: List<Button>, note: String? = null,
            ) = LoginScreen(
                kind, texts[title], text?.let { texts[it] }, note,
                progress.reference?.let { "${texts[ScreenText.REFERENCE_LABEL]}: $it" }, buttons,
                texts[ScreenText.CODE_LABEL])
            val leaveOrStay =
                if (progress.canContinue) listOf(goOn(ScreenText.CONTINUE_BUTTON), giveUp) else listOf(giveUp)
            return when (progress.kind) {
                ScreenProgress.Kind.Nothing -> null
                ScreenProgress.Kind.Working -> if (!isOpen) null else
                    screen(Kind.Working, ScreenText.WORKING_TITLE, null, listOf(giveUp))
                ScreenProgress.Kind.Paused -> screen(
                    Kind.Paused, ScreenText.PAUSED_TITLE, ScreenText.PAUSED_TEXT.takeIf { progress.canContinue },
                    leaveOrStay)
                ScreenProgress.Kind.AppMissing -> screen(
                    Kind.AppMissing, ScreenText.APP_MISSING_TITLE,
                    if (progress.canContinue) ScreenText.APP_MISSING_TEXT else ScreenText.APP_NEEDED_TEXT, leaveOrStay)
                ScreenProgress.Kind.Code -> screen(
                    Kind.Code, ScreenText.CODE_TITLE, ScreenText.CODE_TEXT,
                    listOf(Button(Button.Action.SendCode, texts[ScreenText.CONTINUE_BUTTON])) +
                        (if (progress.canContinue) listOf(goOn(ScreenText.SHOW_PAGE_BUTTON)) else emptyList()) + giveUp,
                    progress.triesLeft?.let {
                        "${texts[ScreenText.WRONG_CODE_TEXT]} ${texts[ScreenText.TRIES_LABEL]}: $it"
                    })
                ScreenProgress.Kind.Retrying ->
                    screen(Kind.Retrying, ScreenText.RETRYING_TITLE, ScreenText.RETRYING_TEXT, listOf(giveUp))
            }
        }
    }
}

/** What a screen has to know of a login. */
internal class ScreenProgress(
    val kind: Kind,
    val canContinue: Boolean = false,
    val triesLeft: Int? = null,
    val reference: String? = null,
) {
    /** What the login needs of the user. What this version does not know is `WORKING`. */
    internal enum class Kind { Nothing, Working, Paused, AppMissing, Code, Retrying }
}
