// developer.android.com/reference/kotlin/androidx/compose/runtime/package-summary, as of Compose 1.9
@file:Suppress("UNUSED_PARAMETER", "FunctionName")

package androidx.compose.runtime

import kotlinx.coroutines.flow.StateFlow

@Target(
    AnnotationTarget.FUNCTION, AnnotationTarget.TYPE, AnnotationTarget.TYPE_PARAMETER, AnnotationTarget.PROPERTY_GETTER,
)
public annotation class Composable

public interface State<out T> {
    public val value: T
}

public abstract class CompositionLocal<T> {
    @get:Composable
    public val current: T
        get() = throw NotImplementedError()
}

public abstract class ProvidableCompositionLocal<T> : CompositionLocal<T>()

public interface DisposableEffectResult

public class DisposableEffectScope {
    public fun onDispose(onDisposeEffect: () -> Unit): DisposableEffectResult = throw NotImplementedError()
}

@Composable
public fun <T> remember(key1: Any?, calculation: () -> T): T = throw NotImplementedError()

@Composable
public fun <T> remember(key1: Any?, key2: Any?, calculation: () -> T): T = throw NotImplementedError()

@Composable
public fun DisposableEffect(
    key1: Any?, key2: Any?, effect: DisposableEffectScope.() -> DisposableEffectResult,
): Unit = throw NotImplementedError()

@Composable
public fun <T> StateFlow<T>.collectAsState(
    context: kotlin.coroutines.CoroutineContext = kotlin.coroutines.EmptyCoroutineContext,
): State<T> = throw NotImplementedError()

@Composable
public fun key(vararg keys: Any?, block: @Composable () -> Unit): Unit = throw NotImplementedError()
