// developer.android.com/reference/kotlin/androidx/compose/ui/platform/package-summary, as of Compose 1.9
package androidx.compose.ui.platform

import android.content.Context
import androidx.compose.runtime.ProvidableCompositionLocal

public val LocalContext: ProvidableCompositionLocal<Context> get() = throw NotImplementedError()
