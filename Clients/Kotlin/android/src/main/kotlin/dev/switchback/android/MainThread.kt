package dev.switchback.android

import android.content.Context
import android.os.Handler
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CoroutineDispatcher

/** The main thread, without kotlinx-coroutines-android. */
internal class MainThread(context: Context) {
    private val handler = Handler(context.mainLooper)

    val dispatcher: CoroutineDispatcher = object : CoroutineDispatcher() {
        override fun dispatch(context: CoroutineContext, block: Runnable) {
            handler.post(block)
        }
    }
}
