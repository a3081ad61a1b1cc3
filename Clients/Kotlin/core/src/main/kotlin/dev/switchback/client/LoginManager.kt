package dev.switchback

import java.io.Closeable
import java.security.SecureRandom
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.asStateFlow
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext

/**
 * Logs users in: one call opens what the login needs, and returns its result.
 *
 * Create one when the app starts, and keep it. A login outlives the call, the screen and the process. Each [LoginHost]
 * has a login of its own. All methods may be called from any thread.
 *
 * @param config what it needs to know; [SwitchbackConfig.store] must be set
 * @param thumbprint makes the key that a session is bound to, and returns its thumbprint (RFC 7638), which each login
 *   then carries; null for an app without sessions. It gets what the device's maker has to attest about the key
 *   ([SessionClient.thumbprint]). What it throws is thrown by [logIn]
 */
public class LoginManager @JvmOverloads constructor(
    private val config: SwitchbackConfig,
    private val thumbprint: (suspend (challenge: ByteArray) -> String?)? = null,
) : Closeable {
    private val store = LoginStore(requireNotNull(config.store) { "SwitchbackConfig.store is not set" })
    internal val serial = LibraryThreads.serial()
    private val scope = CoroutineScope(SupervisorJob() + serial)
    private val providers = ProviderList(config)
    private val random = SecureRandom()

    /** The newest first. */
    private var flows: List<LoginFlow> = emptyList()

    /** Logins that were followed once. The store may still have them. */
    private val followed = HashSet<String>()

    /** The hosts that were seen. */
    private val hosts = HashMap<String, LoginHost>()
    private val states = HashMap<String, MutableStateFlow<LoginState>>()
    private val shownLogins = MutableStateFlow<List<LoginState>>(emptyList())
    private var isInForeground = true

    // --- For a host -------------------------------------------------------------------------------------------------

    /**
     * Logs in, and returns when the login is over. The same request again joins the login that this host has, and
     * another one replaces it: the server hears which one, and ends neither.
     *
     * Cancelling the coroutine ends the waiting, and not the login: [current] shows it, and the same call waits again.
     */
    public suspend fun logIn(host: LoginHost, request: LoginRequest): LoginResult = withContext(serial) {
        hosts[host.name] = host
        adopt()
        val former = flow(host.name)?.running?.record?.secret
        val flow = join(host, request) ?: start(host, request, former)
        flow.result()
    }

    /** Returns the login of this host for the same request; one for another request is replaced. */
    private fun join(host: LoginHost, request: LoginRequest): LoginFlow? {
        val flow = flow(host.name) ?: return null
        val running = flow.running.record
        // A login that the user has given up is not joined, also if the server has not heard of it yet.
        if (request.isSame(running.request) && !running.isCancelling) {
            flow.attach(host)
            // The user pressed the button again, so the browser is not in front.
            if (flow.state.kind == LoginState.Kind.Paused) flow.continueLogin()
            return flow
        }
        flow.replace()
        remove(flow)
        return null
    }

    private suspend fun start(host: LoginHost, request: LoginRequest, former: Secret?): LoginFlow {
        val secret = SavedLogin.newSecret(random)
        val key = thumbprint?.invoke(AttestationChallenge.of(secret))
        // While the key was made, a second tap may have begun the same login, or another one.
        val latest = flow(host.name)?.running?.record?.secret ?: former
        join(host, request)?.let { return it }
        val body = request.body(config, host.surface, key)
        val saved = SavedLogin.new(body, secret, config.clock.wallMillis(), latest)
        val flow = follow(saved, LoginStore.Opened(host.name, null), LoginEvent.Started, isNewest = true)
        flow.attach(host)
        return flow
    }

    /**
     * What this host shows: any number of collectors, each of which begins with the present state. A collector that
     * goes away ends nothing.
     */
    public fun current(host: LoginHost): StateFlow<LoginState> = state(host.name).asStateFlow()

    /** All logins that run or have a result that is not acknowledged, the newest first. */
    public val logins: StateFlow<List<LoginState>> get() = shownLogins.asStateFlow()

    /**
     * Gives a host the login that belongs to it: its own from before the app was killed, or the newest whose host is no
     * more. Call it when a host appears. A login that ended meanwhile is delivered, too ([LoginState.result]).
     *
     * @param names the hosts that the system still knows: their logins are left to them
     * @return what the host shows now
     */
    @JvmOverloads
    public suspend fun resumed(host: LoginHost, names: Set<String> = emptySet()): LoginState = withContext(serial) {
        hosts[host.name] = host
        adopt()
        val orphan = flows.firstOrNull { it.host == null && it.hostName !in names }
        val flow = flow(host.name) ?: orphan
        if (flow != null && flow.host !== host) flow.attach(host)
        state(host.name).value
    }

    /** Hands in the six digits of the page, as the user typed them. */
    public fun enterCode(host: LoginHost, code: String): Unit =
        withFlow(host) { it.running.send(LoginEvent.CodeEntered(code)) }

    /** Opens again what the login waits for. Call it when the user wants to continue, or to see the page again. */
    public fun continueLogin(host: LoginHost): Unit = withFlow(host) {
        it.attach(host)
        it.continueLogin()
    }

    /** Cancels the login. Call it only when the user gives up in the app. It may have completed before that. */
    public fun cancel(host: LoginHost): Unit = withFlow(host) { it.cancel() }

    /** Says that the app has what it needs of the result of this host's login. It returns when that is stored. */
    public suspend fun acknowledge(host: LoginHost): Unit = withContext(serial) {
        flow(host.name)?.takeIf { it.state.result is LoginResult.Completed }?.acknowledge()
    }

    /** Asks for the result again, with a new assertion that is valid for five minutes. [current] then has it. */
    public fun refresh(host: LoginHost): Unit = withFlow(host) { it.running.send(LoginEvent.RefreshRequested) }

    /** Takes how a browser ended that was opened before the app was killed. All others report it themselves. */
    public fun browserEnded(host: LoginHost, end: BrowserEnd): Unit = withFlow(host) { it.report(end) }

    private fun withFlow(host: LoginHost, work: (LoginFlow) -> Unit) {
        scope.launch { flow(host.name)?.let(work) }
    }

    // --- For the app ------------------------------------------------------------------------------------------------

    /**
     * Hands in a link that opened the app (rule 3). Pass every link, unread, byte for byte. Returns false when it
     * belongs to no login. When this returns, the link is stored, so a kill of the app does not lose it.
     */
    public suspend fun handleReturn(url: String): Boolean = withContext(serial) { handIn(url) }

    internal suspend fun handIn(link: String): Boolean {
        adopt()
        // Several logins may share a prefix. The server knows which of them the link belongs to.
        val takers = flows.filter { it.running.record.accepts(link) }
        for (flow in takers) flow.running.sendAndWait(LoginEvent.LinkOpened(link))
        return takers.isNotEmpty()
    }

    /** The app is in the foreground again (rule 4): polls begin at once. */
    public fun enteredForeground() {
        scope.launch {
            isInForeground = true
            for (flow in flows) flow.running.send(LoginEvent.EnteredForeground)
        }
    }

    /** The app has left the foreground: nothing is polled. */
    public fun enteredBackground() {
        scope.launch {
            isInForeground = false
            for (flow in flows) flow.running.send(LoginEvent.EnteredBackground)
        }
    }

    /**
     * Returns the providers of the app, in the order of the server's configuration, with their names in the user's
     * language, logos and countries: for the buttons. Without a usable response it returns the list that it has.
     *
     * @throws ProvidersException if there is none
     */
    @Throws(ProvidersException::class)
    public suspend fun providers(): List<Provider> = withContext(serial) { providers.read() }

    /** Stops everything as if the app had been killed. The store keeps its logins. */
    override fun close() {
        scope.launch {
            for (flow in flows) flow.running.close()
            flows = emptyList()
            scope.cancel()
        }
    }

    // --- Following --------------------------------------------------------------------------------------------------

    private fun flow(name: String): LoginFlow? = flows.firstOrNull { it.hostName == name }

    /** Follows the logins of the store, which an earlier process has begun. */
    private suspend fun adopt() {
        // If the store cannot be read, the logins in memory still go on.
        for (saved in store.all().orEmpty()) {
            if (saved.id in followed) continue
            if (saved.isStale(config.clock.wallMillis())) {
                store.forget(saved.id)
                continue
            }
            val opened = store.opened(saved.id) ?: LoginStore.Opened("", null)
            // Two calls at once may have read the same record.
            if (saved.id in followed) continue
            val newer = flow(opened.host)
            val flow = follow(saved, opened, LoginEvent.Resumed, isNewest = false)
            if (saved.isAcknowledged) {
                remove(flow)
            } else if (newer != null && opened.host.isNotEmpty()) {
                flow.replace()
                remove(flow)
            } else {
                hosts[opened.host]?.let(flow::attach)
            }
        }
    }

    private fun follow(saved: SavedLogin, opened: LoginStore.Opened, event: LoginEvent, isNewest: Boolean): LoginFlow {
        followed.add(saved.id)
        val flow = LoginFlow(saved, opened, this, config, store, scope)
        flows = if (isNewest) listOf(flow) + flows else flows + flow
        scope.launch {
            flow.run(event, isInForeground)
            remove(flow)
        }
        return flow
    }

    internal fun remove(flow: LoginFlow) {
        flows = flows - flow
        showLogins()
    }

    internal fun publish(flow: LoginFlow) {
        if (flow !in flows || flow(flow.hostName) !== flow) return
        state(flow.hostName).value = flow.state
        showLogins()
    }

    private fun showLogins() {
        shownLogins.value = flows.filter { !it.isReplaced }.map { it.state }
    }

    private fun state(host: String): MutableStateFlow<LoginState> = synchronized(states) {
        states.getOrPut(host) { MutableStateFlow(LoginState(LoginState.Kind.Idle, host)) }
    }
}
