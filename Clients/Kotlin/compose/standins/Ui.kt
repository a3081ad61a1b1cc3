// developer.android.com/reference/kotlin/androidx/compose/ui and below, as of Compose 1.9
package androidx.compose.ui

public interface Modifier {
    public companion object : Modifier
}
