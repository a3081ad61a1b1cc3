// developer.android.com/reference/kotlin/androidx/compose/ui/viewinterop/package-summary, as of Compose 1.9
@file:Suppress("UNUSED_PARAMETER", "FunctionName")

package androidx.compose.ui.viewinterop

import android.content.Context
import android.view.View
import androidx.compose.runtime.Composable
import androidx.compose.ui.Modifier

@Composable
public fun <T : View> AndroidView(
    factory: (Context) -> T, modifier: Modifier = Modifier, update: (T) -> Unit = {},
): Unit = throw NotImplementedError()
