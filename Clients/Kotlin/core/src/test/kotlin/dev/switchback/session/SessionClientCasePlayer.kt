package dev.switchback.session

import dev.switchback.BehaviourCase
import dev.switchback.BiometricPrompt
import dev.switchback.HttpResponse
import dev.switchback.JsonValue
import dev.switchback.Logger
import dev.switchback.Secret
import dev.switchback.SessionClient
import dev.switchback.SessionException
import dev.switchback.SessionOutside
import dev.switchback.SessionReply
import dev.switchback.check
import dev.switchback.memberMap
import dev.switchback.text
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch

/**
 * Plays a case with what an app has, a [SessionClient]: it is the server, the network, the clock, the store, the keys
 * and the user, and finds where the two differ.
 */
internal class SessionClientCasePlayer private constructor(private val row: BehaviourCase) {
    private val words = SessionCaseWords(row.context, SessionCasePhone.SALT)
    private val phone = SessionCasePhone(words, row.saved, row.steps.any { isForLogin(it) })
    private var client: SessionClient? = null
    private var app = CoroutineScope(Job())
    private var callers = 0
    private val signOuts = HashSet<Int>()
    private var keyName = ""

    private fun start() {
        client?.close()
        app.cancel()
        phone.thread.run()
        phone.log.clear()
        phone.restart(isFirst = client == null)
        val outside = SessionOutside(
            row.context.server, row.context["app"].string ?: "", "session", phone.store, phone, phone.network,
            phone.clock, Logger.None, "test", iterations = 1, random = phone.random, dispatcher = phone.thread,
            newKeyName = { phone.longName(keyName) }, attests = phone.hasMakerKeys,
        )
        val started = SessionClient(outside)
        client = started
        app = CoroutineScope(Job())
        app.launch(Dispatchers.Unconfined) {
            started.state.collect { state -> if (state != null) phone.log.add(words.word(state)) }
        }
    }

    private fun play(step: JsonValue): Pair<JsonValue, JsonValue> {
        phone.pass(step["after_ms"]?.long ?: 0, step["wall_clock_ms"]?.long ?: 0)
        phone.jitter = step["jitter"]?.double ?: 0.0
        phone.log.clear()
        // A process that is killed does nothing with the phone as it is from then on.
        phone.change(step["device"])
        val expected = expected(step)
        tell(step)
        phone.thread.run()
        return JsonValue.of(sorted(expected)) to JsonValue.of(sorted(phone.log))
    }

    // --- Events -----------------------------------------------------------------------------------------------------

    private fun tell(step: JsonValue) {
        val name = step["event"]?.string ?: throw BehaviourCase.FormatError("a step has no event: ${step.text}")
        step.check(*COMMON, *(SessionCasePlayer.MEMBERS[name] ?: emptyArray()))
        val client = client
        when (name) {
            "start", "killed" -> start()
            "response" -> phone.respond(step["to"]?.int, response(step["response"] ?: JsonValue.Null))
            "no_response" -> phone.respond(step["to"]?.int, null)
            "timer" -> phone.fire()
            "device_done" -> phone.goOn()
            "lock" -> client?.lock()
            // It is found by the next request to an API.
            "key_gone" -> {
                phone.key = null
                ask { client?.authorize("GET", "https://api.example/") }
            }
            // The next unlock finds it. Its answer is no part of the case.
            "pins_lost" -> if (step["purpose"]?.string == "biometrics") client?.disableBiometrics() else {
                phone.losesPins = true
                ask { client?.unlock(SessionCasePhone.typed()) }
            }
            else -> question(name, step, client ?: throw BehaviourCase.FormatError("the app was not started"))
        }
    }

    /** What the app wants, and waits for. */
    private fun question(name: String, step: JsonValue, client: SessionClient) {
        callers += 1
        val caller = callers
        ask {
            val reply = try {
                answer(name, step, client)
            } catch (error: SessionException) {
                SessionReply.Failed(error)
            }
            phone.log.add(words.answer(caller, reply))
        }
    }

    private suspend fun answer(name: String, step: JsonValue, client: SessionClient): SessionReply {
        when (name) {
            "prepare" -> {
                keyName = step["key_name"]?.string ?: ""
                val challenge = if (isForLogin(step)) phone.challenge(keyName) else null
                return SessionReply.Thumbprint(client.thumbprint(challenge))
            }
            "begin" -> {
                val key = if (step["key"] == null) phone.stored.key else words.key(step["key"])
                client.begin(Secret(row.context.secret), key?.thumbprint ?: "none", step["nonce"]?.string)
            }
            "token" -> return SessionReply.Token(client.accessToken(step["fresh"]?.boolean ?: false))
            "unlock" -> unlock(step["pins"]?.strings.orEmpty(), client)
            "set_pin" -> {
                phone.choose(step["pin"])
                client.setPin(SessionCasePhone.typed())
            }
            "list" -> return SessionReply.Sessions(client.sessions())
            "end" -> client.end(step["id"]?.string ?: "")
            "sign_out" -> if (!client.signOut()) return NOT_TOLD
            else -> throw BehaviourCase.FormatError("unknown event $name")
        }
        return SessionReply.Done
    }

    private suspend fun unlock(pins: List<String>, client: SessionClient) {
        if (pins.any { it.endsWith("+") }) return client.unlock(object : BiometricPrompt {})
        if (phone.stored.session != null) phone.type(pins)
        client.unlock(SessionCasePhone.typed())
    }

    private fun ask(work: suspend () -> Unit) {
        app.launch(phone.thread) {
            try {
                work()
            } catch (_: SessionException) {
                // The case says what the session does, and not what this call returns.
            }
        }
    }

    private fun response(json: JsonValue): HttpResponse {
        val response = row.context.response(json)
        val names = json["headers"]?.members.orEmpty().keys + "Content-Type"
        val headers = names.mapNotNull { name -> response[name]?.let { name to it } }.toMap()
        return HttpResponse(response.status, headers, SessionCasePhone.renamed(response.body, isLong = true))
    }

    // --- Effects ----------------------------------------------------------------------------------------------------

    /** What the case says, as far as it is seen from outside. */
    private fun expected(step: JsonValue): List<JsonValue> {
        var hasKey = phone.key != null
        if (step["event"]?.string == "sign_out") signOuts.add(callers + 1)
        return step["effects"]?.elements.orEmpty().mapNotNull { effect ->
            when {
                effect["call"] != null -> row.context.call(effect)
                effect["must_store"] != null -> objectOf("store" to effect["must_store"])
                effect["find_key"] != null -> {
                    val isMade = !hasKey && phone.mayMakeKey && effect["may_make"]?.boolean == true
                    if (isMade) objectOf("make_key" to effect["find_key"]).also { hasKey = true } else null
                }
                effect["remove_keys"] != null -> effect.also { hasKey = false }
                // The library aborts what its own key does.
                effect["abort"]?.string == "device" -> null
                // An app gets no number of the PIN that was right.
                effect["unlocked"] != null ->
                    objectOf("answer" to effect["answer"], "done" to JsonValue.of(true))
                // Nor does it get an error for a sign-out that the server does not know of yet.
                effect["error"] != null && effect["answer"]?.int in signOuts ->
                    words.answer(effect["answer"]?.int ?: 0, NOT_TOLD)
                else -> effect
            }
        }
    }

    /** What belongs together, in its order: the store and the keys, the network, the clock, and what the app sees. */
    private fun sorted(effects: List<JsonValue>): List<JsonValue> = effects.sortedBy { effect ->
        val name = effect.members?.keys.orEmpty()
        when {
            name.any { it == "store" || it == "remove_keys" || it == "make_key" } -> 0
            "timer_ms" in name -> 2
            "show" in name || "answer" in name -> 3
            else -> 1
        }
    }

    companion object {
        private val COMMON = arrayOf("event", "after_ms", "wall_clock_ms", "jitter", "device", "effects")
        private fun isForLogin(step: JsonValue) = step["for_login"]?.boolean == true

        private val NOT_TOLD = SessionReply.Failed(SessionException(SessionException.Kind.NoResponse))

        /** Why a case cannot be played so; null if it can. */
        fun leftOut(row: BehaviourCase): String? {
            val stored = HashMap(row.saved.memberMap)
            for ((index, step) in row.steps.withIndex()) {
                val name = step["event"]?.string
                val effects = step["effects"]?.elements.orEmpty()
                when {
                    name == "start" && index > 0 -> return "the client starts by itself, and once"
                    step["device"]?.get("storage")?.string == "waits" && effects.any { it["must_store"] != null } ->
                        return "the store of this library answers at once"
                    name == "biometrics" -> return "a copy for biometrics comes with an unlock, which the case has not"
                    name == "unlock" && stored["session"].memberMap.isNotEmpty() &&
                        stored["pins"]?.elements.isNullOrEmpty() && step["pins"]?.elements?.isEmpty() == false ->
                        return "no PIN that the user types is right, because none is stored"
                    step["old"] != null -> return "a change unlocks first, which the case does not"
                    step["attestation"] != null -> return "the statement is that of another platform"
                    name == "begin" && step["key"]?.isNull == true -> return "a login without a key has no session"
                }
                for (effect in effects) stored += (effect["store"] ?: effect["must_store"]).memberMap
            }
            return null
        }

        /** Returns where the case and the client differ. */
        fun differences(row: BehaviourCase): List<String> {
            val player = SessionClientCasePlayer(row)
            val differences = ArrayList<String>()
            for ((index, step) in row.steps.withIndex()) {
                val (expected, actual) = player.play(step)
                if (expected == actual) continue
                differences += "step ${index + 1}: expected ${expected.text}, but it does ${actual.text}"
                break
            }
            player.client?.close()
            player.app.cancel()
            return differences
        }
    }
}
