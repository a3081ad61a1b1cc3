package dev.switchback.android

import java.io.File
import java.io.IOException
import java.io.RandomAccessFile
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock

/** Held by one thread of one process at a time. A process that dies lets go of it. */
internal class StoreLock(private val file: File) {
    /**
     * Runs [body] alone.
     *
     * @throws IOException if the file of the lock cannot be opened
     */
    fun <T> hold(body: () -> T): T = locks.computeIfAbsent(file.absolutePath) { ReentrantLock() }.let { own ->
        own.withLock {
            // A file is locked for the whole process, so the inner call of the same thread must not lock it again.
            if (own.holdCount > 1) return body()
            file.absoluteFile.parentFile?.mkdirs()
            RandomAccessFile(file, "rw").use { open -> open.channel.lock().use { body() } }
        }
    }

    private companion object {
        val locks = ConcurrentHashMap<String, ReentrantLock>()
    }
}
