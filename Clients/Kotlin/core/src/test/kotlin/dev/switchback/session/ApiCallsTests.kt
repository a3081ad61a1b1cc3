package dev.switchback.session

import dev.switchback.ApiCalls
import dev.switchback.ApiChallenge
import dev.switchback.ApiExchange
import dev.switchback.HttpResponse
import dev.switchback.SessionClient
import dev.switchback.SoftwareDeviceKeys
import dev.switchback.SwitchbackConfig
import kotlinx.coroutines.runBlocking
import org.junit.Assert.assertEquals
import org.junit.Test

/** What an API can answer, and what the library does then. */
class ApiCallsTests {
    @Test
    fun `a challenge is read from a 401 only`() {
        val rows = listOf(
            Triple(401, "DPoP error=\"use_dpop_nonce\"", ApiChallenge.NONCE_WANTED),
            Triple(401, "DPoP realm=\"a\", error=\"invalid_token\", algs=\"ES256\"", ApiChallenge.TOKEN_EXPIRED),
            Triple(401, "DPoP Error=invalid_token", ApiChallenge.TOKEN_EXPIRED),
            Triple(401, "DPoP error=\"insufficient_user_authentication\",max_age=\"5\"", ApiChallenge.STEP_UP_WANTED),
            Triple(401, "DPoP error_description=\"invalid_token\"", null), Triple(401, "DPoP", null),
            Triple(401, null, null), Triple(400, "DPoP error=\"use_dpop_nonce\"", null),
            Triple(200, "DPoP error=\"use_dpop_nonce\"", null),
        )
        for ((status, field, expected) in rows) {
            assertEquals("$status $field", expected, ApiChallenge.read(status, field))
        }
    }

    /** An API that answers in turn, and what it got. */
    private class Api(private val answers: MutableList<HttpResponse>) : ApiExchange<HttpResponse> {
        val nonces = ArrayList<String?>()
        var discarded = 0

        override suspend fun send(headers: Map<String, String>): HttpResponse {
            nonces.add(headers["nonce"])
            return answers.removeAt(0)
        }

        override fun status(response: HttpResponse) = response.status

        override fun header(response: HttpResponse, name: String) = response[name]

        override fun discard(response: HttpResponse) {
            discarded += 1
        }
    }

    private fun refusal(error: String, nonce: String? = null) = HttpResponse(
        401, mapOf("WWW-Authenticate" to "DPoP error=\"$error\"") + listOfNotNull(nonce?.let { "DPoP-Nonce" to it }),
    )

    private class Row(
        val name: String, val answers: List<HttpResponse>, val hasStepUp: Boolean, val status: Int,
        val nonces: List<String?>, val renewals: Int = 0, val stepUps: Int = 0,
    )

    @Test
    fun `each challenge is answered once`() {
        val ok = HttpResponse(200)
        val stepUp = "insufficient_user_authentication"
        val rows = listOf(
            Row("nothing to answer", listOf(ok), true, 200, listOf(null)),
            Row("a nonce", listOf(refusal("use_dpop_nonce", "n1"), ok), true, 200, listOf(null, "n1")),
            Row("a nonce without a nonce", listOf(refusal("use_dpop_nonce")), true, 401, listOf(null)),
            Row(
                "a nonce twice", listOf(refusal("use_dpop_nonce", "n1"), refusal("use_dpop_nonce", "n2")), true, 401,
                listOf(null, "n1"),
            ),
            Row(
                "an old token", listOf(refusal("invalid_token", "n1"), ok), true, 200, listOf(null, "n1"), renewals = 1,
            ),
            Row(
                "an old token twice", listOf(refusal("invalid_token"), refusal("invalid_token")), true, 401,
                listOf(null, null), renewals = 1,
            ),
            Row("a step-up", listOf(refusal(stepUp), ok), true, 200, listOf(null, null), stepUps = 1),
            Row("a step-up that the app does itself", listOf(refusal(stepUp)), false, 401, listOf(null)),
            Row(
                "all of them", listOf(refusal("use_dpop_nonce", "n1"), refusal("invalid_token"), refusal(stepUp), ok),
                true, 200, listOf(null, "n1", "n1", "n1"), renewals = 1, stepUps = 1,
            ),
            Row("another refusal", listOf(refusal("invalid_request")), true, 401, listOf(null)),
        )
        val store = MemoryStore()
        val config = SwitchbackConfig("http://localhost", "demo").apply { this.store = store }
        val client = SessionClient(config, SoftwareDeviceKeys(store))
        client.use { for (row in rows) check(row, it) }
    }

    private fun check(row: Row, client: SessionClient) = runBlocking {
        val api = Api(row.answers.toMutableList())
        var renewals = 0
        var stepUps = 0
        val stepUp: suspend () -> Unit = { stepUps += 1 }
        val calls = ApiCalls(client, if (row.hasStepUp) stepUp else null)
        val response = calls.send(
            api, { nonce -> if (nonce == null) emptyMap() else mapOf("nonce" to nonce) }, { renewals += 1 },
        )
        assertEquals(row.name, row.status, response.status)
        assertEquals(row.name, row.nonces, api.nonces)
        assertEquals(row.name, row.renewals to row.stepUps, renewals to stepUps)
        assertEquals(row.name, row.nonces.size - 1, api.discarded)
    }
}
