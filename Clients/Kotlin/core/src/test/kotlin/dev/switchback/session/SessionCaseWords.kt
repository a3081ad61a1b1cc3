package dev.switchback.session

import dev.switchback.Base64Url
import dev.switchback.BehaviourCase
import dev.switchback.CaseContext
import dev.switchback.HttpRequest
import dev.switchback.JsonValue
import dev.switchback.P256PublicKey
import dev.switchback.PinCandidate
import dev.switchback.PinSecret
import dev.switchback.SavedSession
import dev.switchback.Secret
import dev.switchback.SessionReply
import dev.switchback.SessionState
import dev.switchback.SessionSummary
import dev.switchback.SignOutReason
import dev.switchback.TransientError
import dev.switchback.WrappedPin
import dev.switchback.check
import dev.switchback.memberMap
import dev.switchback.merging
import dev.switchback.text
import java.security.MessageDigest

internal fun objectOf(vararg members: Pair<String, JsonValue?>): JsonValue = JsonValue.of(*members)

internal fun json(text: String): JsonValue = JsonValue.of(text)

internal fun sha256(text: String): ByteArray = MessageDigest.getInstance("SHA-256").digest(text.encodeToByteArray())

/** The key whose coordinates have this byte only. */
internal fun caseKey(byte: Int): P256PublicKey =
    Base64Url.encode(ByteArray(32) { byte.toByte() }).let { P256PublicKey(it, it) }

/** What the session's client stores, sends and tells, in the words of the cases. */
internal class SessionCaseWords(context: CaseContext, saltSize: Int = 1) {
    private val pins: MutableMap<String, PinCandidate> = context["pins"].memberMap.mapValuesTo(HashMap()) { (_, json) ->
        json.check("salt", "secret")
        val secret = json["secret"]?.int ?: throw BehaviourCase.FormatError("not a PIN: ${json.text}")
        val bytes = ByteArray(32) { secret.toByte() }
        val salt = Base64Url.encode(ByteArray(saltSize) { (json["salt"]?.int ?: 0).toByte() })
        PinCandidate(WrappedPin(salt, 1, Base64Url.encode(bytes)), PinSecret(bytes))
    }

    /** `"A"`, or `"A+"` for one with a copy for biometrics. */
    fun pin(json: JsonValue?): PinCandidate {
        val name = json?.string ?: throw BehaviourCase.FormatError("no PIN")
        val found = pins[name.removeSuffix("+")] ?: throw BehaviourCase.FormatError("unknown PIN $name")
        return if (name.endsWith("+")) PinCandidate(found.pin.copy(biometric = "AQ"), found.secret) else found
    }

    /** Whoever types another PIN than the stored one gets another secret from the same salt. */
    fun type(name: String, stored: WrappedPin) {
        val typed = pin(json(name))
        pins[name] = PinCandidate(typed.pin.copy(salt = stored.salt), typed.secret)
    }

    fun word(pin: WrappedPin): String {
        val name = pins.entries.firstOrNull { it.value.pin.masked == pin.masked }?.key ?: "unknown"
        return if (pin.biometric == null) name else "$name+"
    }

    /** `"K1"` is the key whose coordinates have the byte 1 only. */
    fun key(json: JsonValue?): P256PublicKey? {
        if (json == null || json.isNull) return null
        val byte = json.string?.drop(1)?.toIntOrNull() ?: throw BehaviourCase.FormatError("unknown key ${json.text}")
        return caseKey(byte)
    }

    private fun word(thumbprint: String?): JsonValue =
        (0..20).firstOrNull { caseKey(it).thumbprint == thumbprint }?.let { json("K$it") } ?: JsonValue.Null

    fun record(saved: JsonValue?): SavedSession {
        saved?.check("key_name", "key", "session", "signed_out", "pins", "locked", "revocations")
        val session = saved?.get("session")?.takeIf { !it.isNull }
        session?.check("id", "refresh_token", "pin", "access_token", "expires_at")
        return SavedSession(
            saved?.get("key_name")?.string, key(saved?.get("key")),
            session?.let {
                SavedSession.Session(
                    it["id"]?.string ?: "", it["refresh_token"]?.string?.let(::Secret), it["pin"]?.boolean,
                    it["access_token"]?.string?.let(::Secret), it["expires_at"]?.long?.let { time -> time * 1000 },
                )
            },
            reason(saved?.get("signed_out")?.string), (saved?.get("pins")?.elements ?: emptyList()).map { pin(it).pin },
            saved?.get("locked")?.boolean ?: false, (saved?.get("revocations")?.strings ?: emptyList()).map(::Secret),
        )
    }

    private fun reason(code: String?): SignOutReason {
        val reasons = listOf(
            SignOutReason.NeverSignedIn, SignOutReason.ByUser, SignOutReason.Ended, SignOutReason.KeyLost,
        )
        if (code == null) return SignOutReason.NeverSignedIn
        return reasons.firstOrNull { it.code == code } ?: throw BehaviourCase.FormatError("unknown reason $code")
    }

    fun word(record: SavedSession): Map<String, JsonValue> {
        val session = record.session?.let {
            objectOf(
                "id" to json(it.id), "refresh_token" to it.refreshToken?.let { token -> json(token.exposed) },
                "pin" to it.hasPin?.let { pin -> JsonValue.of(pin) },
                "access_token" to it.accessToken?.let { token -> json(token.exposed) },
                "expires_at" to it.expiresAt?.let { time -> JsonValue.of(time / 1000) },
            )
        }
        return mapOf(
            "key_name" to (record.keyName?.let(::json) ?: JsonValue.Null), "key" to word(record.key?.thumbprint),
            "session" to (session ?: JsonValue.Null), "signed_out" to json(record.signOutReason.code),
            "pins" to JsonValue.texts(record.pins.map { word(it) }), "locked" to JsonValue.of(record.isLocked),
            "revocations" to JsonValue.texts(record.revocations.map { it.exposed }),
        )
    }

    /** The call, with what its proof says in the place of the proof. `sent` are the proofs of the calls before. */
    fun call(request: HttpRequest, session: String, wall: Long, sent: MutableList<String>): JsonValue {
        val type = request.headers["Content-Type"]
        val body = request.body?.let {
            if (type == "application/json") JsonValue.parse(it) else json(it.decodeToString())
        }
        val headers = request.headers.filterKeys { it != "DPoP" && it != "User-Agent" }.mapValues { json(it.value) }
        val word = objectOf(
            "method" to json(request.method), "path" to json(request.path), "headers" to JsonValue.of(headers),
            "body" to body, "timeout_ms" to JsonValue.of(request.timeoutMillis),
        )
        val proof = request.headers["DPoP"] ?: return word
        val isNew = proof !in sent
        val claims = claims(proof, request, session)
        if (isNew && sent.any { id(it) == id(proof) }) claims["jti"] = json("used")
        if (isNew) sent.add(proof)
        claims["id"] = JsonValue.of(sent.indexOf(proof) + 1L)
        // A proof that is sent again has the time of the first time.
        if (!isNew || claims["iat"]?.long == Math.floorDiv(wall, 1000L)) claims.remove("iat")
        return word.merging(mapOf("proof" to JsonValue.of(claims)))
    }

    private fun id(proof: String) = payload(proof)?.get("jti")?.string

    private fun payload(proof: String, part: Int = 1) =
        proof.split(".").getOrNull(part)?.let(Base64Url::decode)?.let { JsonValue.parse(it) }

    /** What a proof says. What every proof has to say is compared here, and only named when it is wrong. */
    private fun claims(proof: String, request: HttpRequest, session: String): MutableMap<String, JsonValue> {
        val texts = proof.split(".")
        val claims = LinkedHashMap(payload(proof)?.members ?: emptyMap())
        val signature = texts.getOrNull(2)?.let(Base64Url::decode)
        if (signature == null || !signature.contentEquals(sha256(texts[0] + "." + texts[1]))) {
            return mutableMapOf("wrong" to json(proof))
        }
        if (claims["htm"]?.string == request.method) claims.remove("htm")
        if (claims["htu"]?.string == request.url) claims.remove("htu")
        val jwk = payload(proof, 0)?.get("jwk")?.text
        claims["key"] = word((0..20).map(::caseKey).firstOrNull { it.json == jwk }?.thumbprint)
        val token = request.headers["Authorization"]?.substringAfterLast(" ") ?: ""
        if (claims["ath"]?.string == Base64Url.encode(sha256(token))) claims["ath"] = json(token)
        val id = claims["jti"]?.string ?: ""
        val nonce = claims["nonce"]?.string ?: ""
        pins.forEach { (name, pin) ->
            if (claims["pin_id"]?.string == pin.pin.id &&
                claims["pin_proof"]?.string == pin.secret.proof(session, nonce, id)
            ) {
                claims.remove("pin_id")
                claims.remove("pin_proof")
                claims["pin"] = json(name)
            }
        }
        if (id.isEmpty()) claims["jti"] = json("none") else claims.remove("jti")
        return claims
    }

    fun answer(caller: Int, reply: SessionReply): JsonValue {
        val members = when (reply) {
            SessionReply.Done -> objectOf("done" to JsonValue.of(true))
            is SessionReply.Token -> objectOf("token" to json(reply.token.exposed))
            is SessionReply.Thumbprint -> objectOf("key" to word(reply.thumbprint))
            is SessionReply.Unlocked -> objectOf("unlocked" to JsonValue.of(reply.index.toLong()))
            is SessionReply.Sessions -> objectOf("sessions" to JsonValue.of(reply.list.map { word(it) }))
            is SessionReply.Record -> objectOf("record" to JsonValue.of(true))
            is SessionReply.Failed -> objectOf(
                "error" to json(reply.error.kind.code),
                "tries_left" to reply.error.triesLeft?.let { JsonValue.of(it.toLong()) },
                "code" to reply.error.refusal?.let(::json),
                "because" to (reply.error.transientError?.let { word(it) }
                    ?: (reply.error.lockReason ?: reply.error.signOutReason)?.let { json(it.code) }
                    ?: reply.error.keyFailure?.let(::json)),
            )
        }
        return members.merging(mapOf("answer" to JsonValue.of(caller.toLong())))
    }

    private fun word(error: TransientError): JsonValue =
        error.status?.let { objectOf(error.code to JsonValue.of(it.toLong())) } ?: json(error.code)

    private fun word(summary: SessionSummary): JsonValue = objectOf(
        "id" to json(summary.id), "platform" to summary.platform?.let(::json),
        "provider" to summary.provider?.let(::json), "pin" to JsonValue.of(summary.hasPin),
        "current" to JsonValue.of(summary.isCurrent),
    )

    fun word(state: SessionState): JsonValue = objectOf(
        "show" to json(state.kind.code),
        "needs_pin" to if (state.kind == SessionState.Kind.Active) JsonValue.of(state.needsPin) else null,
        "tries_left" to state.triesLeft?.let { JsonValue.of(it.toLong()) },
        "because" to (state.lockReason ?: state.signOutReason)?.let { json(it.code) },
    )
}
