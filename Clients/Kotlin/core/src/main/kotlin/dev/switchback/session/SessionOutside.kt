package dev.switchback

import java.security.SecureRandom
import java.util.Random
import java.util.UUID
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineDispatcher

/** What a session needs from outside: the server, the network, a clock, a store, keys and randomness. */
internal class SessionOutside(
    val server: String,
    val app: String,
    val name: String,
    val store: SecretStore,
    val keys: DeviceKeys,
    val http: HttpEngine,
    val clock: Clock,
    private val logger: Logger,
    val userAgent: String,
    /** Of PBKDF2 for a new PIN. Tests have less time. */
    val iterations: Int = 600_000,
    /** Whether the device's maker attests the key. */
    val attests: Boolean = false,
    val random: Random = SecureRandom(),
    /** Where the session runs. Tests have a thread that stops when there is nothing to do. */
    val dispatcher: CoroutineDispatcher = LibraryThreads.blocking,
    /** The name of the next key that may be made. */
    val newKeyName: () -> String = { UUID.randomUUID().toString() },
) {
    @Volatile
    private var offset = 0L

    /** The wall clock as the server has it, or as the device has it before there was a response. */
    fun now(): Long = clock.wallMillis() + offset

    /** Takes the server's time. APIs look at the time of a proof, and wall clocks of phones are often wrong. */
    fun setClock(serverMillis: Long) {
        val difference = serverMillis - clock.wallMillis()
        // The field has whole seconds, and the response took its time.
        offset = if (difference in -SMALLEST_OFFSET..SMALLEST_OFFSET) 0 else difference
    }

    fun randomBytes(count: Int): ByteArray = ByteArray(count).also(random::nextBytes)

    /** The id of a proof: 128 random bits. */
    fun randomId(): String = Base64Url.encode(randomBytes(16))

    /** A logger that fails does not end the session. */
    fun log(event: LogEvent) {
        runCatching { logger.log(event) }
    }

    fun gone() = DeviceKeyException(DeviceKeyException.Kind.GONE)

    /** Uses the keys. Some Keystores fail once in a while, so one that fails is asked again. */
    suspend fun <Result> usingKeys(work: suspend DeviceKeys.() -> Result): Result = try {
        usingKeysOnce(work)
    } catch (error: DeviceKeyException) {
        if (error.kind != DeviceKeyException.Kind.FAILED) throw error
        usingKeysOnce(work)
    }

    /** Uses the keys without a second try, because the user may have been asked. */
    suspend fun <Result> usingKeysOnce(work: suspend DeviceKeys.() -> Result): Result = try {
        keys.work()
    } catch (error: CancellationException) {
        throw error
    } catch (error: DeviceKeyException) {
        throw error
    } catch (error: Exception) {
        throw DeviceKeyException(DeviceKeyException.Kind.FAILED, null, error)
    }

    /** Signs with the key of this name, and returns r and s with 32 bytes each. */
    suspend fun sign(name: String, text: String): ByteArray = usingKeys {
        val key = find(name) ?: throw gone()
        val signature = key.sign(text.encodeToByteArray())
        EcdsaSignature.raw(signature) ?: throw DeviceKeyException(DeviceKeyException.Kind.FAILED)
    }

    private companion object {
        const val SMALLEST_OFFSET = 5_000L
    }
}
