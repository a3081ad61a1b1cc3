package dev.switchback.android

import java.io.IOException
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.runBlocking
import org.junit.Assert.assertEquals
import org.junit.Test

/** When the job of a sign-out is done. */
class OwedSignOutTests {
    @Test
    fun `the job is done when the server was told and waits while a store fails`() {
        val said = ArrayDeque(listOf({ true }, { throw IOException("locked") }, { true }, { false }))
        val slept = mutableListOf<Long>()
        val outcome = runBlocking { OwedSignOut({ said.removeFirst()() }, { slept += it }).run() }
        assertEquals(OwedSignOut.Outcome.DONE, outcome)
        assertEquals(listOf(1000L, 1000L, 1000L), slept)
    }

    @Test
    fun `a job that is stopped ends`() {
        val job = runBlocking {
            val failure = runCatching {
                kotlinx.coroutines.withTimeout(50) { OwedSignOut({ awaitCancellation() }, {}).run() }
            }
            failure.exceptionOrNull()?.javaClass?.simpleName
        }
        assertEquals("TimeoutCancellationException", job)
    }
}
