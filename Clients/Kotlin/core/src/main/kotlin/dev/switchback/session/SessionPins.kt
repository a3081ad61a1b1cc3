package dev.switchback

import javax.crypto.SecretKeyFactory
import javax.crypto.spec.PBEKeySpec
import kotlinx.coroutines.withContext

/** The PIN of a session, and its copy for biometrics. */
internal class SessionPins(private val outside: SessionOutside, private val session: SessionClient) {
    suspend fun set(pin: ByteArray, biometrics: BiometricPrompt?) {
        try {
            check(pin)
            choose(pin, null, if (biometrics == null) Copy.None else Copy.New(biometrics))
        } finally {
            pin.fill(0)
        }
    }

    suspend fun unlock(pin: ByteArray) {
        val candidates = try {
            candidates(pin)
        } finally {
            pin.fill(0)
        }
        session.ask({ wipe(candidates) }) { SessionEvent.UnlockWanted(it, candidates) }
    }

    suspend fun change(old: ByteArray, new: ByteArray, biometrics: BiometricPrompt?) {
        try {
            check(new)
            val accepted = accepted(old)
            val copy = if (biometrics == null || accepted.pin.biometric == null) Copy.None else Copy.Kept(biometrics)
            choose(new, accepted, copy)
        } finally {
            old.fill(0)
            new.fill(0)
        }
    }

    suspend fun unlock(prompt: BiometricPrompt) {
        val record = session.record()
        val pins = record.pins.filter { it.biometric != null }
        val name = record.keyName
        if (name == null || pins.isEmpty()) throw noBiometrics()
        val key = wrappingKey(name, WrappingPurpose.BIOMETRICS) ?: throw noBiometrics()
        val candidates = pins.mapNotNull { pin ->
            val bytes = unwrap(pin.biometric ?: "", key, WrappingPurpose.BIOMETRICS, prompt) ?: throw noBiometrics()
            if (bytes.size == PinSecret.SIZE) PinCandidate(pin, PinSecret(bytes)) else null
        }
        session.ask({ wipe(candidates) }) { SessionEvent.UnlockWanted(it, candidates) }
    }

    suspend fun enableBiometrics(pin: ByteArray, prompt: BiometricPrompt) {
        val accepted = try {
            accepted(pin)
        } finally {
            pin.fill(0)
        }
        try {
            val record = session.record()
            val name = record.keyName ?: throw SessionException.signedOut(record.signOutReason)
            val biometric = wrapForBiometrics(accepted.secret, name, prompt)
            session.report(SessionEvent.BiometricsChanged(accepted.pin.copy(biometric = biometric)))
        } finally {
            accepted.secret.wipe()
        }
    }

    /** What becomes of the copy for biometrics with a new PIN. */
    private sealed interface Copy {
        data object None : Copy

        class New(val prompt: BiometricPrompt) : Copy

        class Kept(val prompt: BiometricPrompt) : Copy
    }

    private fun check(pin: ByteArray) {
        val isDigits = pin.all { it in '0'.code..'9'.code }
        if (pin.size < 6 || !isDigits) throw SessionException(SessionException.Kind.MalformedPin)
    }

    private fun wipe(candidates: List<PinCandidate>) = candidates.forEach { it.secret.wipe() }

    private fun noBiometrics() = SessionException(SessionException.Kind.NoBiometrics)

    /** A new PIN always has a new secret and a new salt: two maskings of one secret would betray both PINs. */
    private suspend fun choose(pin: ByteArray, old: PinCandidate?, copy: Copy) {
        val secret = PinSecret(outside.randomBytes(PinSecret.SIZE))
        val salt = outside.randomBytes(SALT)
        val wipe = {
            secret.wipe()
            old?.secret?.wipe()
        }
        val candidate = try {
            val record = session.record()
            val name = record.keyName
            if (record.session == null || name == null) throw SessionException.signedOut(record.signOutReason)
            PinCandidate(wrapped(pin, salt, secret, name, copy), secret)
        } catch (error: Throwable) {
            wipe()
            throw error
        }
        session.ask({ wipe() }) { SessionEvent.PinChosen(it, candidate, old) }
    }

    private suspend fun wrapped(
        pin: ByteArray, salt: ByteArray, secret: PinSecret, name: String, copy: Copy,
    ): WrappedPin {
        val mask = derive(pin, salt, outside.iterations)
        val masked = secret.masked(mask)
        mask.fill(0)
        val biometric = when (copy) {
            Copy.None -> null
            is Copy.New -> wrapForBiometrics(secret, name, copy.prompt)
            // When faces or fingers have changed, the new PIN has no copy.
            is Copy.Kept -> rewrapForBiometrics(secret, name, copy.prompt)
        }
        return WrappedPin(Base64Url.encode(salt), outside.iterations, wrap(masked, name), biometric)
    }

    /** Unlocks, and returns the candidate that the server accepted. The caller wipes its secret. */
    private suspend fun accepted(pin: ByteArray): PinCandidate {
        val candidates = candidates(pin)
        val answer = session.ask({ isWaiting -> if (!isWaiting) wipe(candidates) }) {
            SessionEvent.UnlockWanted(it, candidates)
        }
        val accepted = candidates[(answer as SessionReply.Unlocked).index]
        wipe(candidates - accepted)
        return accepted
    }

    /** Unmasks what this PIN unmasks. Nothing shows whether it is right. */
    private suspend fun candidates(pin: ByteArray): List<PinCandidate> {
        check(pin)
        val record = session.record()
        val name = record.keyName
        if (record.session == null || name == null) throw SessionException.signedOut(record.signOutReason)
        if (record.pins.isEmpty()) throw SessionException(SessionException.Kind.NoPin)
        val key = wrappingKey(name, WrappingPurpose.PIN) ?: throw SessionException(SessionException.Kind.NoPin)
        return record.pins.mapNotNull { wrapped ->
            val masked = unwrap(wrapped.masked, key, WrappingPurpose.PIN, null)
                ?: throw SessionException(SessionException.Kind.NoPin)
            val mask = derive(pin, Base64Url.decode(wrapped.salt) ?: ByteArray(0), wrapped.iterations)
            val secret = PinSecret.unmask(masked, mask)
            mask.fill(0)
            secret?.let { PinCandidate(wrapped, it) }
        }
    }

    private suspend fun derive(pin: ByteArray, salt: ByteArray, iterations: Int): ByteArray =
        withContext(outside.dispatcher) { PinMask.derive(pin, salt, iterations) }

    private suspend fun wrap(bytes: ByteArray, name: String): String = try {
        // A key that wraps former PINs must stay until the server has the new one.
        val purpose = WrappingPurpose.PIN
        val key = outside.usingKeys { findWrapping(name, purpose) ?: makeWrapping(name, purpose) }
        Base64Url.encode(outside.usingKeys { key.wrap(bytes, null) })
    } catch (error: DeviceKeyException) {
        throw failure(error, SessionException.Kind.NoWrappingKey)
    }

    private suspend fun wrapForBiometrics(secret: PinSecret, name: String, prompt: BiometricPrompt): String = try {
        val key = outside.usingKeys { makeWrapping(name, WrappingPurpose.BIOMETRICS) }
        wrap(secret, key, prompt)
    } catch (error: DeviceKeyException) {
        throw failure(error, SessionException.Kind.NoBiometrics)
    }

    /** Wraps under the present key, because the former secret may still be needed. */
    private suspend fun rewrapForBiometrics(secret: PinSecret, name: String, prompt: BiometricPrompt): String? = try {
        outside.usingKeys { findWrapping(name, WrappingPurpose.BIOMETRICS) }?.let { wrap(secret, it, prompt) }
    } catch (_: DeviceKeyException) {
        null
    }

    private suspend fun wrap(secret: PinSecret, key: WrappingKey, prompt: BiometricPrompt): String {
        val bytes = secret.copy()
        return try {
            Base64Url.encode(outside.usingKeysOnce { key.wrap(bytes, prompt) })
        } finally {
            bytes.fill(0)
        }
    }

    private fun failure(error: DeviceKeyException, kind: SessionException.Kind): SessionException =
        if (error.kind == DeviceKeyException.Kind.UNAVAILABLE || error.kind == DeviceKeyException.Kind.GONE) {
            SessionException(kind)
        } else {
            SessionException.of(error)
        }

    /** Returns null when the key is gone, and what it wrapped with it. The session itself is not. */
    private suspend fun wrappingKey(name: String, purpose: WrappingPurpose): WrappingKey? {
        val key = orNullIfGone { outside.usingKeys { findWrapping(name, purpose) } }
        if (key == null) session.report(SessionEvent.PinsLost(purpose))
        return key
    }

    private suspend fun unwrap(
        text: String, key: WrappingKey, purpose: WrappingPurpose, prompt: BiometricPrompt?,
    ): ByteArray? {
        val wrapped = Base64Url.decode(text)
        val bytes = orNullIfGone { wrapped?.let { outside.usingKeysOnce { key.unwrap(it, prompt) } } }
        if (bytes == null) session.report(SessionEvent.PinsLost(purpose))
        return bytes
    }

    private suspend fun <Result> orNullIfGone(work: suspend () -> Result?): Result? = try {
        work()
    } catch (error: DeviceKeyException) {
        if (error.kind != DeviceKeyException.Kind.GONE) throw SessionException.of(error)
        null
    }

    private companion object {
        const val SALT = 16
    }
}

/** Derives the mask of a secret from a PIN, which makes each guess of the PIN expensive. */
internal object PinMask {
    /** Returns the first 32 bytes of PBKDF2 with HMAC-SHA-256 (RFC 8018 §5.2). The PIN is ASCII. */
    fun derive(pin: ByteArray, salt: ByteArray, iterations: Int): ByteArray {
        val characters = CharArray(pin.size) { pin[it].toInt().toChar() }
        val spec = PBEKeySpec(characters, salt, iterations, PinSecret.SIZE * 8)
        return try {
            SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).encoded
        } finally {
            spec.clearPassword()
            characters.fill('0')
        }
    }
}
