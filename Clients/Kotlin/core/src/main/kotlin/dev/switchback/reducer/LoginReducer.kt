package dev.switchback

/**
 * The state machine of a login, which follows the five rules: takes an event, and returns the effects to perform.
 *
 *     begin ─▶ create ─▶ polling, next, link, code ─▶ ended ─▶ result stored ─▶ forgotten
 *                 └──────────────┴──▶ failed ─▶ forgotten
 *
 * It has no clock, no randomness, no store, no network and no screen. One request is running at any time: a poll is
 * abandoned when the user does something. Polls return the current state, so nothing is lost between two of them.
 *
 * Whoever runs it performs all effects in order, and reports each result as an event. All times are milliseconds of a
 * clock that only goes forward.
 */
internal class LoginReducer(
    /** What the store keeps of the login. */
    var record: SavedLogin,
    private val server: String,
    private var isInForeground: Boolean = true,
) {
    /** Whether the login is over and forgotten. No event does anything any more. */
    var isOver = false

    /** The login as the server last reported it; null before the first response. */
    var login: Login? = null

    /** What follows a response, in a class of its own. */
    private val responses = LoginResponses(this)

    /** The calls to send before the next poll, in order. The first one stays until it has its response. */
    var waiting: List<Call> = emptyList()
    var sent: SentCall? = null
    private var count = 0

    /** Names the last state that the server sent (`If-None-Match`). */
    var validator: String? = null
    var failures = 0

    /** No request is sent before this time. */
    var pausedUntil: Long? = null

    /** The last action that was reported to the app. */
    var presentedAction: NextAction? = null

    /** The user wants to continue in the e-ID's app. The response to the report contains the link. */
    var isAppReopenRequested = false

    /**
     * What was opened before may be gone: a link started this new process, or the app has said that its browser is
     * closed, while there was nothing to open.
     */
    var isBrowserGone = true

    /** Whether the final state was reported to the app, by this reducer or by an earlier one. */
    val isEnded: Boolean get() = login?.isFinal == true || record.isAcknowledged

    /** Takes an event and returns its effects. `jitter`, from 0 to 1, spreads the retries of clients. */
    fun handle(event: LoginEvent, now: Long, jitter: Double = 0.0): List<LoginEffect> {
        if (isOver) return emptyList()
        return when (event) {
            LoginEvent.Started -> begin(now)
            LoginEvent.Resumed -> resume(now)
            LoginEvent.StoreFailed -> responses.end(LoginError.NotStored)
            is LoginEvent.Responded -> responses.handle(event.number, event.response, now, jitter)
            is LoginEvent.RequestFailed -> responses.handleNone(event.number, now, jitter)
            LoginEvent.TimerFired -> proceed(now)
            is LoginEvent.LinkOpened -> handleLink(event.link, now)
            is LoginEvent.CodeEntered -> enqueue(Call.EnterCode(event.code), now)
            LoginEvent.EnteredForeground -> handleForeground(now)
            LoginEvent.EnteredBackground -> handleBackground()
            LoginEvent.BrowserClosed -> reportReturn(now)
            LoginEvent.Cancelled -> cancel(now)
            LoginEvent.ReopenRequested -> showAgain(now)
            LoginEvent.RefreshRequested -> refresh(now)
            LoginEvent.Acknowledged -> acknowledge(now)
            LoginEvent.Abandoned -> responses.end(LoginError.Abandoned)
        }
    }

    // --- Beginning --------------------------------------------------------------------------------------------------

    private val isIdle: Boolean get() = waiting.isEmpty() && sent == null && login == null

    /** Rule 1: store the login first. */
    private fun begin(now: Long): List<LoginEffect> {
        if (!isIdle) return emptyList()
        waiting = listOf(Call.Create)
        return listOf(LoginEffect.StoreFirst(record), LoginEffect.Present(ShownState.Starting)) + proceed(now)
    }

    /**
     * The app was killed, and we do not know how far the last request came, so we repeat it. Rule 5: the app is back,
     * without a link unless one is stored.
     */
    private fun resume(now: Long): List<LoginEffect> {
        if (!isIdle) return emptyList()
        if (record.isAcknowledged && record.login != null) {
            waiting = listOf(Call.Acknowledge)
        } else if (record.login == null) {
            waiting = listOf(Call.Create)
        } else if (record.links.isEmpty() && !record.isCancelling) {
            waiting = listOf(Call.ReportReturn(null))
        } else {
            waiting = record.links.map { Call.ReportReturn(it) }
        }
        if (record.isCancelling) waiting = waiting + Call.Cancel
        if (record.isAcknowledged) return proceed(now)
        return listOf(LoginEffect.Present(ShownState.Starting)) + proceed(now)
    }

    // --- What the user does -----------------------------------------------------------------------------------------

    /** Rule 3: hand in the link. */
    private fun handleLink(link: String, now: Long): List<LoginEffect> {
        if (isEnded || !record.accepts(link) || link in record.links) return emptyList()
        // The user may return more than once, and must be sent back to the browser each time.
        if (presentedAction is NextAction.ResumeBrowser) presentedAction = null
        if (presentedAction == NextAction.ShowBrowser) presentedAction = null
        // This link may be the only copy of the broker's response, and the app may be killed before it is handed in.
        record = record.copy(links = record.links + link)
        return listOf(LoginEffect.Store(record)) + enqueue(Call.ReportReturn(link), now)
    }

    /** Rule 4: poll at once, without waiting for a pause. */
    private fun handleForeground(now: Long): List<LoginEffect> {
        isInForeground = true
        failures = 0
        pausedUntil = null
        // The user returned from the e-ID's app or from the system's browser, but not by a link. A browser inside the
        // app may still be on top of it.
        return if (isBehindAnotherApp() && !isEnded) reportReturn(now) else proceed(now)
    }

    private fun isBehindAnotherApp(): Boolean = when (presentedAction) {
        is NextAction.OpenApp -> true
        is NextAction.OpenBrowser, is NextAction.ResumeBrowser, NextAction.ShowBrowser -> record.isInSystemBrowser
        else -> false
    }

    private fun handleBackground(): List<LoginEffect> {
        isInForeground = false
        // The system would cut off a poll sooner or later. Calls for what the user did are still sent.
        val poll = sent ?: return emptyList()
        if (poll.call != Call.Poll) return emptyList()
        sent = null
        return listOf(LoginEffect.Abandon(poll.number))
    }

    /**
     * Rule 5: report the return. It ends nothing, because phones also report minimised tabs and app switches. The
     * response says how to continue.
     */
    private fun reportReturn(now: Long): List<LoginEffect> {
        if (Call.ReportReturn(null) in waiting) return proceed(now)
        return enqueue(Call.ReportReturn(null), now)
    }

    /** Rule 5: the user gives up. The app may be killed before the server has heard it, so it is stored first. */
    private fun cancel(now: Long): List<LoginEffect> {
        if (isEnded || record.isCancelling) return emptyList()
        record = record.copy(isCancelling = true)
        return listOf(LoginEffect.Store(record)) + enqueue(Call.Cancel, now)
    }

    private fun showAgain(now: Long): List<LoginEffect> {
        val login = login ?: return emptyList()
        if (login.isFinal || login.next == NextAction.Wait) return emptyList()
        // The e-ID's app may refuse an old link. The server then has a new one.
        if (login.next is NextAction.OpenApp) {
            isAppReopenRequested = true
            return reportReturn(now)
        }
        val stored = record
        // What the app shows now is not news later.
        claim(login.next)
        val action = login.page?.let { NextAction.OpenBrowser(it) } ?: login.next
        if (action is NextAction.OpenBrowser) markOpened(action.browser.url)
        return storeAfter(stored) + listOf(LoginEffect.Present(ShownState.InProgress(login, action)))
    }

    /** Rule 5: acknowledge a login that is final, once. */
    private fun acknowledge(now: Long): List<LoginEffect> {
        if (!isEnded || record.isAcknowledged) return emptyList()
        record = record.copy(isAcknowledged = true)
        failures = 0
        pausedUntil = null
        waiting = listOf(Call.Acknowledge)
        return listOf(LoginEffect.Store(record)) + proceed(now)
    }

    /** Polls at once, without waiting for a pause. */
    private fun refresh(now: Long): List<LoginEffect> {
        if (!isEnded || record.isAcknowledged) return emptyList()
        failures = 0
        pausedUntil = null
        return proceed(now)
    }

    private fun enqueue(call: Call, now: Long): List<LoginEffect> {
        if (isEnded) return emptyList()
        if (waiting.isEmpty()) {
            failures = 0
            pausedUntil = null
        }
        waiting = waiting + call
        return proceed(now)
    }

    // --- The next request -------------------------------------------------------------------------------------------

    fun proceed(now: Long): List<LoginEffect> {
        var effects = emptyList<LoginEffect>()
        val running = sent
        if (running != null) {
            // A poll is abandoned for another call; any other call must finish.
            if (running.call != Call.Poll || waiting.isEmpty()) return emptyList()
            effects = listOf(LoginEffect.Abandon(running.number))
            sent = null
        }
        // A final login is polled too, until the app has the result safe.
        val mayPoll = isInForeground && !record.isAcknowledged
        val call = waiting.firstOrNull() ?: (if (mayPoll) Call.Poll else null) ?: return effects
        val pause = pausedUntil ?: now
        if (now < pause) return effects + listOf(LoginEffect.Wake(pause))
        val request = call.request(record, server, login?.poll, validator) ?: return effects
        count += 1
        sent = SentCall(count, call, now)
        return effects + listOf(LoginEffect.Send(count, request))
    }

    // --- What is stored and shown -----------------------------------------------------------------------------------

    fun storeAfter(before: SavedLogin): List<LoginEffect> =
        if (record == before) emptyList() else listOf(LoginEffect.Store(record))

    /**
     * Returns the action that the app has to perform now (rule 2); null when it was reported before. A browser or an
     * app is never opened with the same URL twice.
     */
    fun claim(next: NextAction): NextAction? {
        val isNew = when (next) {
            NextAction.Wait -> false
            is NextAction.OpenBrowser -> markOpened(next.browser.url)
            is NextAction.OpenApp -> markOpened(next.app.name)
            else -> presentedAction != next
        }
        presentedAction = if (next == NextAction.Wait) null else next
        return if (isNew) next else null
    }

    private fun markOpened(name: String): Boolean {
        if (name in record.opened) return false
        record = record.copy(opened = record.opened + name)
        return true
    }
}

/** A call that has no response yet. */
internal class SentCall(val number: Int, val call: Call, val at: Long)
