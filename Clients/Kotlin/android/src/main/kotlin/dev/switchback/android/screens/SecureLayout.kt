package dev.switchback.android

import android.app.Activity
import android.content.Context
import android.content.ContextWrapper
import android.os.Build
import android.view.MotionEvent
import android.view.Window
import android.view.WindowManager
import android.widget.LinearLayout
import android.widget.ScrollView
import java.util.WeakHashMap

/**
 * What every screen is in: as long as it is there, its window is in no screenshot, no recording and not among the recent
 * apps, and it takes no touches below another app's window. It scrolls if the letters are large.
 */
public abstract class SecureLayout internal constructor(context: Context) : ScrollView(context) {
    internal val column: LinearLayout = LinearLayout(context)

    /** The window of a dialog. Otherwise it is that of the activity. */
    internal var window: Window? = null

    private var secured: Window? = null

    init {
        filterTouchesWhenObscured = true
        setSaveEnabled(false)
        setFillViewport(true)
        column.orientation = LinearLayout.VERTICAL
        val padding = (PADDING * resources.displayMetrics.density).toInt()
        column.setPadding(padding, padding, padding, padding)
        addView(column)
    }

    /** The system tells of a window that covers the whole touch. Since Android 10 it also tells of one that covers a part. */
    override fun onFilterTouchEventForSecurity(event: MotionEvent): Boolean {
        val partly = Build.VERSION.SDK_INT >= 29 && event.flags and MotionEvent.FLAG_WINDOW_IS_PARTIALLY_OBSCURED != 0
        return !partly && super.onFilterTouchEventForSecurity(event)
    }

    override fun onAttachedToWindow() {
        super.onAttachedToWindow()
        val window = window ?: activity(context)?.window ?: return
        secured = window
        val isSet = window.attributes.flags and WindowManager.LayoutParams.FLAG_SECURE != 0
        if (counts.getOrPut(window) { SecureCount() }.enter(isSet)) {
            window.addFlags(WindowManager.LayoutParams.FLAG_SECURE)
        }
    }

    override fun onDetachedFromWindow() {
        super.onDetachedFromWindow()
        secured?.let { if (counts[it]?.leave() == true) it.clearFlags(WindowManager.LayoutParams.FLAG_SECURE) }
        secured = null
    }

    private companion object {
        /** In density-independent pixels. */
        const val PADDING = 24

        /** Touched on the main thread only. */
        val counts = WeakHashMap<Window, SecureCount>()

        fun activity(context: Context): Activity? =
            generateSequence(context) { (it as? ContextWrapper)?.baseContext }.filterIsInstance<Activity>().firstOrNull()
    }
}
