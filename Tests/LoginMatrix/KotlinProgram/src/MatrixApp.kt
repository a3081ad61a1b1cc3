import dev.switchback.AppLaunch
import dev.switchback.BrowserEnd
import dev.switchback.BrowserLaunch
import dev.switchback.FileSecretStore
import dev.switchback.LoginHost
import dev.switchback.LoginManager
import dev.switchback.LoginRequest
import dev.switchback.LoginResult
import dev.switchback.LoginState
import dev.switchback.Surface
import dev.switchback.SwitchbackConfig
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch

/** What an app does around the library: it passes on what happens on the phone, and reports what to open and to show. */
class MatrixApp(private val server: String, private val store: FileSecretStore) {
    private val scope = CoroutineScope(Dispatchers.Default)
    private val host = MatrixHost()
    private var config = SwitchbackConfig(server, "demo").also { it.store = store }
    private var manager = LoginManager(config)
    private var watching: Job? = null

    /** What an app does at each start. */
    suspend fun begin() {
        manager.resumed(host)
        watch()
        report("ready")
    }

    /** Returns false for an order that it does not know. */
    suspend fun perform(order: Order): Boolean {
        when (order["order"]) {
            "start" -> start(order)
            "link" -> manager.handleReturn(order["link"].orEmpty())
            "closed" -> host.end()?.invoke(BrowserEnd.Closed) ?: manager.browserEnded(host, BrowserEnd.Closed)
            "enter_code" -> manager.enterCode(host, order["code"].orEmpty())
            "cancel" -> manager.cancel(host)
            "open_again" -> manager.continueLogin(host)
            "foreground" -> manager.enteredForeground()
            "background" -> manager.enteredBackground()
            "acknowledge" -> manager.acknowledge(host)
            "logins" -> report("logins", "count" to store.names().size)
            else -> return false
        }
        return true
    }

    private fun start(order: Order) {
        manager.close()
        config = SwitchbackConfig(server, order["app"] ?: "demo").also {
            it.store = store
            it.platform = order["platform"].orEmpty()
        }
        manager = LoginManager(config)
        watch()
        val request = LoginRequest(order["provider"].orEmpty())
        request.surface = Surface.of(order["surface"].orEmpty())
        scope.launch { manager.logIn(host, request) }
    }

    private fun watch() {
        watching?.cancel()
        val states = manager.current(host)
        watching = scope.launch { states.collect(::tell) }
    }

    private fun tell(state: LoginState) {
        when (state.kind) {
            LoginState.Kind.Idle -> {}
            LoginState.Kind.Over -> state.result?.let(::tell)
            LoginState.Kind.CodeWanted -> report(
                "state", "state" to if (state.triesLeft == null) "enter_code" else "wrong_code",
                "tries_left" to state.triesLeft,
            )
            LoginState.Kind.Starting, LoginState.Kind.Paused, LoginState.Kind.Retrying ->
                report("state", "state" to state.kind.code)
            else -> report("state", "state" to "working")
        }
    }

    private fun tell(result: LoginResult) {
        when (result) {
            is LoginResult.Completed -> report(
                "result", "status" to "completed", "subject" to result.identity?.subject, "proof" to result.proof,
                "assertion" to (result.assertion != null), "reference" to result.reference,
            )
            is LoginResult.Cancelled -> report(
                "result", "status" to "cancelled", "reason" to if (result.byUser) "user_cancelled" else "app_cancelled",
                "reference" to result.reference,
            )
            // The library does not say whether the code is a problem's or a reason's.
            is LoginResult.Failed -> report(
                "failure", "code" to "refused", "problem" to result.code, "reference" to result.reference)
        }
    }
}

/** A phone that opens whatever the library wants: the driver has the browsers. */
private class MatrixHost : LoginHost {
    override val name = "main"
    override val surface = Surface.Tab
    private var ended: ((BrowserEnd) -> Unit)? = null
    override val hasBrowser: Boolean @Synchronized get() = ended != null

    /** Returns what takes the end of the browser, once. */
    @Synchronized fun end(): ((BrowserEnd) -> Unit)? = ended.also { ended = null }

    override fun choose(launch: BrowserLaunch, wanted: Surface?, earlier: String?): String? =
        earlier ?: (launch.surfaces.firstOrNull { it == wanted } ?: launch.surfaces.firstOrNull() ?: wanted)?.code

    @Synchronized override fun openBrowser(
        launch: BrowserLaunch, chosen: String, isResumed: Boolean, ended: (BrowserEnd) -> Unit,
    ) {
        // The system's browser is another app, and does not say when it is closed.
        this.ended = ended.takeIf { chosen != Surface.System.code }
        report(
            "open", "action" to if (isResumed) "resume_browser" else "open_browser", "surface" to chosen,
            "url" to launch.url, "callback" to launch.callback, "callback_scheme" to launch.callbackScheme,
            "ephemeral" to launch.isEphemeral,
        )
    }

    override suspend fun openApp(launch: AppLaunch, ended: (BrowserEnd) -> Unit): Boolean {
        report("open_app", "links" to listOfNotNull(launch.universalLink, launch.customScheme))
        return true
    }

    override fun openFallback(link: String) = report("open_app", "links" to listOf(link))

    override fun closeBrowser() {
        if (end() != null) report("dismiss")
    }
}
