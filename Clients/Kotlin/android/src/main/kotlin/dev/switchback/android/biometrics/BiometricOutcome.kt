package dev.switchback.android

import dev.switchback.DeviceKeyException

/** What the errors of the system's biometric prompt mean for a session. After each of them the PIN helps. */
internal object BiometricOutcome {
    // The numbers of android.hardware.biometrics.BiometricPrompt.
    private const val TIMEOUT = 3
    private const val CANCELED = 5
    private const val USER_CANCELED = 10
    private const val NO_BIOMETRICS = 11
    private const val HW_NOT_PRESENT = 12

    fun of(error: Int): DeviceKeyException.Kind = when (error) {
        TIMEOUT, CANCELED, USER_CANCELED -> DeviceKeyException.Kind.CANCELLED
        // The phone destroys the key with the last finger.
        NO_BIOMETRICS, HW_NOT_PRESENT -> DeviceKeyException.Kind.GONE
        // Such as too many wrong fingers, or a sensor that is busy.
        else -> DeviceKeyException.Kind.FAILED
    }
}
