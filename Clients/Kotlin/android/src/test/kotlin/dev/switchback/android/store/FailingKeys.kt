package dev.switchback.android

import java.security.GeneralSecurityException
import java.security.SecureRandom
import javax.crypto.SecretKey
import javax.crypto.spec.SecretKeySpec

/** A Keystore in memory, which fails when a test says so. */
internal class FailingKeys : StoreKeys {
    val keys = mutableMapOf<String, SecretKey>()

    /** What the next calls throw, one after the other; null for none. */
    val failures = ArrayDeque<Throwable?>()

    /** What every call for this key throws. */
    val dead = mutableMapOf<String, Throwable>()
    var calls = 0

    override fun find(name: String): SecretKey? = call(name) { keys[name] }

    override fun make(name: String): SecretKey = call(name) {
        dead.remove(name)
        val key = SecretKeySpec(ByteArray(32).also(SecureRandom()::nextBytes), "AES")
        key.also { keys[name] = it }
    }

    override fun remove(name: String): Unit = call(name) { keys.remove(name) }

    override fun names(): List<String> = call("") { keys.keys.toList() }

    private fun <T> call(name: String, body: () -> T): T {
        calls += 1
        failures.removeFirstOrNull()?.let { throw it }
        if (Thread.currentThread().stackTrace.none { it.methodName == "make" }) dead[name]?.let { throw it }
        return body()
    }
}

/** What Android throws, by the name of its class. */
internal class AndroidFailure(val name: String, message: String = "", val number: Int? = null, cause: Throwable? = null) :
    GeneralSecurityException(message, cause)

/** Reads what an [AndroidFailure] stands for. */
internal object TestFacts : KeystoreFault.Facts() {
    override fun name(failure: Throwable): String = (failure as? AndroidFailure)?.name ?: super.name(failure)

    override fun number(failure: Throwable): Int? = (failure as? AndroidFailure)?.number
}

internal val INVALIDATED = AndroidFailure("android.security.keystore.KeyPermanentlyInvalidatedException")
internal val LOCKED = AndroidFailure("android.security.keystore.UserNotAuthenticatedException")
