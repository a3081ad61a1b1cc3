package dev.switchback

import java.util.concurrent.SynchronousQueue
import java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.asCoroutineDispatcher

/** Threads of the library's own: for calls that block, and so that no thread of the app waits for them. */
internal object LibraryThreads {
    private val count = AtomicInteger()

    /** Threads are made when they are needed, and go after half a minute. None keeps a process alive. */
    val pool = ThreadPoolExecutor(0, 64, 30, TimeUnit.SECONDS, SynchronousQueue()) { work ->
        Thread(work, "switchback-${count.incrementAndGet()}").apply { isDaemon = true }
    }

    /** For calls that block. */
    val blocking: CoroutineDispatcher = pool.asCoroutineDispatcher()

    /** Does one thing after the other. */
    fun serial(): CoroutineDispatcher = blocking.limitedParallelism(1)
}
