package dev.switchback.session

import dev.switchback.AttestationChallenge
import dev.switchback.Base64Url
import dev.switchback.BehaviourCase
import dev.switchback.BiometricPrompt
import dev.switchback.Clock
import dev.switchback.DeviceKey
import dev.switchback.DeviceKeys
import dev.switchback.HttpEngine
import dev.switchback.HttpRequest
import dev.switchback.HttpResponse
import dev.switchback.JsonValue
import dev.switchback.P256PublicKey
import dev.switchback.PinMask
import dev.switchback.PinSecret
import dev.switchback.SecretStore
import dev.switchback.SessionStore
import dev.switchback.WrappedPin
import dev.switchback.WrappingKey
import dev.switchback.WrappingPurpose
import dev.switchback.check
import dev.switchback.text
import java.io.IOException
import java.math.BigInteger
import java.util.Random
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Runnable

/** A thread that does what is there to do, and then stops. So a test sees when a client does nothing more. */
internal class ThreadOfCase : CoroutineDispatcher() {
    private val queue = ArrayDeque<Runnable>()

    override fun dispatch(context: CoroutineContext, block: Runnable) {
        queue.add(block)
    }

    fun run() {
        var count = 0
        while (queue.isNotEmpty()) {
            count += 1
            if (count > SessionCasePlayer.ENDLESS) error("the step does not end")
            queue.removeFirst().run()
        }
    }
}

/** The phone of a case: its network, clock, store, keys and chance. It notes what a client does with them. */
internal class SessionCasePhone(
    private val words: SessionCaseWords, saved: JsonValue?, val hasMakerKeys: Boolean,
) : DeviceKeys {
    /** What the client has done in this step. */
    val log = ArrayList<JsonValue>()
    val thread = ThreadOfCase()

    /** What is stored, with the names that the case has for keys. */
    var stored = words.record(saved)
        private set
    private var bytes: ByteArray? =
        if (saved == null) null else SessionStore.write(stored.copy(keyName = stored.keyName?.let(::longName)))
    private var storageWorks = true

    /** Counts the starts of the app. What a former process does no longer counts. */
    private var process = 0

    fun restart(isFirst: Boolean) {
        process += 1
        if (!isFirst) now = 50_000
        calls.clear()
        underWay = null
        timer = null
    }

    /** Reads what a step says about the phone. It stays so. */
    fun change(json: JsonValue?) {
        if (json == null) return
        json.check("storage", "key")
        when (json["storage"]?.string) {
            "fails" -> storageWorks = false
            "works" -> storageWorks = true
            // The store itself cannot wait: see `leftOut`.
            "waits" -> gate = CompletableDeferred()
            null -> {}
            else -> throw BehaviourCase.FormatError("unknown storage in ${json.text}")
        }
        keys.change(json)
    }

    // --- The store --------------------------------------------------------------------------------------------------

    val store = object : SecretStore {
        override fun read(name: String): ByteArray? = bytes

        override fun replace(name: String, bytes: ByteArray) {
            val new = SessionStore.read(bytes) ?: throw BehaviourCase.FormatError("an unreadable record is stored")
            val record = new.copy(keyName = new.keyName?.let(::shortName))
            val old = words.word(stored)
            log.add(objectOf("store" to JsonValue.of(words.word(record).filter { old[it.key] != it.value })))
            if (!storageWorks) throw IOException("the storage is full")
            stored = record
            this@SessionCasePhone.bytes = bytes
        }

        override fun delete(name: String) {
            bytes = null
        }

        override fun names(): List<String> = listOf("session")
    }

    // --- The network ------------------------------------------------------------------------------------------------

    private val calls = ArrayList<CompletableDeferred<HttpResponse?>>()
    private val proofs = ArrayList<String>()

    /** The call that is neither answered nor aborted. */
    private var underWay: CompletableDeferred<HttpResponse?>? = null

    val network = object : HttpEngine {
        override suspend fun send(request: HttpRequest): HttpResponse {
            val own = process
            val call = CompletableDeferred<HttpResponse?>()
            if (underWay != null) log.add(json("a second call: $request"))
            calls.add(call)
            underWay = call
            log.add(words.call(shortened(request), stored.session?.id ?: "", wall, proofs))
            return try {
                call.await() ?: throw IOException("no response")
            } catch (error: CancellationException) {
                if (own == process) {
                    log.add(objectOf("abort" to JsonValue.of(true)))
                    if (underWay == call) underWay = null
                }
                throw error
            }
        }
    }

    /** Answers a call: the one under way, or the one with this number. Null is no response. */
    fun respond(number: Int?, response: HttpResponse?) {
        val call = if (number == null) underWay else calls.getOrNull(number - 1)
        if (call == null) throw BehaviourCase.FormatError("no call is under way")
        if (number == null) underWay = null
        call.complete(response)
    }

    /** The request as the cases have it: a PIN's name is one byte there, and a signature the hash of its text. */
    private fun shortened(request: HttpRequest): HttpRequest {
        val body = request.body?.let { if (it.decodeToString().startsWith("{")) renamed(it, false) else it }
        val (head, claims, signature) = request.headers["DPoP"]?.split(".") ?: return request
        val bytes = Base64Url.decode(signature) ?: ByteArray(0)
        val isOurs = bytes.size == 64 && BigInteger(1, bytes.copyOfRange(32, 64)) == BigInteger.ONE
        val hash = Base64Url.encode(if (isOurs) bytes.copyOf(32) else bytes)
        val headers = request.headers + ("DPoP" to "$head.$claims.$hash")
        return HttpRequest(request.method, request.url, headers, body, request.timeoutMillis)
    }

    // --- The clocks -------------------------------------------------------------------------------------------------

    private var now = 1_000_000L
    private var wall = 1_800_000_000_000L
    private var timer: Pair<Long, CompletableDeferred<Unit>>? = null

    val clock = object : Clock {
        override fun monotonicMillis(): Long = now

        override fun wallMillis(): Long = wall

        override suspend fun sleep(milliseconds: Long) {
            val end = CompletableDeferred<Unit>()
            timer = now + milliseconds to end
            log.add(objectOf("timer_ms" to JsonValue.of(milliseconds)))
            end.await()
        }
    }

    fun pass(milliseconds: Long, ofWallClock: Long) {
        now += milliseconds
        wall += milliseconds + ofWallClock
    }

    fun fire() {
        val (time, end) = timer ?: throw BehaviourCase.FormatError("no timer is set")
        now = maxOf(now, time)
        timer = null
        end.complete(Unit)
    }

    // --- The keys ---------------------------------------------------------------------------------------------------

    private val keys = CaseKeys(stored.key)
    private var gate: CompletableDeferred<Unit>? = null
    var key: P256PublicKey? by keys::key

    /** Whether the next look for the key that wraps PINs finds none. */
    var losesPins = false

    /** Whether a key would be made now. */
    val mayMakeKey: Boolean get() = keys.error == null

    /** The key goes on, which waited. */
    fun goOn() {
        gate?.complete(Unit) ?: throw BehaviourCase.FormatError("nothing waits")
        gate = null
    }

    /** The name of a key that is made for a login has the challenge in it. The cases have short names. */
    fun challenge(name: String): ByteArray = name.encodeToByteArray().copyOf(AttestationChallenge.SIZE)

    fun longName(name: String): String = if (hasMakerKeys) AttestationChallenge.keyName(challenge(name)) else name

    private fun shortName(name: String): String {
        if (!hasMakerKeys) return name
        return AttestationChallenge.ofKey(name)?.decodeToString()?.trimEnd('\u0000') ?: "not made for a login: $name"
    }

    override suspend fun make(name: String, challenge: ByteArray): DeviceKey {
        val wanted = AttestationChallenge.keyName(challenge)
        return if (wanted == name) make(name) else throw BehaviourCase.FormatError("$name has the challenge $wanted")
    }

    override suspend fun make(name: String): DeviceKey {
        keys.error?.let { throw it }
        log.add(objectOf("make_key" to json(shortName(name))))
        return signing(keys.make())
    }

    override suspend fun find(name: String): DeviceKey? {
        gate?.await()
        keys.error?.let { throw it }
        return key?.let(::signing)
    }

    override suspend fun makeWrapping(name: String, purpose: WrappingPurpose): WrappingKey = wrapping(purpose)

    override suspend fun findWrapping(name: String, purpose: WrappingPurpose): WrappingKey? =
        if (losesPins) null.also { losesPins = false } else wrapping(purpose)

    private fun wrapping(purpose: WrappingPurpose) = if (purpose == WrappingPurpose.PIN) Wrapping() else Copies()

    override suspend fun remove(name: String) {
        log.add(objectOf("remove_keys" to json(shortName(name))))
        key = null
    }

    /** The signature is the hash of the message, and the number one. */
    private fun signing(key: P256PublicKey) = object : DeviceKey {
        override val publicKey = key

        override suspend fun sign(message: ByteArray): ByteArray {
            val first = BigInteger(1, sha256(message.decodeToString())).toByteArray()
            val numbers = byteArrayOf(2, first.size.toByte()) + first + byteArrayOf(2, 1, 1)
            return byteArrayOf(0x30, numbers.size.toByte()) + numbers
        }
    }

    /** What it wraps becomes the secret itself, so that the store has what the cases say. */
    private inner class Wrapping : WrappingKey {
        override suspend fun wrap(bytes: ByteArray, prompt: BiometricPrompt?): ByteArray = masked(bytes, chosen)

        override suspend fun unwrap(bytes: ByteArray, prompt: BiometricPrompt?): ByteArray {
            val pin = stored.pins.first { it.masked == Base64Url.encode(bytes) }
            return masked(typedSecrets[pin] ?: bytes, pin.salt)
        }

        private fun masked(bytes: ByteArray, salt: String): ByteArray {
            val mask = PinMask.derive(typed(), Base64Url.decode(salt) ?: ByteArray(0), 1)
            return ByteArray(bytes.size) { (bytes[it].toInt() xor mask[it].toInt()).toByte() }
        }
    }

    /** The copies for biometrics: each is one byte, and stands for the secret of the PIN that it is a copy of. */
    private inner class Copies : WrappingKey {
        override suspend fun wrap(bytes: ByteArray, prompt: BiometricPrompt?): ByteArray =
            throw BehaviourCase.FormatError("no case makes a copy")

        override suspend fun unwrap(bytes: ByteArray, prompt: BiometricPrompt?): ByteArray {
            val copies = stored.pins.filter { it.biometric == Base64Url.encode(bytes) }
            return Base64Url.decode(copies.single().masked) ?: ByteArray(0)
        }
    }

    /** What comes out of a stored PIN when the user types another one. */
    private val typedSecrets = HashMap<WrappedPin, ByteArray>()

    /** The user types a PIN: it is the stored ones, as far as they have these names, or another one. */
    fun type(names: List<String>) {
        typedSecrets.clear()
        if (names.size != stored.pins.size) throw BehaviourCase.FormatError("not a secret for each stored PIN: $names")
        for ((name, pin) in names.zip(stored.pins)) {
            if (name == words.word(pin).removeSuffix("+")) continue
            words.type(name, pin)
            typedSecrets[pin] = words.pin(json(name)).secret.copy()
        }
    }

    // --- Chance -----------------------------------------------------------------------------------------------------

    var jitter = 0.0
    private var count = 0
    private var chosenSecret = ByteArray(0)
    private var chosen = ""
    private var isSaltNext = false

    /** Makes sure that the next PIN has this secret and this salt. */
    fun choose(json: JsonValue?) {
        val candidate = words.pin(json)
        chosenSecret = candidate.secret.copy()
        chosen = candidate.pin.salt
    }

    val random = object : Random() {
        override fun nextDouble(): Double = jitter

        override fun nextBytes(bytes: ByteArray) {
            count += 1
            val next = when {
                bytes.size == PinSecret.SIZE -> chosenSecret
                isSaltNext -> Base64Url.decode(chosen) ?: ByteArray(0)
                else -> BigInteger.ONE.shiftLeft(120).add(count.toBigInteger()).toByteArray()
            }
            isSaltNext = bytes.size == PinSecret.SIZE
            next.copyInto(bytes)
        }
    }

    companion object {
        /** How long the salt of a PIN is. */
        const val SALT = 16

        /** The PIN of the user. What it is does not matter: only its mask is in what is stored. */
        fun typed(): ByteArray = "135790".encodeToByteArray()

        /** A body with the long names of PINs in the place of those of the cases, or the other way round. */
        fun renamed(body: ByteArray, isLong: Boolean): ByteArray =
            (1..3).fold(body.decodeToString()) { text, number ->
                val names = listOf(1, SALT).map { size -> Base64Url.encode(ByteArray(size) { number.toByte() }) }
                val (old, new) = if (isLong) names else names.reversed()
                text.replace("\"pin_id\":\"$old\"", "\"pin_id\":\"$new\"")
            }.encodeToByteArray()
    }
}
