// developer.android.com/reference/kotlin/androidx/compose/ui and below, as of Compose 1.9
@file:Suppress("UNUSED_PARAMETER", "FunctionName")

package androidx.compose.ui

public interface Modifier {
    public companion object : Modifier
}

public interface Alignment {
    public fun interface Vertical

    public companion object {
        public val CenterVertically: Vertical get() = throw NotImplementedError()
    }
}
