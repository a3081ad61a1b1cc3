package dev.switchback.android

import android.content.Context
import android.os.Build
import android.view.View
import android.widget.Button
import android.widget.ProgressBar

/** The library's own screens of a login: for one that is paused, for the code, and for a server that does not respond. */
public class LoginScreenView public constructor(
    context: Context,
    /** Gets what the user wants, and the six digits with `SEND_CODE`. */
    private val action: (action: LoginScreen.Button.Action, code: String?) -> Unit,
) : SecureLayout(context) {
    private val parts = ScreenParts(context)
    private val field = DigitField(CODE)
    private val title = parts.title()
    private val text = parts.text()
    private val note = parts.note()
    private val label = parts.text()
    private val input = DigitInput(context, field, isSecret = false, ::update) { perform(LoginScreen.Button.Action.SendCode) }
    private val progress = ProgressBar(context)
    private val buttons = mutableListOf<Pair<LoginScreen.Button.Action, Button>>()
    private val reference = parts.text(ScreenParts.SMALL)
    private var shown: LoginScreen? = null

    init {
        input.id = View.generateViewId()
        input.layoutParams = parts.row()
        label.labelFor = input.id
        progress.importantForAccessibility = View.IMPORTANT_FOR_ACCESSIBILITY_NO
        for (part in listOf(title, text, note, label, input, progress, reference)) column.addView(part)
    }

    /** Shows a screen. What was typed stays, unless the screen is another one. */
    public fun show(screen: LoginScreen) {
        if (shown?.kind != screen.kind) clear()
        if (Build.VERSION.SDK_INT >= 28) accessibilityPaneTitle = screen.announcement
        ScreenParts.show(title, screen.title)
        ScreenParts.show(text, screen.text)
        ScreenParts.show(note, screen.note)
        ScreenParts.show(reference, screen.reference)
        ScreenParts.show(label, screen.fieldLabel.takeIf { screen.kind == LoginScreen.Kind.Code })
        input.visibility = if (screen.kind == LoginScreen.Kind.Code) View.VISIBLE else View.GONE
        val waits = screen.kind == LoginScreen.Kind.Retrying || screen.kind == LoginScreen.Kind.Working
        progress.visibility = if (waits) View.VISIBLE else View.GONE
        if (shown?.buttons?.map { it.action to it.title } != screen.buttons.map { it.action to it.title }) place(screen)
        shown = screen
        update()
    }

    private fun place(screen: LoginScreen) {
        buttons.forEach { column.removeView(it.second) }
        buttons.clear()
        for (button in screen.buttons) {
            val view = parts.button(button.title) { perform(button.action) }
            buttons += button.action to view
            column.addView(view, column.indexOfChild(reference))
        }
    }

    private fun perform(wanted: LoginScreen.Button.Action) {
        if (wanted != LoginScreen.Button.Action.SendCode) return action(wanted, null)
        if (!field.isFull) return
        val code = String(field.digits(), Charsets.US_ASCII)
        clear()
        action(wanted, code)
    }

    private fun clear() {
        field.clear()
        input.refresh()
    }

    private fun update() {
        for ((action, view) in buttons) view.isEnabled = action != LoginScreen.Button.Action.SendCode || field.isFull
    }

    private companion object {
        /** How many digits a code has. */
        const val CODE = 6
    }
}
