// What a result changes: of the storage, the key and the network.

package dev.switchback

internal fun SessionStatus.handleStored(number: Int): List<SessionEffect> {
    val phase = running?.takeIf { it.number == number }?.phase as? Running.Phase.Storing ?: return emptyList()
    running = null
    record = phase.record
    val first = queue.firstOrNull()
    if (first?.work is Work.Begin) {
        token = phase.token
        hold = null
        return complete(SessionReply.Done)
    }
    if (first?.work is Work.SetPin) first.isStored = true
    return emptyList()
}

internal fun SessionStatus.handleStoreFailed(number: Int): List<SessionEffect> {
    if (running?.number != number) return emptyList()
    return fail(SessionException(SessionException.Kind.StorageFailed))
}

internal fun SessionStatus.handleKey(number: Int, key: P256PublicKey): List<SessionEffect> {
    if (running?.number != number || running?.phase != Running.Phase.Key) return emptyList()
    val isOther = record.key != key
    // Another key under the same name: the session's own is gone.
    if (isOther && record.session != null) return signOut(SignOutReason.KeyLost, null)
    record = record.copy(key = key)
    if (hold == Hold.DeviceLocked) hold = null
    val effects = if (isOther) listOf(SessionEffect.Store(record)) else emptyList()
    return effects + complete(SessionReply.Thumbprint(key.thumbprint))
}

internal fun SessionStatus.handleKeyError(number: Int, error: DeviceKeyException): List<SessionEffect> {
    if (running?.number != number) return emptyList()
    if (error.kind == DeviceKeyException.Kind.GONE) {
        if (record.session != null) return signOut(SignOutReason.KeyLost, null)
        // No session is lost. The next login makes another key.
        record = record.copy(keyName = null, key = null)
        return fail(SessionException(SessionException.Kind.WrongLogin)) + SessionEffect.Store(record)
    }
    if (error.kind == DeviceKeyException.Kind.UNAVAILABLE && record.session != null) hold = hold ?: Hold.DeviceLocked
    return fail(SessionException.of(error))
}

internal fun SessionStatus.handleSignature(number: Int, signature: ByteArray): List<SessionEffect> {
    val running = running
    if (running == null || running.number != number || running.phase != Running.Phase.Signing) return emptyList()
    val call = running.call ?: return emptyList()
    if (hold == Hold.DeviceLocked) hold = null
    val proof = running.signingInput + "." + Base64Url.encode(signature)
    queue[0].proof = proof
    running.phase = Running.Phase.Sent
    return listOf(SessionEffect.Send(number, call.kind, call.request(proof)))
}

internal fun SessionStatus.handleResponse(
    number: Int, response: HttpResponse, now: SessionMoment,
): List<SessionEffect> {
    val running = running
    if (running == null || running.number != number || running.phase != Running.Phase.Sent) return emptyList()
    val call = running.call ?: return emptyList()
    val first = queue.firstOrNull() ?: return emptyList()
    response["DPoP-Nonce"]?.takeIf { it.isNotEmpty() }?.let {
        nonce = it
        nonceSince = now.instant
    }
    val decision = SessionTable.decision(response, call.kind)
    // Any other response than "later" tells whether the PIN was judged.
    if (decision !is SessionTable.Decision.Retry && first.isProven) unanswered = null
    return when (decision) {
        SessionTable.Decision.Accept -> accept(first, response, running, now)
        SessionTable.Decision.NewNonce -> {
            // The try may have been counted before its response was lost, so only the user may make another one.
            if (first.isProven && first.mayBeJudged) return fail(SessionException.noResponse(TransientError.NoResponse))
            if (response["DPoP-Nonce"] == null) return fail(SessionException.refused("use_dpop_nonce"))
            againWithNewNonce("use_dpop_nonce")
        }
        SessionTable.Decision.NewToken -> {
            first.tokenRefusals += 1
            if (first.tokenRefusals != 1) return fail(SessionException.refused("access_token_invalid"))
            token = null
            again()
        }
        is SessionTable.Decision.Retry -> retry(decision.error, response.retryAfter, now)
        SessionTable.Decision.Ended -> {
            val effects = fail(SessionException.signedOut(SignOutReason.Ended))
            if (record.session == null) effects else effects + signOut(SignOutReason.Ended, null)
        }
        is SessionTable.Decision.WrongPin -> handleWrongPin(decision.triesLeft)
        is SessionTable.Decision.PinRequired -> handlePinRequired(first, decision.id)
        SessionTable.Decision.StepUp -> handleStepUp(call.kind)
        is SessionTable.Decision.Fail -> fail(decision.error)
    }
}

/** Repeats the operation with a new proof. */
private fun SessionStatus.again(): List<SessionEffect> {
    queue[0].proof = null
    queue[0].mayBeJudged = false
    running = null
    return emptyList()
}

/** Repeats the operation with the nonce of the response, but does not ask such a server for ever. */
private fun SessionStatus.againWithNewNonce(code: String): List<SessionEffect> {
    queue[0].nonceRefusals += 1
    if (queue[0].nonceRefusals > SessionStatus.ATTEMPTS) return fail(SessionException.refused(code))
    return again()
}

private fun SessionStatus.accept(
    first: SessionOperation, response: HttpResponse, running: Running, now: SessionMoment,
): List<SessionEffect> {
    val strange = TransientError.unexpectedResponse(response.status)
    return when (val work = first.work) {
        is Work.Begin, Work.Renew, is Work.Unlock -> {
            val tokens = SessionTokens.read(response.body) ?: return retry(strange, null, now)
            // A renewal always gives one.
            if (tokens.accessToken == null && work !is Work.Begin) return retry(strange, null, now)
            if (!tokens.isBound) return fail(SessionException(SessionException.Kind.NotBound))
            // It only got a new nonce. The user is there to prove the PIN.
            if (work is Work.Unlock && !first.isProven) return againWithNewNonce("use_dpop_nonce")
            accept(first, tokens, running, now)
        }
        is Work.SetPin -> {
            if (response.status != 204) return retry(strange, null, now)
            record = record.copy(
                pins = listOf(work.candidate.pin), session = record.session?.copy(hasPin = true),
            )
            listOf(SessionEffect.Store(record)) + complete(SessionReply.Done)
        }
        Work.ListSessions -> {
            val list = SessionSummary.list(response.body) ?: return retry(strange, null, now)
            complete(SessionReply.Sessions(list))
        }
        is Work.End -> {
            if (response.status != 204 && response.status != 404) return retry(strange, null, now)
            val effects = complete(SessionReply.Done)
            if (work.id == record.session?.id) effects + endHere() else effects
        }
        is Work.Revoke -> {
            // A hotel's page has a body.
            if (response.body.isNotEmpty() && JsonValue.parse(response.body) == null) return retry(strange, null, now)
            record = record.copy(revocations = record.revocations.filter { it != work.token })
            listOf(SessionEffect.Store(record)) + complete(SessionReply.Done)
        }
        is Work.MakeKey -> fail(SessionException(SessionException.Kind.Cancelled))
    }
}

/** The server has ended this session, as the user wanted. */
private fun SessionStatus.endHere(): List<SessionEffect> {
    record = record.copy(session = record.session?.copy(refreshToken = null))
    return signOut(SignOutReason.ByUser, null)
}

private fun SessionStatus.accept(
    first: SessionOperation, tokens: SessionTokens, running: Running, now: SessionMoment,
): List<SessionEffect> {
    val former = record.session
    val id = tokens.session ?: former?.id ?: return retry(TransientError.unexpectedResponse(200), null, now)
    // A login that allows less than the session had leaves the session as it was.
    val refreshToken = tokens.refreshToken ?: if (former?.id == id) former.refreshToken else null
    val hasPin = tokens.hasPin ?: if (tokens.refreshToken == null) former?.hasPin else null
    var session = SavedSession.Session(id, refreshToken, hasPin)
    if (refreshToken == null) {
        session = session.copy(accessToken = tokens.accessToken, expiresAt = now.wall + tokens.lifetime)
    }
    // The server never got the PIN, or has destroyed it.
    val pins = if (tokens.hasPin == false) emptyList() else record.pins
    val next = record.copy(session = session, pins = pins)
    // The lifetime is counted from before the server made the token.
    val token = tokens.accessToken?.let { Token(it, running.since + tokens.lifetime) }
    return when (val work = first.work) {
        is Work.Begin -> storeFirst(next.copy(isLocked = false), token, now)
        is Work.Unlock -> {
            val index = first.candidate
            val pin = stored(work.candidates[index].pin)
            take(next.copy(pins = listOf(pin), isLocked = false), token) + complete(SessionReply.Unlocked(index))
        }
        else -> {
            if (token == null) return retry(TransientError.unexpectedResponse(200), null, now)
            take(next, token) + complete(SessionReply.Token(token.value))
        }
    }
}

/** The biometric copy may have come or gone since the user typed the PIN. */
private fun SessionStatus.stored(pin: WrappedPin): WrappedPin =
    record.pins.firstOrNull { it.masked == pin.masked } ?: pin

private fun SessionStatus.take(next: SavedSession, token: Token?): List<SessionEffect> {
    val isNews = next != record
    record = next
    this.token = token
    hold = null
    return if (isNews) listOf(SessionEffect.Store(next)) else emptyList()
}

private fun SessionStatus.handleWrongPin(triesLeft: Int): List<SessionEffect> {
    token = null
    if (triesLeft == 0) {
        losePins()
        hold = Hold.StepUp
        return fail(SessionException.wrongPin(0)) + SessionEffect.Store(record)
    }
    hold = Hold.Pin(triesLeft)
    return fail(SessionException.wrongPin(triesLeft))
}

private fun SessionStatus.handlePinRequired(first: SessionOperation, id: String?): List<SessionEffect> {
    if (first.work is Work.Unlock) return choose(id, first.work.candidates)
    token = null
    // Without its PIN, only a login helps.
    if (record.pins.isEmpty()) {
        hold = Hold.StepUp
        return fail(SessionException(SessionException.Kind.StepUpRequired))
    }
    hold = Hold.Pin(null)
    return fail(SessionException.pinRequired(null))
}

/** Goes on with the PIN that the server has. After a change without a response it can be the former one. */
private fun SessionStatus.choose(id: String?, candidates: List<PinCandidate>): List<SessionEffect> {
    val index = candidates.indexOfFirst { it.pin.id == id }
    if (!queue[0].isProven || (index >= 0 && index != queue[0].candidate)) {
        if (index >= 0) queue[0].candidate = index
        return againWithNewNonce("pin_required")
    }
    // The user was recognized, and this PIN has no copy for biometrics.
    if (record.pins.any { it.id == id }) return fail(SessionException(SessionException.Kind.NoBiometrics))
    losePins()
    hold = Hold.StepUp
    token = null
    return fail(SessionException(SessionException.Kind.StepUpRequired)) + SessionEffect.Store(record)
}

private fun SessionStatus.handleStepUp(kind: SessionCall.Kind): List<SessionEffect> {
    // The others want a fresh login or unlock for themselves. The session goes on.
    if (kind != SessionCall.Kind.RENEW) return fail(SessionException(SessionException.Kind.StepUpRequired))
    // The server has no PIN: none was set in time, or it was destroyed after too many wrong ones.
    losePins()
    hold = Hold.StepUp
    token = null
    if (record.session?.hasPin == true) record = record.copy(session = record.session?.copy(hasPin = false))
    return fail(SessionException(SessionException.Kind.StepUpRequired)) + SessionEffect.Store(record)
}
