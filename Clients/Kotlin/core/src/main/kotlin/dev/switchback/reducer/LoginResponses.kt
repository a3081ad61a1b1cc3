package dev.switchback

/** What a response changes in a login, and what happens when there is none. */
internal class LoginResponses(private val reducer: LoginReducer) {
    private var transientError: TransientError? = null

    /** How often the final state was reported to the app. */
    private var finishedCount = 0

    fun handle(number: Int, response: HttpResponse, now: Long, jitter: Double): List<LoginEffect> {
        // An abandoned request may still get its response.
        val sent = reducer.sent ?: return emptyList()
        if (sent.number != number) return emptyList()
        reducer.sent = null
        val stored = reducer.record
        return when (val decision = RetryTable.decision(response, sent.call.kind)) {
            RetryTable.Decision.Accept -> accept(response, sent, now, jitter)
            RetryTable.Decision.Unchanged -> {
                complete(sent.call)
                pace(sent, now)
                if (reducer.isEnded) scheduleRepetition(now)
                presentRecovery() + reducer.proceed(now)
            }
            RetryTable.Decision.Drop -> {
                complete(sent.call)
                reducer.isAppReopenRequested = false
                reducer.storeAfter(stored) + presentRecovery() + reducer.proceed(now)
            }
            is RetryTable.Decision.WrongCode -> {
                complete(sent.call)
                transientError = null
                askAgain(decision.triesLeft) + reducer.proceed(now)
            }
            is RetryTable.Decision.Retry -> retry(decision.error, response.retryAfter, now, jitter)
            RetryTable.Decision.Wiped -> {
                reducer.isOver = true
                listOf(LoginEffect.Forget(reducer.record.id))
            }
            is RetryTable.Decision.Fail -> end(decision.error)
        }
    }

    fun handleNone(number: Int, now: Long, jitter: Double): List<LoginEffect> {
        val sent = reducer.sent ?: return emptyList()
        if (sent.number != number) return emptyList()
        reducer.sent = null
        return retry(TransientError.NoResponse, null, now, jitter)
    }

    fun end(error: LoginError): List<LoginEffect> {
        reducer.isOver = true
        val abandoned = reducer.sent?.let { listOf(LoginEffect.Abandon(it.number)) } ?: emptyList()
        // An app gets one final state only, unless the result is lost before the app has it safe.
        val isTold = reducer.record.isAcknowledged || (reducer.isEnded && error == LoginError.Abandoned)
        val forgotten = abandoned + listOf(LoginEffect.Forget(reducer.record.id))
        if (isTold) return forgotten
        return forgotten + listOf(LoginEffect.Present(ShownState.Failed(error, reducer.record.reference)))
    }

    private fun accept(response: HttpResponse, sent: SentCall, now: Long, jitter: Double): List<LoginEffect> {
        val login = Login.read(response.body, now)
        if (login == null || !mayFollow(login)) {
            return retry(TransientError.unexpectedResponse(response.status), response.retryAfter, now, jitter)
        }
        val stored = reducer.record
        complete(sent.call)
        return absorb(login, sent, stored, now)
    }

    /** It is the same login, and a final login never changes its status. */
    private fun mayFollow(login: Login): Boolean {
        val former = reducer.login
        if (former?.isFinal == true && former.status != login.status) return false
        return (reducer.record.login ?: login.id) == login.id
    }

    /** The call has its response, and there was no error. */
    private fun complete(call: Call) {
        reducer.failures = 0
        reducer.pausedUntil = null
        if (reducer.waiting.firstOrNull() == call) reducer.waiting = reducer.waiting.drop(1)
        if (call == Call.Cancel) reducer.record = reducer.record.copy(isCancelling = false)
        val link = (call as? Call.ReportReturn)?.link ?: return
        reducer.record = reducer.record.copy(links = reducer.record.links - link)
    }

    private fun absorb(login: Login, sent: SentCall, stored: SavedLogin, now: Long): List<LoginEffect> {
        val before = reducer.login
        val hasRecovered = transientError != null
        reducer.login = login
        reducer.validator = login.validator
        reducer.record = reducer.record.copy(login = login.id, returnPrefixes = login.returnPrefixes)
        if (login.reference.isNotEmpty()) reducer.record = reducer.record.copy(reference = login.reference)
        transientError = null
        if (login.isFinal) {
            reducer.waiting = emptyList()
            reducer.record = reducer.record.copy(links = emptyList(), isCancelling = false)
            // Without a validator the next poll returns at once, with an assertion that is signed anew.
            reducer.validator = null
            scheduleRepetition(now)
            val finished = listOf(LoginEffect.Present(ShownState.Finished(login)))
            return reducer.storeAfter(stored) + finished + reducer.proceed(now)
        }
        val isNews = before?.version != login.version || hasRecovered
        val state = newState(login, sent.call, isNews)
        if (state == null) pace(sent, now)
        if (login.poll.after > 0) reducer.pausedUntil = maxOf(reducer.pausedUntil ?: now, now + login.poll.after)
        val presented = state?.let { listOf(LoginEffect.Present(it)) } ?: emptyList()
        return reducer.storeAfter(stored) + presented + reducer.proceed(now)
    }

    /** Returns the state to report for a login that is not final; null when there is nothing new. */
    private fun newState(login: Login, call: Call, isNews: Boolean): ShownState? {
        // A user who is cancelling must not be sent to a browser.
        if (reducer.record.isCancelling) return if (isNews) ShownState.InProgress(login, null) else null
        if (call == Call.ReportReturn(null)) {
            val wantsApp = reducer.isAppReopenRequested
            reducer.isAppReopenRequested = false
            if (wantsApp && login.next is NextAction.OpenApp) {
                reducer.claim(login.next)
                return ShownState.InProgress(login, login.next)
            }
            // The user closed the browser, or so it seems. It is opened again when the user asks for it.
            if (isPaused(login.next)) return ShownState.Paused(login)
            reducer.presentedAction = null
            reducer.isBrowserGone = true
        }
        // The e-ID's app sent the user back without a response, and the server has a new link to it.
        val isInApp = login.next is NextAction.OpenApp && reducer.presentedAction is NextAction.OpenApp
        if (call.kind == Call.Kind.ReportReturn && isInApp && isNews) {
            reducer.claim(login.next)
            return ShownState.Paused(login)
        }
        val action = reducer.claim(login.next)
        val isOffer = action == null && login.next.opensSomething && reducer.isBrowserGone
        if (action != null || isOffer) reducer.isBrowserGone = false
        if (isOffer) return ShownState.Paused(login)
        return if (isNews || action != null) ShownState.InProgress(login, action) else null
    }

    /** Returns whether the action waits for the user after the browser was closed. */
    private fun isPaused(next: NextAction): Boolean {
        // Marks it as shown, so that no later poll opens it.
        if (next.opensSomething) reducer.claim(next)
        return next.opensSomething || next is NextAction.ResumeBrowser && reducer.presentedAction == next
    }

    private fun askAgain(triesLeft: Int): List<LoginEffect> {
        val login = reducer.login ?: return emptyList()
        return listOf(LoginEffect.Present(ShownState.WrongCode(triesLeft, login)))
    }

    /** The app has the final state. It is repeated until the app says that the result is safe, less often each time. */
    private fun scheduleRepetition(now: Long) {
        finishedCount += 1
        reducer.pausedUntil = now + minOf(60_000L, 15_000L shl minOf(finishedCount - 1, 2))
    }

    /** A response that came too early and brings nothing new must not make the next poll start at once. */
    private fun pace(sent: SentCall, now: Long) {
        val interval = reducer.login?.poll?.interval ?: 2000
        if (sent.call != Call.Poll || now - sent.at >= interval) return
        reducer.pausedUntil = sent.at + interval
    }

    private fun presentRecovery(): List<LoginEffect> {
        if (transientError == null || reducer.isEnded) return emptyList()
        transientError = null
        val state = reducer.login?.let { login -> ShownState.InProgress(login, null) } ?: ShownState.Starting
        return listOf(LoginEffect.Present(state))
    }

    private fun retry(error: TransientError, retryAfter: Int?, now: Long, jitter: Double): List<LoginEffect> {
        reducer.failures += 1
        reducer.pausedUntil = now + Backoff.delay(reducer.failures, retryAfter, jitter)
        // After the final state the app no longer waits for anything.
        val isNews = transientError != error && !reducer.isEnded
        transientError = error
        if (!isNews) return reducer.proceed(now)
        return listOf(LoginEffect.Present(ShownState.Retrying(error, reducer.login))) + reducer.proceed(now)
    }
}
