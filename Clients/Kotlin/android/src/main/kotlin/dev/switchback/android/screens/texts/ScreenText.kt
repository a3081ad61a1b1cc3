// Made from Public/strings and Clients/texts by Clients/texts/write. Change those, and run it again.

package dev.switchback.android

/** What a screen says. Clients/texts/en.yaml has each text in English. */
internal enum class ScreenText {
    CONTINUE_BUTTON,
    GIVE_UP_BUTTON,
    PAUSED_TITLE,
    PAUSED_TEXT,
    APP_MISSING_TITLE,
    APP_MISSING_TEXT,
    APP_NEEDED_TEXT,
    CODE_TITLE,
    CODE_TEXT,
    CODE_LABEL,
    WRONG_CODE_TEXT,
    SHOW_PAGE_BUTTON,
    TRIES_LABEL,
    RETRYING_TEXT,
    PIN_TITLE,
    WRONG_PIN_TEXT,
    NEW_PIN_TITLE,
    NEW_PIN_TEXT,
    REPEAT_PIN_TITLE,
    DIFFERENT_PIN_TEXT,
    EASY_PIN_TEXT,
    BIOMETRICS_BUTTON,
    WORKING_TITLE,
    RETRYING_TITLE,
    NO_RESPONSE_TEXT,
    REFERENCE_LABEL,
}
