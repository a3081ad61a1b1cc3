package dev.switchback

import java.io.Closeable
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.asStateFlow
import kotlinx.coroutines.launch

/**
 * The entry point for sessions. A client has one session of one user: it begins after a login, and gives access tokens
 * that are bound to a key of this device.
 *
 * Create one client when the app starts, and keep it. Several users of one phone have a client each, with a `name`
 * each. All calls may come from any thread. They throw a [SessionException]; its `kind` says what to do. Cancelling
 * a coroutine ends its waiting: what it asked for is done nevertheless.
 *
 * PINs are ASCII digits in a byte array, which the library overwrites with zeros before it returns.
 */
public class SessionClient internal constructor(private val outside: SessionOutside) : Closeable {
    /**
     * Creates a client.
     *
     * @param config what it needs to know; its `store` must be set. The store gets the refresh token and the masked
     *   secret of the PIN, and never an access token
     * @param keys makes the keys; on Android the Keystore
     * @param name the name of the record in the store: one for each user of the device
     */
    @JvmOverloads
    public constructor(config: SwitchbackConfig, keys: DeviceKeys, name: String = "session") : this(
        SessionOutside(
            config.server.trimEnd('/'), config.app, name,
            requireNotNull(config.store) { "SwitchbackConfig.store is not set" }, keys, config.http, config.clock,
            config.logger, config.userAgent, attests = config.attestation,
        ),
    )

    private val scope = CoroutineScope(SupervisorJob() + outside.dispatcher)
    private val callers = SessionCallers()
    private val shown = MutableStateFlow<SessionState?>(null)
    private val runner = SessionRunner(outside, scope, callers) { shown.value = it }
    private val pins = SessionPins(outside, this)

    init {
        scope.launch { runner.run() }
        runner.report(SessionEvent.Started)
    }

    /**
     * How the session stands; null until the store was read. Any number of collectors may read it, each begins with the
     * present state, and one that goes away ends nothing.
     */
    public val state: StateFlow<SessionState?> get() = shown.asStateFlow()

    /** Stops everything as if the app had been killed. The store keeps the session. */
    override fun close() {
        scope.cancel()
        callers.close()
    }

    /**
     * Returns the thumbprint of this device's key, which is made if there is none. Each login whose session this client
     * is to begin carries it: give it to [LoginManager] as its `thumbprint`.
     *
     * @param challenge what the device's maker has to attest about the key, if [SwitchbackConfig.attestation] is set: a
     *   key that has no session yet, and was made for another challenge, is made anew
     */
    @JvmOverloads
    public suspend fun thumbprint(challenge: ByteArray? = null): String {
        val isAttested = challenge != null && outside.attests
        val name = if (isAttested) AttestationChallenge.keyName(challenge!!) else outside.newKeyName()
        return (ask { SessionEvent.KeyWanted(it, name, isAttested) } as SessionReply.Thumbprint).thumbprint
    }

    /**
     * Begins the session after a login, or renews it after a step-up. Then it acknowledges the login, so that the
     * server deletes it: pass the assertion to your API before, if you do. Calling it again is safe. When the app was
     * killed, [LoginManager] has the login again.
     */
    public suspend fun begin(login: LoginResult.Completed) {
        val thumbprint = login.thumbprint ?: throw SessionException(SessionException.Kind.WrongLogin)
        begin(login.pollSecret, thumbprint, login.dpopNonce)
        login.acknowledge()
    }

    /**
     * The same for an app that has made the login by itself. It deletes the login (rule 5) afterwards, and not before:
     * this needs it.
     *
     * @param pollSecret the login's
     * @param thumbprint the one that the login carried
     * @param nonce the last `DPoP-Nonce` of the login's responses, if it is known. It spares a request
     */
    @JvmOverloads
    public suspend fun begin(pollSecret: Secret, thumbprint: String, nonce: String? = null) {
        val statement = attestation(pollSecret)
        ask { SessionEvent.BeginWanted(it, pollSecret, thumbprint, nonce, statement) }
    }

    /**
     * The statement about the key, if it was made for this login. Without one the server decides: it begins the session
     * nevertheless, or refuses that as `attestation_required`.
     */
    private suspend fun attestation(pollSecret: Secret): KeyAttestation? {
        if (!outside.attests) return null
        val name = AttestationChallenge.keyName(AttestationChallenge.of(pollSecret))
        if (record(isFresh = false).keyName != name) return null
        return try {
            outside.usingKeys { find(name) }?.let { KeyAttestation.of(it.certificates) }
        } catch (_: DeviceKeyException) {
            null
        }
    }

    /**
     * Logs the user in again with the e-ID, and goes on with the session. It keeps its PIN.
     *
     * @param logIn starts the login, such as [LoginManager.logIn] with a provider of a higher level
     * @return how the login ended
     */
    public suspend fun stepUp(logIn: suspend () -> LoginResult): LoginResult {
        val result = logIn()
        if (result is LoginResult.Completed) begin(result)
        return result
    }

    /**
     * Returns an access token, and gets a new one first if needed. Callers at the same time share one renewal.
     *
     * @param isNew gets a new one in any case: your API has refused the last one
     */
    @JvmOverloads
    public suspend fun accessToken(isNew: Boolean = false): Secret =
        (ask { SessionEvent.TokenWanted(it, isNew) } as SessionReply.Token).token

    /**
     * Returns the header of a request to your API: `Authorization` with an access token, and `DPoP` with a proof for
     * this method and URL (RFC 9449 §7.1). Each request needs its own. [ApiCalls] does this for you.
     *
     * @param nonce your API's, if it wants one (§9)
     */
    @JvmOverloads
    public suspend fun authorize(method: String, url: String, nonce: String? = null): Map<String, String> {
        val token = accessToken()
        val record = record(isFresh = false)
        val name = record.keyName
        val key = record.key
        if (name == null || key == null) throw SessionException.signedOut(record.signOutReason)
        val proof = DpopProof(key, method, url, outside.randomId(), Math.floorDiv(outside.now(), 1000L))
        proof.nonce = nonce
        proof.accessToken = token
        val text = proof.signingInput
        return try {
            val signature = outside.sign(name, text)
            mapOf("Authorization" to "DPoP ${token.exposed}", "DPoP" to text + "." + Base64Url.encode(signature))
        } catch (error: DeviceKeyException) {
            if (error.kind == DeviceKeyException.Kind.GONE) report(SessionEvent.KeyGone)
            throw SessionException.of(error)
        }
    }

    /**
     * Sets the PIN: six ASCII digits or more. The server takes it within 15 minutes of the login, and later this throws
     * `StepUpRequired`.
     *
     * @param biometrics lets a face or finger unlock, too
     */
    @JvmOverloads
    public suspend fun setPin(pin: ByteArray, biometrics: BiometricPrompt? = null): Unit = pins.set(pin, biometrics)

    /**
     * Unlocks the session with its PIN, and gets a new access token. `WrongPin` says how many tries are left.
     *
     * If there is no response, call it again with the same PIN: it counts once.
     */
    public suspend fun unlock(pin: ByteArray): Unit = pins.unlock(pin)

    /** Unlocks the session by face or finger. The system asks the user. */
    public suspend fun unlock(prompt: BiometricPrompt): Unit = pins.unlock(prompt)

    /**
     * Replaces the PIN: unlocks with the old one, then sets a new secret under the new one.
     *
     * @param biometrics keeps the unlock by face or finger, if there was one; without it, the new PIN has none
     */
    @JvmOverloads
    public suspend fun changePin(old: ByteArray, new: ByteArray, biometrics: BiometricPrompt? = null): Unit =
        pins.change(old, new, biometrics)

    /** Unlocks with the PIN, and adds a copy of its secret for biometrics. */
    public suspend fun enableBiometrics(pin: ByteArray, prompt: BiometricPrompt): Unit =
        pins.enableBiometrics(pin, prompt)

    /** Removes the copy for biometrics. */
    public fun disableBiometrics(): Unit = report(SessionEvent.PinsLost(WrappingPurpose.BIOMETRICS))

    /** Whether a face or finger can unlock. */
    public suspend fun hasBiometrics(): Boolean = record().pins.any { it.biometric != null }

    /**
     * Locks the session until `unlock`, on this device only. It does nothing in a session without a PIN, which nobody
     * could unlock.
     */
    public fun lock(): Unit = report(SessionEvent.LockWanted)

    /**
     * Returns the user's sessions on all devices. The server wants a session that was unlocked, or whose login is at
     * most 15 minutes old, and else this throws `StepUpRequired`.
     */
    public suspend fun sessions(): List<SessionSummary> =
        (ask { SessionEvent.ListWanted(it) } as SessionReply.Sessions).list

    /** Ends one of the user's sessions, on the same condition. The session's own id signs out here. */
    public suspend fun end(id: String) {
        ask { SessionEvent.EndWanted(it, id) }
    }

    /**
     * Ends the session here at once, removes its keys, and tells the server. It works without a network and without the
     * key. Returns false when the server could not be told yet: it is told later, also after the next start.
     */
    public suspend fun signOut(): Boolean =
        callers.ask({}) { report(SessionEvent.SignOutWanted(it)) } == SessionReply.Done

    /**
     * Whether the server was not told yet of a sign-out. It is told as soon as it can be, as long as this client is not
     * closed.
     */
    public suspend fun owesSignOut(): Boolean = record().revocations.isNotEmpty()

    internal fun report(event: SessionEvent) = runner.report(event)

    internal suspend fun ask(end: (Boolean) -> Unit = {}, event: (Int) -> SessionEvent): SessionReply {
        val reply = callers.ask(end) { report(event(it)) }
        // Several callers may get one error, and each has a stack of its own.
        if (reply is SessionReply.Failed) throw reply.error.copy()
        return reply
    }

    internal suspend fun record(isFresh: Boolean = true): SavedSession =
        (ask { SessionEvent.RecordWanted(it, isFresh) } as SessionReply.Record).record
}
