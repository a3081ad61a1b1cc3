package dev.switchback.android

import dev.switchback.DeviceKeyException

/** What a failure of the Keystore means for a session. */
internal object DeviceKeyFault {
    fun of(fault: KeystoreFault): DeviceKeyException.Kind = when (fault) {
        // A key that is there, and bytes that it did not encrypt: what they were is lost as well.
        KeystoreFault.GONE, KeystoreFault.TAMPERED -> DeviceKeyException.Kind.GONE
        KeystoreFault.LOCKED, KeystoreFault.UNSUPPORTED -> DeviceKeyException.Kind.UNAVAILABLE
        KeystoreFault.UNKNOWN -> DeviceKeyException.Kind.FAILED
    }

    /** Runs [body], and turns its failures into those of a session. */
    inline fun <T> guard(tries: KeystoreTries, body: () -> T): T = try {
        body()
    } catch (failure: DeviceKeyException) {
        throw failure
    } catch (failure: kotlin.coroutines.cancellation.CancellationException) {
        throw failure
    } catch (failure: Exception) {
        throw DeviceKeyException(of(tries.fault(failure)), tries.number(failure), failure)
    }
}
