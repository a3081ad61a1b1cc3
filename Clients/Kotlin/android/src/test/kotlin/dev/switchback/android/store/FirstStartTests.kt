package dev.switchback.android

import dev.switchback.FileSecretStore
import dev.switchback.SecretStore
import java.io.File
import java.io.IOException
import java.nio.file.Files
import java.security.GeneralSecurityException
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Test

/** What an earlier install left behind, and when it is deleted. */
class FirstStartTests {
    private val folder = Files.createTempDirectory("switchback").toFile()
    private val keys = FailingKeys()
    private val lock = StoreLock(File(folder, ".lock"))
    private val store = SealedSecretStore(FileSecretStore(folder), keys, KeystoreTries(TestFacts) {}, lock)
    private val bytes = byteArrayOf(7)

    private fun start(store: SecretStore = this.store) = FirstStart.clean(store, keys, lock, "switchback.")

    @Test
    fun `the first start deletes what was there and the second nothing`() {
        store.replace("session", bytes)
        listOf("switchback.session.sign", "of.the.app").forEach(keys::make)
        start()
        assertEquals(listOf(FirstStart.MARKER), store.names())
        assertEquals(setOf("of.the.app", "switchback.store"), keys.keys.keys)
        store.replace("session", bytes)
        keys.make("switchback.session.sign")
        start()
        assertArrayEquals(bytes, store.read("session"))
        assertEquals(setOf("of.the.app", "switchback.store", "switchback.session.sign"), keys.keys.keys)
    }

    @Test
    fun `files that came without their key are of another phone`() {
        start()
        store.replace("session", bytes)
        keys.keys.clear()
        start()
        assertEquals(listOf(FirstStart.MARKER), store.names())
    }

    @Test
    fun `nothing is deleted if the marker or the Keystore cannot be read`() {
        start()
        store.replace("session", bytes)
        keys.failures.add(LOCKED)
        start()
        start(object : SecretStore by store {
            override fun names() = throw IOException("locked")
        })
        File(folder, FirstStart.MARKER).delete()
        keys.failures.add(GeneralSecurityException())
        start()
        assertArrayEquals(bytes, store.read("session"))
    }

    @Test
    fun `each state of the marker decides what is deleted`() {
        val (blobs, all) = listOf("session") to listOf("switchback.a", "other")
        val nothing = FirstStart.Leftovers(emptyList(), emptyList())
        val rows = mapOf(
            FirstStart.Marker.ABSENT to FirstStart.Leftovers(blobs, listOf("switchback.a")),
            FirstStart.Marker.PRESENT to nothing, FirstStart.Marker.UNREADABLE to nothing)
        for ((marker, left) in rows) assertEquals(left, FirstStart.leftovers(marker, blobs, all, "switchback."))
    }
}
