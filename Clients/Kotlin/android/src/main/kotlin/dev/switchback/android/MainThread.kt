package dev.switchback.android

import android.os.Handler
import android.os.Looper
import java.util.concurrent.Executor
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.asCoroutineDispatcher

/** The main thread, on which all views live. It needs no library beside the coroutines. */
internal object MainThread {
    val executor: Executor by lazy {
        val handler = Handler(Looper.getMainLooper())
        Executor { handler.post(it) }
    }

    val dispatcher: CoroutineDispatcher by lazy { executor.asCoroutineDispatcher() }
}
