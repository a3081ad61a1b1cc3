package dev.switchback.android

import android.os.Handler
import android.os.Looper
import java.util.concurrent.Executor
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.asCoroutineDispatcher

/** The main thread, on which all views live. It needs no library beside the coroutines. */
internal object ScreenThread {
    val main: CoroutineContext by lazy {
        val handler = Handler(Looper.getMainLooper())
        Executor { handler.post(it) }.asCoroutineDispatcher()
    }
}
