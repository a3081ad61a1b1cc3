package dev.switchback.android

import android.content.Context
import android.graphics.Color
import android.graphics.drawable.Drawable
import android.graphics.drawable.GradientDrawable
import android.widget.Button
import dev.switchback.Provider

/**
 * A login button in the manner of e-IDs: the logo, then the name as it is spelled, black on white with a border. It is
 * at least 48 density-independent pixels high. Some e-IDs demand more: see their own rules.
 */
public class EidButtonView public constructor(context: Context) : Button(context) {
    init {
        val density = resources.displayMetrics.density
        val shape = GradientDrawable()
        shape.setColor(Color.WHITE)
        shape.cornerRadius = CORNER * density
        shape.setStroke(maxOf(1, density.toInt()), Color.DKGRAY)
        background = shape
        setAllCaps(false)
        minHeight = (HEIGHT * density).toInt()
        compoundDrawablePadding = (GAP * density).toInt()
        // A tap below another app's window is none.
        filterTouchesWhenObscured = true
    }

    /**
     * Shows a provider. [logo] is what the app made of `logoUrl`; null shows the name alone. While the provider is
     * switched off, the button does nothing, and says why below the name.
     */
    public fun show(provider: Provider, logo: Drawable?, pressed: () -> Unit) {
        text = EidButtonText.of(provider.name, provider.isEnabled, provider.notice)
        isEnabled = provider.isEnabled
        // Whoever cannot press it can still read it.
        setTextColor(if (provider.isEnabled) Color.BLACK else Color.DKGRAY)
        setCompoundDrawablesRelativeWithIntrinsicBounds(logo, null, null, null)
        setOnClickListener { pressed() }
    }

    private companion object {
        // In density-independent pixels.
        const val CORNER = 8f
        const val HEIGHT = 48
        const val GAP = 12
    }
}
