package dev.switchback

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext

/**
 * One login in one host: performs what its states say, and tells those who wait for the result. It goes on without a
 * host, and opens what is due when it gets one.
 *
 * Everything but the host's own methods happens on the serial executor.
 */
internal class LoginFlow(
    saved: SavedLogin,
    private var opened: LoginStore.Opened,
    private val manager: LoginManager,
    private val config: SwitchbackConfig,
    private val store: LoginStore,
    private val scope: CoroutineScope,
) {
    val running = RunningLogin(saved, config, store, scope, ::take)
    val hostName: String get() = opened.host
    var host: LoginHost? = null
        private set

    /** Whether another login has taken its place. */
    var isReplaced = false
        private set
    private var outcome: LoginResult? = null
    private val firstOutcome = CompletableDeferred<LoginResult>()

    /** What is due as soon as there is a host. */
    private var pendingAction: NextAction? = null

    /** What opens in place of an app that is not there, when the user continues. */
    private var fallbacks: List<String> = emptyList()
    private var hasBrowser = false
    var state = LoginState(LoginState.Kind.Starting, opened.host)
        private set
    private val hostCalls = Channel<suspend (LoginHost) -> Unit>(Channel.UNLIMITED)

    /** Follows the login until it is forgotten. */
    suspend fun run(event: LoginEvent, isInForeground: Boolean): Boolean {
        var isOver = false
        scope.launch {
            for (call in hostCalls) callHost(call)
            // How it was opened may have been stored after the login was forgotten.
            if (isOver) store.forget(running.id)
        }
        running.send(event)
        try {
            isOver = running.run(isInForeground)
            return isOver
        } finally {
            if (outcome == null) end(LoginResult.of(LoginResult.Kind.WaitingStopped, state.reference))
            // What was asked of the host before is still done: it closes the browser.
            hostCalls.close()
        }
    }

    /** Gives the login a host, and opens what is due. */
    fun attach(host: LoginHost) {
        val isFirst = this.host == null
        this.host = host
        if (opened.host != host.name) moveTo(host.name)
        // Before anything that opens a browser, and never after it with what was before.
        if (isFirst) onHost { store.save(running.id, opened) }
        show(state)
        val action = pendingAction ?: return
        pendingAction = null
        perform(action)
    }

    private fun moveTo(name: String) {
        opened = opened.copy(host = name)
        state = LoginState(
            state.kind, name, state.reference, state.canContinue, state.triesLeft, state.transientError, state.hint,
            state.result,
        )
    }

    // --- The result -------------------------------------------------------------------------------------------------

    /** Waits for the result. If its coroutine is cancelled, this call stops waiting, and the login goes on. */
    suspend fun result(): LoginResult = outcome ?: firstOutcome.await()

    private fun end(result: LoginResult) {
        outcome = result
        firstOutcome.complete(result)
    }

    /** Returns when it is stored that the app has the result. */
    suspend fun acknowledge() {
        withContext(manager.serial) {
            running.sendAndWait(LoginEvent.Acknowledged)
            if (outcome is LoginResult.Completed) show(LoginState(LoginState.Kind.Idle, hostName))
            manager.remove(this@LoginFlow)
        }
    }

    // --- What the user does -----------------------------------------------------------------------------------------

    /** Opens again what the login waits for. */
    fun continueLogin() {
        val link = fallbacks.firstOrNull()
        if (link == null) {
            running.send(LoginEvent.ReopenRequested)
            return
        }
        fallbacks = fallbacks.drop(1)
        onHost { host -> withContext(config.callbacks) { host.openFallback(link) } }
    }

    /** The user gives up. While the server does not answer, the login is only forgotten here, and expires there. */
    fun cancel() {
        val isOffline = state.kind == LoginState.Kind.Retrying
        running.send(if (isOffline) LoginEvent.Abandoned else LoginEvent.Cancelled)
    }

    /**
     * Another login takes the place of this one. The server hears it from the other one, and this one ends there by its
     * own outcome. If the user has given it up, the cancel still goes out.
     */
    fun replace() {
        isReplaced = true
        closeBrowser()
        when {
            outcome is LoginResult.Completed -> running.send(LoginEvent.Acknowledged)
            !running.record.isCancelling -> running.send(LoginEvent.Abandoned)
        }
        if (outcome == null) end(LoginResult.of(LoginResult.Kind.Replaced, state.reference))
    }

    // --- What the login says ----------------------------------------------------------------------------------------

    private fun take(state: ShownState) {
        when (state) {
            is ShownState.Finished -> finish(state.login)
            is ShownState.Failed -> {
                closeBrowser()
                fail(LoginResult.of(state.error, state.reference))
            }
            else -> {
                if (state !is ShownState.Retrying) fallbacks = emptyList()
                show(state)
                (state as? ShownState.InProgress)?.action?.let(::perform)
            }
        }
    }

    private val hasFailed: Boolean get() = outcome != null && outcome !is LoginResult.Completed

    private fun finish(login: Login) {
        closeBrowser()
        if (login.status != LoginStatus.Completed || isReplaced || hasFailed) {
            fail(LoginResult.of(login))
            // Without a result there is nothing that the app has to keep.
            running.send(LoginEvent.Acknowledged)
            manager.remove(this)
            return
        }
        val completed = LoginResult.Completed(login, this)
        end(completed)
        show(LoginState(LoginState.Kind.Over, hostName, completed.reference, result = completed))
    }

    /** The first failure counts: what follows it is only the end of the same login. */
    private fun fail(failure: LoginResult) {
        if (hasFailed) return
        end(failure)
        show(LoginState(LoginState.Kind.Over, hostName, failure.reference, result = failure))
    }

    private fun show(state: ShownState) {
        if (hasFailed) return
        val former = this.state.takeIf { it.kind == LoginState.Kind.CodeWanted }?.triesLeft
        show(LoginState.of(state, hostName, hasBrowser, former))
    }

    private fun show(state: LoginState) {
        this.state = state
        if (!isReplaced) manager.publish(this)
    }

    private fun shown(kind: LoginState.Kind, canContinue: Boolean = false) {
        if (outcome == null) show(LoginState(kind, hostName, state.reference, canContinue, hint = state.hint))
    }

    // --- Rule 2 -----------------------------------------------------------------------------------------------------

    private fun perform(action: NextAction) {
        if (isReplaced || hasFailed) return
        if (host == null) {
            pendingAction = action
            return
        }
        val browser = action.browser
        val app = action.app
        when {
            app != null -> onHost { openApp(it, app) }
            // The page that is shown again has no callback of its own.
            browser != null -> {
                val isResumed = action is NextAction.ResumeBrowser
                val isSame = isResumed || browser.callback == null && browser.callbackScheme == null
                onHost { open(it, browser, isResumed, if (isSame) opened.chosen else null) }
            }
        }
    }

    private suspend fun open(host: LoginHost, launch: BrowserLaunch, isResumed: Boolean, earlier: String?) {
        val wanted = running.record.request["surface"]?.string?.let(Surface::of)
        val chosen = withContext(config.callbacks) { host.choose(launch, wanted, earlier) }
        if (chosen == null) {
            running.send(LoginEvent.BrowserClosed)
            return
        }
        // First, because the app may be killed behind the browser.
        opened = LoginStore.Opened(host.name, chosen)
        store.save(running.id, opened)
        val isOpen = withContext(config.callbacks) {
            host.openBrowser(launch, chosen, isResumed, ::report)
            host.hasBrowser
        }
        hasBrowser = isOpen
        shown(if (isOpen) LoginState.Kind.InBrowser else LoginState.Kind.Waiting)
    }

    private suspend fun openApp(host: LoginHost, launch: AppLaunch) {
        if (withContext(config.callbacks) { host.openApp(launch, ::report) }) return
        // Neither the web page nor the store opens without the user's word.
        fallbacks = listOfNotNull(launch.fallback, launch.storeUrl)
        shown(LoginState.Kind.AppMissing, fallbacks.isNotEmpty())
    }

    /** Takes how a browser ended, from any thread. */
    fun report(end: BrowserEnd) {
        scope.launch { take(end) }
    }

    private suspend fun take(end: BrowserEnd) {
        hasBrowser = false
        val link = end.link
        val message = end.systemMessage
        when {
            link != null -> if (!manager.handIn(link)) running.send(LoginEvent.BrowserClosed)
            message != null -> {
                fail(LoginResult.of(LoginResult.Kind.Misconfigured, state.reference, message))
                running.send(LoginEvent.Cancelled)
            }
            else -> {
                running.send(LoginEvent.BrowserClosed)
                // What is due already could not be shown below the browser.
                if (state.kind == LoginState.Kind.CodeWanted || state.kind == LoginState.Kind.Retrying) show(state)
            }
        }
    }

    private fun closeBrowser() {
        hasBrowser = false
        onHost { host -> withContext(config.callbacks) { host.closeBrowser() } }
    }

    /** Calls the host, after all calls before. */
    private fun onHost(call: suspend (LoginHost) -> Unit) {
        hostCalls.trySend(call)
    }

    private suspend fun callHost(call: suspend (LoginHost) -> Unit) {
        val host = host ?: return
        try {
            call(host)
        } catch (error: CancellationException) {
            throw error
        } catch (error: Exception) {
            // A host that fails shows nothing. That must not end the app, nor the login.
            val attributes = mapOf("error" to error.javaClass.name)
            config.logger.log(LogEvent(LogEvent.Name.HostFailed, state.reference, attributes))
            running.send(LoginEvent.BrowserClosed)
        }
    }
}
