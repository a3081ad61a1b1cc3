package dev.switchback.android

/** What it means that a browser of a login is gone. */
internal sealed class TabEnd {
    /** It ended at a link to the app. */
    data class Link(val link: String) : TabEnd()

    /** The user closed or minimised it; Android does not say which. It is not the user's Cancel in the app. */
    object Closed : TabEnd()

    /**
     * The system could not verify the callback's host, or not in time, so the Auth Tab handed over no link. The login
     * goes on in a Custom Tab.
     */
    object NotVerified : TabEnd()

    companion object {
        /** Reads how an Auth Tab ended. The codes are those of `AuthTabIntent`. */
        fun of(resultCode: Int, link: String?): TabEnd = when (resultCode) {
            -1 -> link?.takeIf { it.isNotEmpty() }?.let(::Link) ?: Closed
            2, 3 -> NotVerified
            else -> Closed
        }
    }
}
