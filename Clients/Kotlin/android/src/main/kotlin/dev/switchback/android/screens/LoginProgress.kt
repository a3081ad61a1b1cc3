package dev.switchback.android

import dev.switchback.LoginState

/** What a screen reads of a login. */
internal object LoginProgress {
    fun of(state: LoginState): ScreenProgress =
        ScreenProgress(kind(state.kind), state.canContinue, state.triesLeft, state.reference)

    private fun kind(kind: LoginState.Kind): ScreenProgress.Kind = when (kind) {
        LoginState.Kind.Idle, LoginState.Kind.Over -> ScreenProgress.Kind.NOTHING
        LoginState.Kind.Paused -> ScreenProgress.Kind.PAUSED
        LoginState.Kind.AppMissing -> ScreenProgress.Kind.APP_MISSING
        LoginState.Kind.CodeWanted -> ScreenProgress.Kind.CODE
        LoginState.Kind.Retrying -> ScreenProgress.Kind.RETRYING
        // One that this version does not know, too.
        else -> ScreenProgress.Kind.WORKING
    }
}
