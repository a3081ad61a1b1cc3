package dev.switchback.android

/** What the login button of an e-ID says. */
internal object EidButtonText {
    /** The name; with a provider that is switched off also the operator's words, if there are any. */
    fun of(name: String, isEnabled: Boolean, notice: String?): String =
        if (isEnabled || notice.isNullOrBlank()) name else "$name\n$notice"
}
