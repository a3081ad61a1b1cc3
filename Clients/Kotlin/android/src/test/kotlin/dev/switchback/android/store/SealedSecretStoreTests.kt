package dev.switchback.android

import dev.switchback.FileSecretStore
import java.io.File
import java.io.IOException
import java.nio.file.Files
import java.security.ProviderException
import java.util.Collections
import kotlin.concurrent.thread
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test

/** The store of an Android app, over a Keystore in memory. */
class SealedSecretStoreTests {
    private val folder = Files.createTempDirectory("switchback").toFile()
    private val keys = FailingKeys()
    private val secret = "a refresh token".toByteArray()

    private fun store(keys: StoreKeys = this.keys) = SealedSecretStore(
        FileSecretStore(folder), keys, KeystoreTries(TestFacts) {}, StoreLock(File(folder, ".lock")))

    private fun file(name: String = "session") = File(folder, name)

    @Test
    fun `what is stored is read again and is in no file`() {
        store().replace("session", secret)
        assertArrayEquals(secret, store().read("session"))
        assertFalse(String(file().readBytes(), Charsets.ISO_8859_1).contains("refresh"))
        assertEquals(listOf("session"), store().names())
        store().delete("session")
        assertNull(store().read("session"))
    }

    @Test
    fun `the same bytes are sealed in another way each time`() {
        val sealed = List(2) { store().replace("session", secret).let { file().readBytes() } }
        assertFalse(sealed[0].contentEquals(sealed[1]))
    }

    @Test
    fun `whatever byte is changed or missing the secret is gone and nothing fails`() {
        store().replace("session", secret)
        val sealed = file().readBytes()
        for (at in sealed.indices) {
            file().writeBytes(sealed.copyOf().also { it[at] = (it[at] + 1).toByte() })
            assertNull("byte $at", store().read("session"))
            file().writeBytes(sealed.copyOf(at))
            assertNull("$at bytes", store().read("session"))
        }
        file().writeBytes(sealed + 0)
        assertNull(store().read("session"))
        file().writeBytes(sealed)
        assertArrayEquals(secret, store().read("session"))
    }

    @Test
    fun `one secret cannot take the place of another`() {
        store().replace("session", secret)
        file().copyTo(file("login"))
        assertNull(store().read("login"))
    }

    /** What the Keystore throws at a read, and whether the secret is there; null if the read says that it cannot know. */
    private val reads: List<Pair<List<Throwable>, Boolean?>> = listOf(
        listOf<Throwable>() to true, listOf(ProviderException()) to true,
        listOf(ProviderException(), NullPointerException()) to true, listOf(INVALIDATED) to false,
        listOf(LOCKED) to null, listOf(ProviderException(), LOCKED) to null,
        // The three tries fail, then a new key works, and so does the old one again.
        List(3) { ProviderException() } to true,
        // No key works, so nothing is known about this one.
        List(4) { ProviderException() } to null,
    )

    @Test
    fun `a Keystore that fails is asked again and loses nothing`() {
        for ((failures, there) in reads) {
            store().replace("session", secret)
            keys.failures.addAll(failures)
            val read = runCatching { store().read("session") }
            assertEquals("$failures", there, read.map { it != null }.getOrNull())
            if (there == null) assertTrue("$failures", read.exceptionOrNull() is IOException)
            assertTrue("$failures", keys.failures.isEmpty())
            assertArrayEquals("$failures", secret, store().read("session"))
            assertEquals(setOf("switchback.store"), keys.keys.keys)
        }
    }

    @Test
    fun `a key that fails for ever while others work is lost and replaced`() {
        store().replace("session", secret)
        val key = keys.keys["switchback.store"]
        keys.dead["switchback.store"] = ProviderException("System error")
        assertNull(store().read("session"))
        store().replace("session", secret)
        assertNotEquals(key, keys.keys["switchback.store"])
        assertArrayEquals(secret, store().read("session"))
        assertEquals(setOf("switchback.store"), keys.keys.keys)
    }

    @Test
    fun `a lost key loses what it sealed and a new one seals what comes next`() {
        for (lose in listOf<() -> Unit>({ keys.keys.clear() }, { keys.dead["switchback.store"] = INVALIDATED })) {
            store().replace("session", secret)
            store().replace("login", secret)
            lose()
            assertNull(store().read("session"))
            store().replace("session", secret)
            assertArrayEquals(secret, store().read("session"))
            assertNull(store().read("login"))
        }
    }

    @Test
    fun `a Keystore that fails or is locked writes nothing and says so`() {
        store().replace("session", secret)
        val sealed = file().readBytes()
        for (failures in listOf(List(4) { ProviderException() }, listOf(LOCKED))) {
            keys.failures.addAll(failures)
            assertThrows(IOException::class.java) { store().replace("session", byteArrayOf(1)) }
            assertArrayEquals(sealed, file().readBytes())
        }
        assertArrayEquals(secret, store().read("session"))
    }

    @Test
    fun `writers that begin at once use one key`() {
        val failed = Collections.synchronizedList(mutableListOf<Throwable>())
        val slow = object : StoreKeys by keys {
            override fun find(name: String) = synchronized(keys) { keys.find(name) }

            override fun make(name: String) = Thread.sleep(20).let { synchronized(keys) { keys.make(name) } }
        }
        List(8) { thread { runCatching { store(slow).replace("s$it", secret) }.onFailure(failed::add) } }
            .forEach(Thread::join)
        assertEquals(emptyList<Throwable>(), failed)
        for (name in List(8) { "s$it" }) assertArrayEquals(name, secret, store().read(name))
    }
}
