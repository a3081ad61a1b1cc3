package dev.switchback

import kotlinx.coroutines.delay

/** The two clocks of a device, and how to wait. Tests replace it. */
public interface Clock {
    /**
     * Milliseconds since an arbitrary start, on a clock that only goes forward. Wall clocks of phones are often wrong,
     * so all waiting goes by this one. On Android it should also run while the device sleeps
     * (`SystemClock.elapsedRealtime`).
     */
    public fun monotonicMillis(): Long

    /** Milliseconds since 1970, by the wall clock. */
    public fun wallMillis(): Long

    /** Returns after this many milliseconds. */
    public suspend fun sleep(milliseconds: Long) {
        delay(milliseconds)
    }

    /** The clocks that there are. */
    public companion object {
        /** The clocks of the Java virtual machine. */
        @JvmField
        public val System: Clock = object : Clock {
            override fun monotonicMillis(): Long = java.lang.System.nanoTime() / 1_000_000

            override fun wallMillis(): Long = java.lang.System.currentTimeMillis()
        }
    }
}
