package dev.switchback

import java.io.File
import java.io.IOException
import java.nio.file.Files
import java.nio.file.attribute.PosixFilePermissions
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertThrows
import org.junit.Test

/** The store of a Java virtual machine. */
class FileSecretStoreTests {
    private val folder = File(Files.createTempDirectory("switchback").toFile(), "a/b")
    private val store = FileSecretStore(folder)

    private fun mode(file: File) = PosixFilePermissions.toString(Files.getPosixFilePermissions(file.toPath()))

    @Test
    fun `what was replaced last is read until it is deleted`() {
        assertNull(store.read("one"))
        assertEquals(emptyList<String>(), store.names())
        store.replace("one", byteArrayOf(1))
        store.replace("one", byteArrayOf(2, 3))
        store.replace("two", byteArrayOf())
        assertArrayEquals(byteArrayOf(2, 3), store.read("one"))
        assertArrayEquals(byteArrayOf(), FileSecretStore(folder).read("two"))
        assertEquals(listOf("one", "two"), store.names())
        store.delete("one")
        store.delete("one")
        assertNull(store.read("one"))
        assertEquals(listOf("two"), folder.list()?.toList())
    }

    @Test
    fun `only the owner can read the files`() {
        store.replace("one", byteArrayOf(1))
        assertEquals("rw-------", mode(File(folder, "one")))
        assertEquals("rwx------", mode(folder))
    }

    @Test
    fun `what a killed write has left is no secret`() {
        store.replace("one", byteArrayOf(1))
        File(folder, ".half").writeBytes(byteArrayOf(9))
        assertEquals(listOf("one"), store.names())
    }

    @Test
    fun `a name that leads out of the folder is refused`() {
        for (name in listOf("", ".", "..", "../x", "a/b", ".a", "a\u0000", "x".repeat(65), "æ")) {
            assertThrows(name, IOException::class.java) { store.replace(name, byteArrayOf()) }
            assertThrows(name, IOException::class.java) { store.read(name) }
        }
    }

    @Test
    fun `a folder that cannot be made is an error and loses nothing`() {
        val file = File(Files.createTempDirectory("switchback").toFile(), "file").apply { writeText("x") }
        assertThrows(IOException::class.java) { FileSecretStore(File(file, "folder")).replace("a", byteArrayOf()) }
        assertThrows(IOException::class.java) { FileSecretStore(file).replace("a", byteArrayOf()) }
        assertEquals("x", file.readText())
    }
}
