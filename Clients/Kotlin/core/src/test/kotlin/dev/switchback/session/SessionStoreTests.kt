package dev.switchback.session

import dev.switchback.JsonValue
import dev.switchback.SavedSession
import dev.switchback.Secret
import dev.switchback.SessionStore
import dev.switchback.SignOutReason
import dev.switchback.WrappedPin
import dev.switchback.merging
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test

/** What a device keeps of a session, and how two processes share it. */
class SessionStoreTests {
    private val full = SavedSession(
        "key", caseKey(1), SavedSession.Session("S1", Secret("rt1"), true), SignOutReason.Ended,
        listOf(WrappedPin("AQ", 600_000, "Ag", "Aw"), WrappedPin("BA", 1, "BQ")), true, listOf(Secret("rt0")),
    )

    @Test
    fun `a record is read as it was written`() {
        // The server allows it no renewal, so the access token is all there is.
        val access = SavedSession.Session("S1", accessToken = Secret("at1"), expiresAt = 1_800_000_300_000)
        for (record in listOf(SavedSession(), full, full.copy(session = null), full.copy(session = access))) {
            assertEquals(record, SessionStore.read(SessionStore.write(record)))
        }
    }

    @Test
    fun `what is no record reads as none`() {
        val rows = listOf(
            "", "x", "[]", "null", """{"session":{"id":"../a"}}""", """{"session":{}}""", """{"key":{"x":"a"}}""",
            """{"pins":[{"salt":"AQ","masked":"AQ"}]}""", """{"pins":[{"salt":"AQ","masked":"AQ","iterations":0}]}""",
        )
        for (row in rows) assertNull(row, SessionStore.read(row.encodeToByteArray()))
        val whole = SessionStore.write(full)
        for (count in whole.indices) assertNull("$count bytes", SessionStore.read(whole.copyOf(count)))
        // Members that a later version adds are ignored.
        val later = (JsonValue.parse(whole) ?: JsonValue.Null).merging(mapOf("new" to json("x"))).toBytes()
        assertEquals(full, SessionStore.read(later))
    }

    @Test
    fun `a process writes only over what it has read`() {
        val memory = MemoryStore()
        val one = SessionStore(memory, "session")
        val other = SessionStore(memory, "session")
        one.load()
        other.load()
        assertTrue(one.save(full))
        assertNull(one.changed())
        assertFalse(other.save(SavedSession()))
        assertEquals(full, other.changed())
        assertNull(other.changed())
        assertTrue(other.save(SavedSession()))
        assertEquals(SavedSession(), one.changed())
    }

    @Test
    fun `a store that fails changes nothing`() {
        val memory = MemoryStore()
        val store = SessionStore(memory, "session")
        store.load()
        memory.failures = 1
        assertFalse(store.save(full))
        memory.failures = 1
        assertNull(store.changed())
        assertTrue(store.save(full))
    }
}
