package dev.switchback.android

import android.content.Context
import android.graphics.Typeface
import android.os.Build
import android.view.View
import android.view.ViewGroup
import android.widget.Button
import android.widget.LinearLayout
import android.widget.TextView

/** Makes the parts of a screen. */
internal class ScreenParts(private val context: Context) {
    private val gap = (GAP * context.resources.displayMetrics.density).toInt()

    /** What happened. TalkBack jumps from one heading to the next, and reads a new one. */
    fun title(): TextView = text(TITLE).apply {
        setTypeface(typeface, Typeface.BOLD)
        if (Build.VERSION.SDK_INT >= 28) setAccessibilityHeading(true)
        accessibilityLiveRegion = View.ACCESSIBILITY_LIVE_REGION_POLITE
    }

    /** What was wrong. TalkBack reads it at once. */
    fun note(): TextView = text(TEXT).apply {
        setTypeface(typeface, Typeface.BOLD)
        accessibilityLiveRegion = View.ACCESSIBILITY_LIVE_REGION_ASSERTIVE
    }

    fun text(size: Float = TEXT): TextView = TextView(context).apply {
        textSize = size
        layoutParams = row()
    }

    fun button(title: String, action: () -> Unit): Button = Button(context).apply {
        text = title
        layoutParams = row()
        // A second tap, or one through another app's window, does nothing.
        filterTouchesWhenObscured = true
        setOnClickListener { action() }
    }

    fun row(): LinearLayout.LayoutParams =
        LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, ViewGroup.LayoutParams.WRAP_CONTENT)
            .apply { bottomMargin = gap }

    internal companion object {
        /** In density-independent pixels. */
        private const val GAP = 16

        // In scaled pixels, which grow with the user's letters.
        private const val TITLE = 22f
        private const val TEXT = 16f
        const val SMALL: Float = 13f

        /** Shows a text, or takes its place away. */
        fun show(view: TextView, text: String?) {
            // A live region is read again whenever its text is set.
            if (view.text.toString() != text.orEmpty()) view.text = text.orEmpty()
            view.visibility = if (text == null) View.GONE else View.VISIBLE
        }
    }
}
