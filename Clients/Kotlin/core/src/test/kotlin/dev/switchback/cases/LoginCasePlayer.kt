package dev.switchback

/** Plays a case with the reducer of a login, and finds where the two differ. */
internal class LoginCasePlayer private constructor(row: BehaviourCase) {
    private val context = row.context
    private var stored = record(row.saved)
    private var reducer = LoginReducer(stored, context.server)
    private var now = 1_000_000L

    /** The numbers of the calls since the process started, and the one that is neither answered nor aborted. */
    private var numbers = ArrayList<Int>()
    private var underWay: Int? = null
    private var timer: Long? = null
    private var create: ByteArray? = null

    companion object {
        /** Returns where the case and the reducer differ. */
        fun differences(row: BehaviourCase): List<String> {
            val player = LoginCasePlayer(row)
            return row.steps.mapIndexedNotNull { index, step ->
                val (expected, actual) = player.play(step)
                if (expected == actual) null
                else "step ${index + 1}: expected ${expected.text}, but it does ${actual.text}"
            }
        }
    }

    // --- The store --------------------------------------------------------------------------------------------------

    private fun record(saved: JsonValue?): SavedLogin {
        saved?.check("login", "return_prefixes", "reference", "acknowledged", "cancelling", "opened", "links")
        return SavedLogin(
            "one", JsonValue.of(context["request"].memberMap - "replaces"), Secret(context.secret), 1_800_000_000_000, saved?.get("login")?.string,
            saved?.get("reference")?.string, saved?.get("return_prefixes")?.strings.orEmpty(),
            saved?.get("acknowledged")?.boolean ?: false, saved?.get("cancelling")?.boolean ?: false,
            saved?.get("opened")?.strings.orEmpty(), saved?.get("links")?.strings.orEmpty(),
            context["request"]["replaces"]?.string?.let(::Secret),
        )
    }

    /** Returns what differs from the record that was stored before. */
    private fun changes(record: SavedLogin): JsonValue {
        val (old, new) = word(stored) to word(record)
        stored = record
        return JsonValue.of(new.filter { old[it.key] != it.value })
    }

    private fun word(record: SavedLogin): Map<String, JsonValue> = mapOf(
        "login" to record.login.json(), "return_prefixes" to JsonValue.texts(record.returnPrefixes),
        "reference" to record.reference.json(), "acknowledged" to JsonValue.of(record.isAcknowledged),
        "cancelling" to JsonValue.of(record.isCancelling), "opened" to JsonValue.texts(record.opened), "links" to JsonValue.texts(record.links),
        // These never change, so no case names them.
        "poll_secret" to record.secret.exposed.json(), "id" to record.id.json(), "request" to record.request,
        "replaces" to record.replaces?.exposed.json(),
    )

    // --- A step -----------------------------------------------------------------------------------------------------

    private fun play(step: JsonValue): Pair<JsonValue, JsonValue> {
        val event = event(step)
        val actual = reducer.handle(event, now, step["jitter"]?.double ?: 0.0).map(::perform)
        val expected = step["effects"]?.elements.orEmpty()
            .mapIndexed { index, effect -> completed(effect, actual.getOrNull(index)) }
        return JsonValue.of(expected) to JsonValue.of(actual)
    }

    private fun event(step: JsonValue): LoginEvent {
        val name = step["event"]?.string ?: throw BehaviourCase.FormatError("a step has no event: ${step.text}")
        val own = when (name) {
            "link" -> listOf("link")
            "code" -> listOf("code")
            "response" -> listOf("response", "to")
            "no_response" -> listOf("to")
            "killed" -> listOf("in_foreground")
            else -> emptyList()
        }
        step.check("event", "after_ms", "jitter", "effects", *own.toTypedArray())
        now += step["after_ms"]?.long ?: 0
        return when (name) {
            "start" -> LoginEvent.Started
            "killed" -> killed(step)
            "store_failed" -> LoginEvent.StoreFailed
            "response" -> LoginEvent.Responded(number(step), context.response(step.member("response")))
            "no_response" -> LoginEvent.RequestFailed(number(step))
            "timer" -> {
                val due = timer ?: throw BehaviourCase.FormatError("no timer is set: ${step.text}")
                now = maxOf(now, due)
                timer = null
                LoginEvent.TimerFired
            }
            "link" -> LoginEvent.LinkOpened(step.member("link").string.orEmpty())
            "code" -> LoginEvent.CodeEntered(step.member("code").string.orEmpty())
            "foreground" -> LoginEvent.EnteredForeground
            "background" -> LoginEvent.EnteredBackground
            "surface_closed" -> LoginEvent.BrowserClosed
            "cancel" -> LoginEvent.Cancelled
            "open_again" -> LoginEvent.ReopenRequested
            "refresh" -> LoginEvent.RefreshRequested
            "acknowledge" -> LoginEvent.Acknowledged
            "abandon" -> LoginEvent.Abandoned
            else -> throw BehaviourCase.FormatError("unknown event $name")
        }
    }

    private fun JsonValue.member(name: String): JsonValue =
        this[name] ?: throw BehaviourCase.FormatError("no $name: $text")

    /** The new process has only what was stored, and another clock. */
    private fun killed(step: JsonValue): LoginEvent {
        stored = SavedLogin.read(stored.toBytes()) ?: throw BehaviourCase.FormatError("the stored login is unreadable")
        reducer = LoginReducer(stored, context.server, step["in_foreground"]?.boolean ?: true)
        now = 50_000
        numbers = ArrayList()
        underWay = null
        timer = null
        return LoginEvent.Resumed
    }

    /** The number of the call that is answered: the one under way, or the one that the step names. */
    private fun number(step: JsonValue): Int {
        val index = step["to"]?.int
        if (index != null) return numbers.getOrNull(index - 1) ?: throw BehaviourCase.FormatError("no call $index")
        val number = underWay ?: throw BehaviourCase.FormatError("no call is under way: ${step.text}")
        underWay = null
        return number
    }

    // --- Effects ----------------------------------------------------------------------------------------------------

    private fun perform(effect: LoginEffect): JsonValue = when (effect) {
        is LoginEffect.StoreFirst -> JsonValue.of("must_store" to changes(effect.record))
        is LoginEffect.Store -> JsonValue.of("store" to changes(effect.record))
        is LoginEffect.Forget ->
            if (effect.id == stored.id) JsonValue.of("forget" to JsonValue.of(true)) else "forgets another login".json()
        is LoginEffect.Send -> send(effect.number, effect.request)
        is LoginEffect.Abandon -> {
            val isRight = effect.number == underWay
            underWay = null
            if (isRight) JsonValue.of("abort" to JsonValue.of(true)) else "aborts another call".json()
        }
        is LoginEffect.Wake -> {
            timer = effect.at
            JsonValue.of("timer_ms" to JsonValue.of(effect.at - now))
        }
        is LoginEffect.Present -> effect.state.word(now)
    }

    private fun send(number: Int, request: HttpRequest): JsonValue {
        if (underWay != null) return "a second call: $request".json()
        if (request.method == "POST" && request.path == "/v1/logins") {
            if (create?.contentEquals(request.body) == false) return "a repeated create has other bytes".json()
            create = request.body
        }
        numbers.add(number)
        underWay = number
        return request.word
    }

    /** Fills in what the case leaves open: the call's usual members, and members of the login that it does not name. */
    private fun completed(effect: JsonValue, actual: JsonValue?): JsonValue {
        if (effect["call"] != null) {
            effect.check("call", "headers", "body", "timeout_ms")
            return context.call(effect)
        }
        effect.check(
            "must_store", "store", "forget", "abort", "timer_ms", "show", "do", "because", "tries_left", "reference",
            "login",
        )
        val login = actual?.get("login")
        if (effect["show"] == null || login == null) return effect
        val named = effect["login"] ?: return effect.merging(mapOf("login" to login))
        return if (named.members == null) effect else effect.merging(mapOf("login" to login.merging(named.memberMap)))
    }
}
