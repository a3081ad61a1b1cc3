package dev.switchback

/** One request about a session, without its DPoP proof. */
internal class SessionCall(
    val kind: Kind,
    val method: String,
    val url: String,
    private val headers: Map<String, String>,
    private val body: String?,
) {
    /** The kinds of calls that [SessionTable] tells apart. An unlock is a renewal with a proof of the PIN. */
    enum class Kind { BEGIN, RENEW, SET_PIN, LIST, END, REVOKE }

    /** Returns the request, with a proof unless the call is a revocation. */
    fun request(proof: String?): HttpRequest = HttpRequest(
        method, url, if (proof == null) headers else headers + ("DPoP" to proof), body?.encodeToByteArray(), 20_000,
    )

    override fun toString(): String = method + " " + kind

    companion object {
        private const val JSON = "application/json"

        fun begin(secret: Secret, attestation: KeyAttestation?, server: String): SessionCall {
            val headers = mapOf("Authorization" to "Bearer ${secret.exposed}", "Accept" to JSON)
            val all = if (attestation == null) headers else headers + ("Content-Type" to JSON)
            return SessionCall(Kind.BEGIN, "POST", "$server/v1/sessions", all, attestation?.body)
        }

        fun renew(refreshToken: Secret, app: String, server: String): SessionCall = form(
            Kind.RENEW, "$server/oauth/token", "grant_type" to "refresh_token", "client_id" to app,
            "refresh_token" to refreshToken.exposed,
        )

        fun revoke(refreshToken: Secret, server: String): SessionCall = form(
            Kind.REVOKE, "$server/oauth/revoke", "token" to refreshToken.exposed, "token_type_hint" to "refresh_token",
        )

        fun setPin(candidate: PinCandidate, session: String, token: Secret, server: String): SessionCall = SessionCall(
            Kind.SET_PIN, "PUT", "$server/v1/sessions/$session/pin", authorization(token) + ("Content-Type" to JSON),
            """{"pin_secret":"${candidate.secret.text}","pin_id":"${candidate.pin.id}"}""",
        )

        fun list(token: Secret, server: String): SessionCall =
            SessionCall(Kind.LIST, "GET", "$server/v1/sessions", authorization(token), null)

        fun end(session: String, token: Secret, server: String): SessionCall =
            SessionCall(Kind.END, "DELETE", "$server/v1/sessions/$session", authorization(token), null)

        private fun authorization(token: Secret) = mapOf("Authorization" to "DPoP ${token.exposed}", "Accept" to JSON)

        private fun form(kind: Kind, url: String, vararg parameters: Pair<String, String>): SessionCall = SessionCall(
            kind, "POST", url, mapOf("Content-Type" to "application/x-www-form-urlencoded", "Accept" to JSON),
            parameters.joinToString("&") { (name, value) -> name + "=" + escape(value) },
        )

        private const val UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

        private fun escape(text: String): String = text.encodeToByteArray().joinToString("") { byte ->
            val character = byte.toInt().toChar()
            if (character in UNRESERVED) character.toString() else "%%%02X".format(byte.toInt() and 0xff)
        }
    }
}
