package dev.switchback

// What the client shows and sends, in the words of the API and of the cases.

/** The action as the API says it. Members that are missing or empty are left out. */
internal val NextAction.word: JsonValue
    get() {
        val launch = browser?.word ?: app?.word
        return JsonValue.of(mapOf("action" to code.json()) + launch.memberMap)
    }

private val BrowserLaunch.word: JsonValue
    get() = JsonValue.of(
        "url" to url.json(), "surfaces" to listed(surfaces.map { it.code }), "callback" to callback?.json(),
        "callback_scheme" to callbackScheme?.json(), "ephemeral" to if (isEphemeral) JsonValue.of(true) else null,
        "android_packages" to listed(androidPackages),
    )

private val AppLaunch.word: JsonValue
    get() = JsonValue.of(
        "universal_link" to universalLink?.json(), "custom_scheme" to customScheme?.json(),
        "android_package" to androidPackage?.json(), "store_url" to storeUrl?.json(), "fallback" to fallback?.json(),
        "expires_in" to expiresIn?.let { JsonValue.of(it) },
    )

private fun listed(texts: List<String>): JsonValue? = if (texts.isEmpty()) null else JsonValue.texts(texts)

/** The state in the words of the cases. */
internal fun ShownState.word(now: Long): JsonValue {
    val failed = this as? ShownState.Failed
    return JsonValue.of(
        "show" to code.json(), "do" to (this as? ShownState.InProgress)?.action?.word,
        "tries_left" to (this as? ShownState.WrongCode)?.triesLeft?.let { JsonValue.of(it.toLong()) },
        "because" to ((this as? ShownState.Retrying)?.error?.word ?: failed?.error?.word),
        "reference" to failed?.reference?.json(), "login" to (login?.word(now) ?: JsonValue.Null),
    )
}

/** The reason in the words of the cases. */
val TransientError.word: JsonValue
    get() = status?.let { JsonValue.of(mapOf(code to JsonValue.of(it.toLong()))) } ?: code.json()

private val LoginError.word: JsonValue
    get() {
        val problem = (this as? LoginError.Refused)?.problem ?: return code.json()
        return JsonValue.of(
            code to problem.code.json(), "status" to JsonValue.of(problem.status.toLong()),
            "detail" to problem.detail.json(), "member" to problem.member?.json(),
            "request_id" to problem.requestId?.json(), "notice" to problem.notice?.json(),
        )
    }

private fun Login.word(now: Long): JsonValue = JsonValue.of(
    mapOf(
        "id" to id.json(), "status" to status.code.json(), "final" to JsonValue.of(isFinal),
        "version" to JsonValue.of(version), "app" to app.json(), "provider" to provider.json(),
        "reference" to reference.json(), "expires_in" to JsonValue.of(maxOf(0, expiresAt - now + 500) / 1000),
        "return_prefixes" to JsonValue.texts(returnPrefixes),
        "poll" to JsonValue.of(
            "wait" to JsonValue.of(poll.wait), "interval" to JsonValue.of(poll.interval / 1000),
            "after_ms" to JsonValue.of(poll.after),
        ),
        "next" to next.word, "hint" to hint.json(), "identity" to (identity?.word ?: JsonValue.Null),
        "assertion" to assertion?.exposed.json(), "proof" to proof.json(),
        "reason" to (reason?.let { reasonWord(it) } ?: JsonValue.Null),
    ),
)

private fun Login.reasonWord(code: String): JsonValue =
    JsonValue.of("code" to code.json(), "retryable" to JsonValue.of(isRetryable))

private val Identity.word: JsonValue
    get() = JsonValue.of(
        "subject" to subject.json(), "eid" to eid.json(), "name" to name?.json(), "assurance" to assurance.code.json(),
    )

/** The request as the cases say it. What a library says about itself is its own. */
val HttpRequest.word: JsonValue
    get() {
        val isJson = headers["Content-Type"] == "application/json"
        return JsonValue.of(
            "method" to method.json(), "path" to path.json(),
            "headers" to JsonValue.of((headers - "User-Agent").mapValues { it.value.json() }),
            "body" to body?.let { if (isJson) JsonValue.parse(it) else String(it).json() },
            "timeout_ms" to JsonValue.of(timeoutMillis),
        )
    }
