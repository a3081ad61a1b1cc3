package dev.switchback.android

/** Counts the screens in a window that nobody may record. The first sets the window's flag, and the last clears it. */
internal class SecureCount {
    private var count = 0
    private var isOurs = false

    /** A screen comes. Returns whether to set the flag. [isSet] says that it is set already, by the app or by us. */
    fun enter(isSet: Boolean): Boolean {
        if (count == 0) isOurs = !isSet
        count += 1
        return !isSet
    }

    /** A screen goes. Returns whether to clear the flag: not if the app had set it. */
    fun leave(): Boolean {
        if (count == 0) return false
        count -= 1
        return count == 0 && isOurs
    }
}
