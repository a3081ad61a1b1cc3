package dev.switchback.android

/** The texts of the screens in the user's language. */
internal fun interface ScreenTexts {
    operator fun get(text: ScreenText): String
}
