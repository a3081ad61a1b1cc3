// The next request.

package dev.switchback

/** Starts what is next. Revocations wait for everything else, because nobody waits for them for long. */
internal fun SessionStatus.proceed(now: SessionMoment): List<SessionEffect> {
    val effects = ArrayList<SessionEffect>()
    while (running == null) {
        if (queue.isEmpty()) return effects
        val index = queue.indexOfFirst { !it.isRevocation }
        if (index > 0) queue.add(0, queue.removeAt(index))
        val time = queue[0].notBefore
        if (time != null && time > now.instant) return effects + SessionEffect.Wake(time)
        queue[0].notBefore = null
        effects += startFirst(now)
    }
    return effects
}

/** Starts the first operation, puts another one before it, or fails it. */
private fun SessionStatus.startFirst(now: SessionMoment): List<SessionEffect> {
    val operation = queue[0]
    val work = operation.work
    if (work is Work.MakeKey) {
        val keyName = record.keyName ?: return storeFirst(record.copy(keyName = work.name), null, now)
        if (work.isForLogin && keyName != work.name && record.session == null) {
            // The device's maker attests a key for one login, when the key is made.
            val removal = SessionEffect.RemoveKeys(keyName)
            return listOf(removal) + storeFirst(record.copy(keyName = work.name, key = null), null, now)
        }
        return findKey(keyName, now)
    }
    if (operation.needsToken && !isUsable(now)) {
        operation.proof = null
        operation.isStored = false
        val renewal = SessionOperation(Work.Renew)
        renewal.isForNext = true
        queue.add(0, renewal)
        return emptyList()
    }
    if (work is Work.SetPin && !operation.isStored) {
        // The server has one of the last PINs, or the one that it confirmed, which is the last in the list.
        val former = if (record.pins.size > 2) listOf(record.pins[0], record.pins[2]) else record.pins
        return storeFirst(record.copy(pins = listOf(work.candidate.pin) + former), null, now)
    }
    val call = makeCall(work)
    if (call == null) {
        if (record.session != null) hold = Hold.StepUp
        return fail(SessionException(SessionException.Kind.StepUpRequired))
    }
    if (operation.isRevocation) return send(call, null, now)
    val oldProof = operation.proof
    if (oldProof != null) return send(call, oldProof, now)
    return sign(operation, call, now)
}

private fun SessionStatus.sign(
    operation: SessionOperation, call: SessionCall, now: SessionMoment,
): List<SessionEffect> {
    val name = record.keyName
    val key = record.key
    if (name == null || key == null) return fail(SessionException(SessionException.Kind.WrongLogin))
    count += 1
    val proof = DpopProof(key, call.method, call.url, now.proofId, Math.floorDiv(now.wall, 1000L))
    proof.nonce = nonce
    proof.accessToken = if (operation.needsToken) token?.value else null
    operation.isProven = false
    val pin = operation.provenPin
    val session = record.session
    if (pin != null && session != null && hasNewNonce(now)) {
        proof.pinId = pin.pin.id
        proof.pinProof = pin.secret.proof(session.id, nonce ?: "", proof.id)
        operation.isProven = true
    }
    val next = Running(count, Running.Phase.Signing, call, now.instant)
    next.signingInput = proof.signingInput
    running = next
    return listOf(SessionEffect.Sign(count, name, next.signingInput))
}

private fun SessionStatus.hasNewNonce(now: SessionMoment): Boolean {
    val since = nonceSince ?: return false
    return now.instant <= since + SessionStatus.NONCE_AGE
}

private fun SessionStatus.makeCall(work: Work): SessionCall? = when (work) {
    is Work.MakeKey -> null
    is Work.Begin -> SessionCall.begin(work.secret, work.attestation, server)
    Work.Renew, is Work.Unlock -> record.session?.refreshToken?.let { SessionCall.renew(it, app, server) }
    is Work.SetPin -> {
        val session = record.session
        val token = token
        if (session == null || token == null) null
        else SessionCall.setPin(work.candidate, session.id, token.value, server)
    }
    Work.ListSessions -> token?.let { SessionCall.list(it.value, server) }
    is Work.End -> token?.let { SessionCall.end(work.id, it.value, server) }
    is Work.Revoke -> SessionCall.revoke(work.token, server)
}

private fun SessionStatus.send(call: SessionCall, proof: String?, now: SessionMoment): List<SessionEffect> {
    count += 1
    running = Running(count, Running.Phase.Sent, call, now.instant)
    return listOf(SessionEffect.Send(count, call.kind, call.request(proof)))
}

private fun SessionStatus.findKey(name: String, now: SessionMoment): List<SessionEffect> {
    count += 1
    running = Running(count, Running.Phase.Key, null, now.instant)
    // The key of a session cannot be made again.
    return listOf(SessionEffect.FindKey(count, name, record.session == null))
}

internal fun SessionStatus.storeFirst(record: SavedSession, token: Token?, now: SessionMoment): List<SessionEffect> {
    count += 1
    running = Running(count, Running.Phase.Storing(record, token), null, now.instant)
    return listOf(SessionEffect.StoreFirst(count, record))
}
