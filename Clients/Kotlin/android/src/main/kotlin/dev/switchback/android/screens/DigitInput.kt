package dev.switchback.android

import android.content.Context
import android.text.InputFilter
import android.text.InputType
import android.text.method.PasswordTransformationMethod
import android.view.ActionMode
import android.view.Menu
import android.view.MenuItem
import android.view.View
import android.view.inputmethod.EditorInfo
import android.widget.EditText

/**
 * A field for digits with a numeric keyboard, which neither gives to the clipboard nor takes from it. The digits of a
 * secret one are in [field] alone: the text field has dots.
 */
internal class DigitInput(
    context: Context, val field: DigitField, isSecret: Boolean, changed: () -> Unit, done: () -> Unit,
) : EditText(context) {
    init {
        // `setInputType` would also set a filter that takes digits only, and no dots.
        setRawInputType(InputType.TYPE_CLASS_NUMBER or (if (isSecret) InputType.TYPE_NUMBER_VARIATION_PASSWORD else 0))
        // TalkBack tells how many characters a password has, and not which.
        if (isSecret) transformationMethod = PasswordTransformationMethod.getInstance()
        imeOptions = EditorInfo.IME_ACTION_DONE or EditorInfo.IME_FLAG_NO_EXTRACT_UI or
            EditorInfo.IME_FLAG_NO_PERSONALIZED_LEARNING
        filters = arrayOf(
            InputFilter { source, start, end, _, from, to ->
                field.replace(from, to, source.subSequence(start, end)).also { post(changed) }
            })
        importantForAutofill = View.IMPORTANT_FOR_AUTOFILL_NO_EXCLUDE_DESCENDANTS
        setSaveEnabled(false)
        setLongClickable(false)
        setSingleLine(true)
        customSelectionActionModeCallback = NoMenu
        customInsertionActionModeCallback = NoMenu
        setOnEditorActionListener { _, _, _ -> true.also { done() } }
    }

    /** Keys such as Ctrl+V come here too. */
    override fun onTextContextMenuItem(id: Int): Boolean = false

    /** Shows the dots or digits that the field has, if it was changed by somebody else. */
    fun refresh() {
        if (text.length != field.count) text.clear()
    }

    /** No menu with copy and paste. */
    private object NoMenu : ActionMode.Callback {
        override fun onCreateActionMode(mode: ActionMode, menu: Menu): Boolean = false

        override fun onPrepareActionMode(mode: ActionMode, menu: Menu): Boolean = false

        override fun onActionItemClicked(mode: ActionMode, item: MenuItem): Boolean = false

        override fun onDestroyActionMode(mode: ActionMode) {}
    }
}
