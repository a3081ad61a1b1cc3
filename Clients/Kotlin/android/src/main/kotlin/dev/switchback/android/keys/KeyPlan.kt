package dev.switchback.android

/** In which ways a key is made, one after the other, until one works. */
internal object KeyPlan {
    /** One way to make a key. */
    data class Way(
        /** In the chip of its own that some phones have. Otherwise the key is in the TEE. */
        val strongBox: Boolean,
        /** With a statement of the phone's maker about the key. */
        val attested: Boolean,
    )

    /** Where a key is, and whether there is a statement about it. */
    class Made<T>(val key: T, val way: Way)

    private const val FIRST_STRONGBOX = 28

    /**
     * The statement matters more than the chip: a server may demand it. A phone that cannot make one still gets a key,
     * and the server decides.
     */
    fun ways(sdk: Int, hasStrongBox: Boolean, attested: Boolean): List<Way> {
        val chips = if (hasStrongBox && sdk >= FIRST_STRONGBOX) listOf(true, false) else listOf(false)
        val statements = if (attested) listOf(true, false) else listOf(false)
        return statements.flatMap { statement -> chips.map { Way(it, statement) } }
    }

    /**
     * Makes a key in the first way that works.
     *
     * @throws KeystoreTries.Failure of the last way, or at once if the phone is locked: no other way helps then
     */
    fun <T> make(ways: List<Way>, tries: KeystoreTries, make: (Way) -> T): Made<T> {
        for (way in ways) {
            try {
                return Made(tries.ask { make(way) }, way)
            } catch (failure: KeystoreTries.Failure) {
                if (failure.fault == KeystoreFault.LOCKED || way == ways.last()) throw failure
            }
        }
        error("there is always a way")
    }
}
