package dev.switchback.android

/** Where a key is made: one place after the other, until one works. */
internal object KeyPlan {
    /** Where a key is. */
    enum class Place {
        /** A chip of its own, which some phones have. */
        STRONGBOX,

        /** The protected part of the phone's processor. */
        TEE,
    }

    private const val FIRST_STRONGBOX = 28

    /** The places that a phone has, the best one first. */
    fun places(sdk: Int, hasStrongBox: Boolean): List<Place> =
        if (hasStrongBox && sdk >= FIRST_STRONGBOX) listOf(Place.STRONGBOX, Place.TEE) else listOf(Place.TEE)

    /**
     * Makes a key in the first place that works.
     *
     * @throws KeystoreTries.Failure of the last place, or at once if the phone is locked: no other place helps then
     */
    fun <T> make(places: List<Place>, tries: KeystoreTries, make: (Place) -> T): T {
        for (place in places) {
            try {
                return tries.ask { make(place) }
            } catch (failure: KeystoreTries.Failure) {
                if (failure.fault == KeystoreFault.LOCKED || place == places.last()) throw failure
            }
        }
        error("there is always a place")
    }
}
