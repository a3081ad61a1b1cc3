package dev.switchback

import java.text.ParseException
import java.text.SimpleDateFormat
import java.util.Locale
import java.util.TimeZone
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch

/** Runs one session: passes events to its reducer and performs the effects, one event after the other. */
internal class SessionRunner(
    private val outside: SessionOutside,
    private val scope: CoroutineScope,
    private val callers: SessionCallers,
    private val publish: (SessionState) -> Unit,
) {
    private val store = SessionStore(outside.store, outside.name)
    private val events = Channel<SessionEvent>(Channel.UNLIMITED)
    private var reducer: SessionReducer? = null
    private var task: Pair<Int, Job>? = null
    private var timer: Job? = null

    fun report(event: SessionEvent) {
        events.trySend(event)
    }

    suspend fun run() {
        for (event in events) handle(event)
    }

    private suspend fun handle(event: SessionEvent) {
        val reducer = reducer ?: begin()
        if (reducer == null) {
            // Before the first unlock of the device nothing can be read. That signs nobody out.
            if (event is SessionEvent.Asked) {
                val error = SessionException(SessionException.Kind.StorageFailed)
                callers.complete(event.caller, SessionReply.Failed(error))
            }
            return
        }
        val isRequest = event is SessionEvent.Asked && (event !is SessionEvent.RecordWanted || event.isFresh)
        if (isRequest || event == SessionEvent.LockWanted) readAgain(reducer)
        pass(this.reducer ?: reducer, event)
    }

    private suspend fun pass(reducer: SessionReducer, event: SessionEvent) {
        for (effect in reducer.handle(event, moment())) perform(effect)
    }

    private suspend fun begin(): SessionReducer? = store.load()?.let { start(it) }

    private suspend fun start(record: SavedSession, change: (SessionStatus) -> Unit = {}): SessionReducer {
        val made = SessionReducer(record, outside.server, outside.app)
        change(made.status)
        reducer = made
        pass(made, SessionEvent.Started)
        return made
    }

    /** Another process may have signed out, or begun. Its record counts at the next request. */
    private suspend fun readAgain(reducer: SessionReducer) {
        val old = reducer.status
        if (!old.isIdle) return
        val record = store.changed() ?: return
        start(record) { status ->
            status.nonce = old.nonce
            status.nonceSince = old.nonceSince
            if (record.session == old.record.session && !record.isLocked) status.token = old.token
        }
    }

    private fun moment() = SessionMoment(
        outside.clock.monotonicMillis(), outside.now(), outside.randomId(), outside.random.nextDouble(),
    )

    private suspend fun perform(effect: SessionEffect) {
        when (effect) {
            is SessionEffect.StoreFirst -> {
                val isStored = store.save(effect.record)
                val number = effect.number
                report(if (isStored) SessionEvent.Stored(number) else SessionEvent.StoreFailed(number))
            }
            is SessionEffect.Store -> store.save(effect.record)
            is SessionEffect.FindKey -> start(effect.number) {
                val found = find(effect.name, effect.mayMake)
                SessionEvent.KeyFound(effect.number, found.publicKey)
            }
            is SessionEffect.RemoveKeys -> try {
                outside.usingKeys { remove(effect.name) }
            } catch (_: DeviceKeyException) {
                // A key that stays has no session any more.
            }
            is SessionEffect.Sign -> start(effect.number) {
                SessionEvent.Signed(effect.number, outside.sign(effect.key, effect.text))
            }
            is SessionEffect.Send -> start(effect.number) { send(effect) }
            is SessionEffect.Abandon -> if (task?.first == effect.number) {
                task?.second?.cancel()
                task = null
            }
            is SessionEffect.Wake -> {
                timer?.cancel()
                timer = scope.launch {
                    outside.clock.sleep(maxOf(effect.at - outside.clock.monotonicMillis(), 0))
                    report(SessionEvent.TimerFired)
                }
            }
            is SessionEffect.Complete -> callers.complete(effect.caller, effect.reply)
            is SessionEffect.Present -> present(effect.state)
        }
    }

    private fun present(state: SessionState) {
        val reason = state.signOutReason?.code ?: state.lockReason?.code
        outside.log(LogEvent(LogEvent.Name.SessionState, null, mapOf("state" to state.kind.code, "reason" to reason)))
        publish(state)
    }

    private fun start(number: Int, work: suspend () -> SessionEvent) {
        task = number to scope.launch {
            val event = try {
                work()
            } catch (error: DeviceKeyException) {
                SessionEvent.KeyFailed(number, error)
            }
            report(event)
        }
    }

    private suspend fun find(name: String, mayMake: Boolean): DeviceKey {
        outside.usingKeys { find(name) }?.let { return it }
        if (!mayMake) throw outside.gone()
        val challenge = if (outside.attests) AttestationChallenge.ofKey(name) else null
        return outside.usingKeys { if (challenge == null) make(name) else make(name, challenge) }
    }

    private suspend fun send(effect: SessionEffect.Send): SessionEvent {
        val call = "session_" + effect.kind.name.lowercase()
        return try {
            val response = outside.http.send(effect.request.withHeader("User-Agent", outside.userAgent))
            outside.log(LogEvent(LogEvent.Name.Request, null, mapOf("call" to call, "status" to "${response.status}")))
            // Only Switchback gives nonces. A page of something on the way does not set the clock.
            if (response["DPoP-Nonce"] != null) serverTime(response)?.let(outside::setClock)
            SessionEvent.Responded(effect.number, response)
        } catch (error: CancellationException) {
            throw error
        } catch (_: Exception) {
            // An engine of the app's own may throw anything.
            outside.log(LogEvent(LogEvent.Name.Request, null, mapOf("call" to call)))
            SessionEvent.RequestFailed(effect.number)
        }
    }

    private fun serverTime(response: HttpResponse): Long? {
        val format = SimpleDateFormat("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
        format.timeZone = TimeZone.getTimeZone("GMT")
        return try {
            response["Date"]?.let(format::parse)?.time
        } catch (_: ParseException) {
            null
        }
    }
}
