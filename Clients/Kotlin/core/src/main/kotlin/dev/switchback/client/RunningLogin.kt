package dev.switchback

import java.security.SecureRandom
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch

/**
 * Runs one login: passes events to its reducer and performs the effects, one event after the other. Everything happens
 * on the serial executor of its scope.
 */
internal class RunningLogin(
    first: SavedLogin,
    private val config: SwitchbackConfig,
    private val store: LoginStore,
    private val scope: CoroutineScope,
    private val present: (ShownState) -> Unit,
) {
    private class Queued(val event: LoginEvent, val receipt: CompletableDeferred<Unit>?)

    private val events = Channel<Queued>(Channel.UNLIMITED)
    private val sender = Sender(config)
    private val random = SecureRandom()
    private var request: Job? = null
    private var timer: Job? = null

    val id: String = first.id

    /** The login as it was stored last. */
    @Volatile
    var record: SavedLogin = first
        private set

    /** The server's last nonce for DPoP proofs. */
    @Volatile
    var nonce: String? = null
        private set

    fun send(event: LoginEvent) {
        events.trySend(Queued(event, null))
    }

    /** Reports an event, and returns when it is handled, or will never be. */
    suspend fun sendAndWait(event: LoginEvent) {
        val receipt = CompletableDeferred<Unit>()
        if (events.trySend(Queued(event, receipt)).isSuccess) receipt.await()
    }

    /** Returns true when the login is over, and false when it was closed before that. */
    suspend fun run(isInForeground: Boolean): Boolean {
        val reducer = LoginReducer(record, config.server, isInForeground)
        try {
            for (queued in events) {
                for (effect in reducer.handle(queued.event, config.clock.monotonicMillis(), random.nextDouble())) {
                    if (!perform(effect)) break
                }
                queued.receipt?.complete(Unit)
                if (reducer.isOver) break
            }
        } finally {
            request?.cancel()
            timer?.cancel()
            events.close()
            while (true) (events.tryReceive().getOrNull() ?: break).receipt?.complete(Unit)
        }
        return reducer.isOver
    }

    /** Stops the login. The stored record stays. */
    fun close() {
        events.close()
    }

    /** Returns false when the effects after this one must not be performed. */
    private suspend fun perform(effect: LoginEffect): Boolean {
        when (effect) {
            is LoginEffect.StoreFirst -> if (!save(effect.record)) {
                send(LoginEvent.StoreFailed)
                return false
            }
            is LoginEffect.Store -> save(effect.record)
            is LoginEffect.Forget -> store.forget(effect.id)
            is LoginEffect.Send -> request = scope.launch { send(effect) }
            is LoginEffect.Abandon -> request?.cancel()
            is LoginEffect.Wake -> {
                timer?.cancel()
                timer = scope.launch {
                    config.clock.sleep(maxOf(0, effect.at - config.clock.monotonicMillis()))
                    send(LoginEvent.TimerFired)
                }
            }
            is LoginEffect.Present -> {
                log(effect.state)
                present(effect.state)
            }
        }
        return true
    }

    private suspend fun send(effect: LoginEffect.Send) {
        val response = sender.send(effect.request, effect.request.callName, record.reference)
        response?.get("DPoP-Nonce")?.let { nonce = it }
        send(response?.let { LoginEvent.Responded(effect.number, it) } ?: LoginEvent.RequestFailed(effect.number))
    }

    private suspend fun save(new: SavedLogin): Boolean {
        record = new
        if (store.save(new)) return true
        config.logger.log(LogEvent(LogEvent.Name.NotStored, new.reference))
        return false
    }

    private fun log(state: ShownState) {
        val login = state.login
        val reference = login?.reference?.ifEmpty { null }
        if (login?.isNextUnreadable == true) config.logger.log(LogEvent(LogEvent.Name.UnreadableUrl, reference))
        val error = (state as? ShownState.Failed)?.error
        val attributes = mapOf(
            "state" to state.code, "action" to (state as? ShownState.InProgress)?.action?.code,
            "status" to login?.status?.code,
            "reason" to (login?.reason ?: (state as? ShownState.Retrying)?.error?.code),
            "error" to ((error as? LoginError.Refused)?.problem?.code ?: error?.code),
        )
        config.logger.log(LogEvent(LogEvent.Name.LoginState, reference ?: record.reference, attributes))
    }

    /** The request's name in the log. */
    private val HttpRequest.callName: String
        get() = when {
            path.endsWith("/return") -> "return"
            path.endsWith("/cancel") -> "cancel"
            method == "POST" -> "create"
            method == "DELETE" -> "acknowledge"
            else -> "poll"
        }
}
