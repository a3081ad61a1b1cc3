package dev.switchback.android

/** What the return activity takes. It is exported, so any app can start it with anything. */
internal object ReturnLinks {
    private const val LONGEST = 65_536

    /**
     * Returns the link of an Intent that may belong to a login, byte for byte, or null. Whether it begins with a return
     * prefix of a stored login is for the login to say.
     *
     * @param action the Intent's action
     * @param data the Intent's data as text
     */
    fun link(action: String?, data: String?): String? =
        data?.takeIf { action == "android.intent.action.VIEW" && it.length in 1..LONGEST && ':' in it }
}
