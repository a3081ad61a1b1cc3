// Made from Public/strings and Clients/texts by Clients/texts/write. Change those, and run it again.

package dev.switchback.android

/** The string of the library's resources. */
internal val ScreenText.resource: Int
    get() = when (this) {
        ScreenText.CONTINUE_BUTTON -> R.string.switchback_continue_button
        ScreenText.GIVE_UP_BUTTON -> R.string.switchback_give_up_button
        ScreenText.PAUSED_TITLE -> R.string.switchback_paused_title
        ScreenText.PAUSED_TEXT -> R.string.switchback_paused_text
        ScreenText.APP_MISSING_TITLE -> R.string.switchback_app_missing_title
        ScreenText.APP_MISSING_TEXT -> R.string.switchback_app_missing_text
        ScreenText.APP_NEEDED_TEXT -> R.string.switchback_app_needed_text
        ScreenText.CODE_TITLE -> R.string.switchback_code_title
        ScreenText.CODE_TEXT -> R.string.switchback_code_text
        ScreenText.CODE_LABEL -> R.string.switchback_code_label
        ScreenText.WRONG_CODE_TEXT -> R.string.switchback_wrong_code_text
        ScreenText.SHOW_PAGE_BUTTON -> R.string.switchback_show_page_button
        ScreenText.TRIES_LABEL -> R.string.switchback_tries_label
        ScreenText.RETRYING_TEXT -> R.string.switchback_retrying_text
        ScreenText.PIN_TITLE -> R.string.switchback_pin_title
        ScreenText.WRONG_PIN_TEXT -> R.string.switchback_wrong_pin_text
        ScreenText.NEW_PIN_TITLE -> R.string.switchback_new_pin_title
        ScreenText.NEW_PIN_TEXT -> R.string.switchback_new_pin_text
        ScreenText.REPEAT_PIN_TITLE -> R.string.switchback_repeat_pin_title
        ScreenText.DIFFERENT_PIN_TEXT -> R.string.switchback_different_pin_text
        ScreenText.EASY_PIN_TEXT -> R.string.switchback_easy_pin_text
        ScreenText.BIOMETRICS_BUTTON -> R.string.switchback_biometrics_button
        ScreenText.WORKING_TITLE -> R.string.switchback_working_title
        ScreenText.RETRYING_TITLE -> R.string.switchback_retrying_title
        ScreenText.NO_RESPONSE_TEXT -> R.string.switchback_no_response_text
        ScreenText.REFERENCE_LABEL -> R.string.switchback_reference_label
    }
