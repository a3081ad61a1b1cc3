package dev.switchback.android

/**
 * Finds out that a Custom Tab or the e-ID's app is gone: the activity that opened it is in front again.
 *
 * What was launched while the activity starts appears after the `onResume` of the same start, so a return counts only
 * after the activity was stopped.
 */
internal data class TabWatch(
    /** Whether something is open above the activity. */
    val isOpen: Boolean = false,
    /** Whether it was in front. */
    val wasSeen: Boolean = false,
) {
    fun opened(): TabWatch = TabWatch(isOpen = true)

    /** The activity is behind it. */
    fun stopped(): TabWatch = if (isOpen) copy(wasSeen = true) else this

    /** Whether it is gone, now that the activity is in front. */
    val isGoneOnResume: Boolean get() = isOpen && wasSeen

    /** It was closed, or its result has come. */
    fun gone(): TabWatch = TabWatch()

    /** For the saved state of the activity. */
    fun toText(): String = "${if (isOpen) "open" else "closed"} ${if (wasSeen) "seen" else "unseen"}"

    companion object {
        /** Reads what [toText] wrote. After a kill what was open was also seen: the activity had been stopped. */
        fun read(text: String?): TabWatch =
            if (text != null && text.startsWith("open")) TabWatch(isOpen = true, wasSeen = true) else TabWatch()
    }
}
