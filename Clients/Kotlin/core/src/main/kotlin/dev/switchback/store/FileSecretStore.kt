package dev.switchback

import java.io.File
import java.io.FileOutputStream
import java.io.IOException
import java.nio.file.FileAlreadyExistsException
import java.nio.file.Files
import java.nio.file.NoSuchFileException
import java.nio.file.StandardCopyOption
import java.nio.file.attribute.PosixFilePermissions
import java.util.UUID

/**
 * Keeps secrets in files, one for each, which only their owner can read (mode 0600). The bytes are not encrypted: it is
 * for servers, command lines and tests. An Android app uses the store of `switchback-android`.
 *
 * @param folder a folder of its own, which is made (mode 0700) when it is first needed
 */
public class FileSecretStore(private val folder: File) : SecretStore {
    override fun read(name: String): ByteArray? =
        try {
            Files.readAllBytes(file(name).toPath())
        } catch (_: NoSuchFileException) {
            null
        }

    override fun replace(name: String, bytes: ByteArray) {
        val target = file(name).toPath()
        makeFolder()
        // A name that begins with a dot is no name of a secret, so a file that a kill has left is not read.
        val new = File(folder, ".${UUID.randomUUID()}").toPath()
        try {
            Files.createFile(new, *ownerOnly("rw-------"))
            FileOutputStream(new.toFile()).use { stream ->
                stream.write(bytes)
                stream.fd.sync()
            }
            Files.move(new, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING)
        } finally {
            Files.deleteIfExists(new)
        }
    }

    override fun delete(name: String) {
        Files.deleteIfExists(file(name).toPath())
    }

    override fun names(): List<String> {
        if (!folder.exists()) return emptyList()
        val names = folder.list() ?: throw IOException("the folder of the secrets cannot be read")
        return names.filter(::isName).sorted()
    }

    private fun file(name: String): File {
        if (!isName(name)) throw IOException("this is no name of a secret")
        return File(folder, name)
    }

    private fun makeFolder() {
        if (folder.isDirectory) return
        folder.absoluteFile.parentFile?.let { Files.createDirectories(it.toPath()) }
        try {
            Files.createDirectory(folder.toPath(), *ownerOnly("rwx------"))
        } catch (_: FileAlreadyExistsException) {
            // Another process has made it.
        }
    }

    private fun ownerOnly(mode: String) =
        if ("posix" in folder.toPath().fileSystem.supportedFileAttributeViews()) {
            arrayOf(PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode)))
        } else {
            emptyArray()
        }

    internal companion object {
        fun isName(name: String): Boolean =
            name.length in 1..64 && name[0] != '.' &&
                name.all { it in 'A'..'Z' || it in 'a'..'z' || it in '0'..'9' || it in "-_." }
    }
}
