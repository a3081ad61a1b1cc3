package dev.switchback.android

import android.content.Context
import android.content.DialogInterface
import android.hardware.biometrics.BiometricPrompt
import android.os.Build
import android.os.CancellationSignal
import dev.switchback.DeviceKeyException
import javax.crypto.Cipher
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.suspendCancellableCoroutine

/**
 * Asks for a face or finger with the system's own window, to set up biometrics and to unlock a session with them.
 *
 * It needs Android 9. On older phones nothing is asked, and the session says `NoBiometrics`: ask for the PIN.
 */
public class SystemBiometricPrompt @JvmOverloads public constructor(
    /** The activity that is in front. */
    private val context: Context,
    /** What the window says, such as `Unlock Shop`. */
    private val title: String,
    /** The button that leaves the window, such as `Use PIN`. */
    private val negativeButton: String,
    /** A line below the title. */
    private val subtitle: String? = null,
) : CipherPrompt {
    override suspend fun unlock(cipher: Cipher): Cipher {
        if (Build.VERSION.SDK_INT < FIRST_SDK) throw DeviceKeyException(DeviceKeyException.Kind.GONE)
        return suspendCancellableCoroutine { waiting ->
            val signal = CancellationSignal()
            fun fail(kind: DeviceKeyException.Kind, number: Int?) {
                if (waiting.isActive) waiting.resumeWithException(DeviceKeyException(kind, number))
            }
            val callback = object : BiometricPrompt.AuthenticationCallback() {
                override fun onAuthenticationSucceeded(result: BiometricPrompt.AuthenticationResult) {
                    if (waiting.isActive) waiting.resume(result.cryptoObject?.cipher ?: cipher)
                }

                override fun onAuthenticationError(errorCode: Int, errString: CharSequence) =
                    fail(BiometricOutcome.of(errorCode), errorCode)
            }
            waiting.invokeOnCancellation { signal.cancel() }
            MainThread.executor.execute {
                if (!waiting.isActive) return@execute
                try {
                    window { fail(DeviceKeyException.Kind.CANCELLED, null) }
                        .authenticate(BiometricPrompt.CryptoObject(cipher), signal, MainThread.executor, callback)
                } catch (_: RuntimeException) {
                    // Phones without a sensor, or an activity that is gone.
                    fail(DeviceKeyException.Kind.FAILED, null)
                }
            }
        }
    }

    private fun window(left: () -> Unit): BiometricPrompt {
        val builder = BiometricPrompt.Builder(context).setTitle(title)
            .setNegativeButton(negativeButton, MainThread.executor, DialogInterface.OnClickListener { _, _ -> left() })
        subtitle?.let { builder.setSubtitle(it) }
        return builder.build()
    }

    internal companion object {
        /** `android.hardware.biometrics.BiometricPrompt` is there since Android 9. */
        const val FIRST_SDK: Int = 28
    }
}
