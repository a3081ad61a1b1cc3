package dev.switchback.session

import dev.switchback.Base64Url
import dev.switchback.BehaviourCase
import dev.switchback.DeviceKeyException
import dev.switchback.JsonValue
import dev.switchback.KeyAttestation
import dev.switchback.P256PublicKey
import dev.switchback.SavedSession
import dev.switchback.Secret
import dev.switchback.SessionEffect
import dev.switchback.SessionEvent
import dev.switchback.SessionMoment
import dev.switchback.SessionReducer
import dev.switchback.WrappingPurpose
import dev.switchback.check
import dev.switchback.text

/** The phone of a case: its storage and its key, which work unless the case says otherwise. */
internal class CaseDevice(key: P256PublicKey?) {
    private val keys = CaseKeys(key)
    private var waits = false
    var storageWorks = true
        private set

    /** The result that the case keeps back. */
    var waiting: SessionEvent? = null
        private set

    /** Reads what a step says about the phone. It stays so. */
    fun change(json: JsonValue?) {
        if (json == null) return
        json.check("storage", "key")
        when (json["storage"]?.string) {
            "fails" -> { storageWorks = false; waits = false }
            "works" -> { storageWorks = true; waits = false }
            "waits" -> waits = true
            null -> {}
            else -> throw BehaviourCase.FormatError("unknown storage in ${json.text}")
        }
        keys.change(json)
    }

    /** Returns what the effect results in at once. */
    fun perform(effect: SessionEffect): SessionEvent? {
        val event = result(effect)
        if (!waits || event == null) return event
        waiting = event
        return null
    }

    private fun result(effect: SessionEffect): SessionEvent? = when (effect) {
        is SessionEffect.StoreFirst ->
            if (storageWorks) SessionEvent.Stored(effect.number) else SessionEvent.StoreFailed(effect.number)
        is SessionEffect.FindKey -> found(effect)
        is SessionEffect.RemoveKeys -> null.also { keys.key = null }
        is SessionEffect.Sign -> keys.error?.let { SessionEvent.KeyFailed(effect.number, it) }
            ?: if (keys.key == null) gone(effect.number) else SessionEvent.Signed(effect.number, sha256(effect.text))
        else -> null
    }

    private fun found(effect: SessionEffect.FindKey): SessionEvent {
        keys.error?.let { return SessionEvent.KeyFailed(effect.number, it) }
        if (keys.key == null && effect.mayMake) keys.make()
        return keys.key?.let { SessionEvent.KeyFound(effect.number, it) } ?: gone(effect.number)
    }

    private fun gone(number: Int) =
        SessionEvent.KeyFailed(number, DeviceKeyException(DeviceKeyException.Kind.GONE))
}

/** Plays a case with the reducer of a session, and finds where the two differ. */
internal class SessionCasePlayer private constructor(row: BehaviourCase) {
    private val context = row.context
    private val words = SessionCaseWords(context)
    private var stored = words.record(row.saved)
    private val device = CaseDevice(stored.key)
    private var reducer = reducer()
    private var now = 1_000_000L
    private var wall = 1_800_000_000_000L
    private val numbers = ArrayList<Int>()
    private var underWay: Int? = null
    private var timer: Long? = null
    private var callers = 0
    private var proofs = 0
    private val sent = ArrayList<String>()

    private fun reducer() = SessionReducer(stored, context.server, context["app"].string ?: "")

    private fun play(step: JsonValue): Pair<JsonValue, JsonValue> {
        val first = event(step)
        device.change(step["device"])
        val jitter = step["jitter"]?.double ?: 0.0
        val actual = ArrayList<JsonValue>()
        val events = ArrayDeque(listOfNotNull(if (step["event"]?.string == "device_done") device.waiting else first))
        val before = proofs
        while (events.isNotEmpty()) {
            proofs += 1
            if (proofs - before > ENDLESS) error("the step does not end: ${step.text}")
            val moment = SessionMoment(now, wall, "p$proofs", jitter)
            for (effect in reducer.handle(events.removeFirst(), moment)) {
                device.perform(effect)?.let(events::add)
                perform(effect)?.let(actual::add)
            }
        }
        val expected = (step["effects"]?.elements ?: emptyList()).map {
            if (it["call"] == null) it else call(it)
        }
        return JsonValue.of(ordered(expected)) to JsonValue.of(ordered(actual))
    }

    private fun call(effect: JsonValue): JsonValue {
        effect.check("call", "headers", "body", "timeout_ms", "proof", "path")
        return context.call(effect)
    }

    /** A state must be there before the answers behind it. Among other effects its place is free. */
    private fun ordered(effects: List<JsonValue>): List<JsonValue> {
        val states = ArrayList<JsonValue>()
        val ordered = ArrayList<JsonValue>()
        for (effect in effects) {
            if (effect["show"] != null) {
                states.add(effect)
                continue
            }
            if (effect["answer"] != null) {
                ordered.addAll(states)
                states.clear()
            }
            ordered.add(effect)
        }
        return ordered + states
    }

    private fun event(step: JsonValue): SessionEvent? {
        val name = step["event"]?.string ?: throw BehaviourCase.FormatError("a step has no event: ${step.text}")
        val common = arrayOf("event", "after_ms", "wall_clock_ms", "jitter", "device", "effects")
        step.check(*common, *(MEMBERS[name] ?: emptyArray()))
        val passed = step["after_ms"]?.long ?: 0
        now += passed
        wall += passed + (step["wall_clock_ms"]?.long ?: 0)
        return when (name) {
            "start" -> SessionEvent.Started
            "killed" -> {
                reducer = reducer()
                now = 50_000
                numbers.clear()
                underWay = null
                timer = null
                SessionEvent.Started
            }
            "device_done" -> null
            "response" -> {
                val json = step["response"] ?: throw BehaviourCase.FormatError("no response: ${step.text}")
                SessionEvent.Responded(number(step), context.response(json))
            }
            "no_response" -> SessionEvent.RequestFailed(number(step))
            "timer" -> {
                now = maxOf(now, timer ?: throw BehaviourCase.FormatError("no timer is set: ${step.text}"))
                timer = null
                SessionEvent.TimerFired
            }
            "lock" -> SessionEvent.LockWanted
            "key_gone" -> SessionEvent.KeyGone
            "pins_lost" -> when (step["purpose"]?.string) {
                "pin" -> SessionEvent.PinsLost(WrappingPurpose.PIN)
                "biometrics" -> SessionEvent.PinsLost(WrappingPurpose.BIOMETRICS)
                else -> throw BehaviourCase.FormatError("no purpose: ${step.text}")
            }
            "biometrics" -> SessionEvent.BiometricsChanged(words.pin(step["pin"]).pin)
            else -> question(name, step)
        }
    }

    /** What the app wants, and waits for. */
    private fun question(name: String, step: JsonValue): SessionEvent {
        callers += 1
        return when (name) {
            "prepare" ->
                SessionEvent.KeyWanted(callers, step["key_name"]?.string ?: "", step["for_login"]?.boolean ?: false)
            "begin" -> {
                val key = if (step["key"] == null) reducer.status.record.key else words.key(step["key"])
                SessionEvent.BeginWanted(
                    callers, Secret(context.secret), key?.thumbprint, step["nonce"]?.string,
                    step["attestation"]?.string?.let(::attestation),
                )
            }
            "token" -> SessionEvent.TokenWanted(callers, step["fresh"]?.boolean ?: false)
            "unlock" -> SessionEvent.UnlockWanted(callers, (step["pins"]?.elements ?: emptyList()).map(words::pin))
            "set_pin" -> SessionEvent.PinChosen(callers, words.pin(step["pin"]), step["old"]?.let(words::pin))
            "list" -> SessionEvent.ListWanted(callers)
            "end" -> SessionEvent.EndWanted(callers, step["id"]?.string ?: "")
            "sign_out" -> SessionEvent.SignOutWanted(callers)
            else -> throw BehaviourCase.FormatError("unknown event $name")
        }
    }

    /** The cases have the statement of App Attest. What a statement says does not matter to the reducer. */
    private fun attestation(text: String): KeyAttestation {
        val bytes = json(Base64Url.encode(text.encodeToByteArray()))
        val members = objectOf(
            "format" to json("apple-appattest"), "attestation_object" to bytes, "key_id" to bytes,
        )
        return KeyAttestation(objectOf("attestation" to members).text)
    }

    private fun number(step: JsonValue): Int {
        step["to"]?.int?.let { return numbers.getOrNull(it - 1) ?: throw BehaviourCase.FormatError("no call $it") }
        val number = underWay ?: throw BehaviourCase.FormatError("no call is under way: ${step.text}")
        underWay = null
        return number
    }

    /** Returns null for what the device does by itself, and the cases leave out. */
    private fun perform(effect: SessionEffect): JsonValue? = when (effect) {
        is SessionEffect.StoreFirst -> objectOf("must_store" to changes(effect.record))
        is SessionEffect.Store -> objectOf("store" to changes(effect.record))
        is SessionEffect.FindKey ->
            objectOf("find_key" to json(effect.name), "may_make" to JsonValue.of(effect.mayMake))
        is SessionEffect.RemoveKeys -> objectOf("remove_keys" to json(effect.name))
        is SessionEffect.Sign -> null
        is SessionEffect.Send -> {
            numbers.add(effect.number)
            if (underWay != null) json("a second call: ${effect.request}")
            else {
                underWay = effect.number
                words.call(effect.request, stored.session?.id ?: "", wall, sent)
            }
        }
        is SessionEffect.Abandon ->
            // What the device does may be aborted too.
            if (effect.number != underWay) objectOf("abort" to json("device"))
            else objectOf("abort" to JsonValue.of(true)).also { underWay = null }
        is SessionEffect.Wake -> {
            timer = effect.at
            objectOf("timer_ms" to JsonValue.of(effect.at - now))
        }
        is SessionEffect.Complete -> words.answer(effect.caller, effect.reply)
        is SessionEffect.Present -> words.word(effect.state)
    }

    /** Returns what differs from the record that was stored before. */
    private fun changes(record: SavedSession): JsonValue {
        val old = words.word(stored)
        if (device.storageWorks) stored = record
        return JsonValue.of(words.word(record).filter { old[it.key] != it.value })
    }

    companion object {
        /** A step takes some events. A reducer that asks for more and more would never end. */
        const val ENDLESS = 1_000

        val MEMBERS = mapOf(
            "prepare" to arrayOf("key_name", "for_login"), "begin" to arrayOf("key", "nonce", "attestation"),
            "token" to arrayOf("fresh"), "unlock" to arrayOf("pins"), "set_pin" to arrayOf("pin", "old"),
            "pins_lost" to arrayOf("purpose"), "biometrics" to arrayOf("pin"), "end" to arrayOf("id"),
            "response" to arrayOf("response", "to"), "no_response" to arrayOf("to"),
        )

        /** Returns where the case and the reducer differ. */
        fun differences(row: BehaviourCase): List<String> {
            val player = SessionCasePlayer(row)
            return row.steps.mapIndexedNotNull { index, step ->
                val (expected, actual) = player.play(step)
                if (expected == actual) null
                else "step ${index + 1}: expected ${expected.text}, but it does ${actual.text}"
            }
        }
    }
}
