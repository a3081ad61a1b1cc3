package dev.switchback.compose

import android.content.Context
import android.content.ContextWrapper
import androidx.activity.ComponentActivity
import androidx.compose.runtime.Composable
import androidx.compose.runtime.remember
import androidx.compose.ui.platform.LocalContext
import dev.switchback.LoginHost
import dev.switchback.android.Switchback

/**
 * Returns what logins open browsers over: the activity that this is shown in. It is the same one for each composable of
 * the activity, also after a rotation.
 *
 * @throws IllegalStateException in a context that is no `ComponentActivity`
 */
@Composable
public fun rememberLoginHost(switchback: Switchback): LoginHost {
    val context = LocalContext.current
    return remember(context, switchback) { switchback.host(context.activity()) }
}

internal fun Context.activity(): ComponentActivity =
    generateSequence(this) { (it as? ContextWrapper)?.baseContext }.filterIsInstance<ComponentActivity>().firstOrNull()
        ?: error("Switchback needs a ComponentActivity")
