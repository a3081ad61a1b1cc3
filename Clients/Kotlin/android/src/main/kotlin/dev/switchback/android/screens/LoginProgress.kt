package dev.switchback.android

import dev.switchback.LoginState

/** What a screen reads of a login. */
internal object LoginProgress {
    fun of(state: LoginState): ScreenProgress =
        ScreenProgress(kind(state.kind), state.canContinue, state.triesLeft, state.reference)

    private fun kind(kind: LoginState.Kind): ScreenProgress.Kind = when (kind) {
        LoginState.Kind.Idle, LoginState.Kind.Over -> ScreenProgress.Kind.Nothing
        LoginState.Kind.Paused -> ScreenProgress.Kind.Paused
        LoginState.Kind.AppMissing -> ScreenProgress.Kind.AppMissing
        LoginState.Kind.CodeWanted -> ScreenProgress.Kind.Code
        LoginState.Kind.Retrying -> ScreenProgress.Kind.Retrying
        // One that this version does not know, too.
        else -> ScreenProgress.Kind.Working
    }
}
