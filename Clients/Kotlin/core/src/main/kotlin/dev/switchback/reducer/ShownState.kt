package dev.switchback

/** What is true of a login, as the reducer says it. [LoginState] is made of it. */
internal sealed class ShownState(val code: String) {
    /** The server has not answered yet. */
    object Starting : ShownState("starting")

    /** The login runs. Each action is reported once; null means that there is nothing new to do. */
    class InProgress(override val login: Login, val action: NextAction?) : ShownState("in_progress")

    /** The user seems to have left the browser, and no response has come from it. The login has not ended. */
    class Paused(override val login: Login) : ShownState("paused")

    /** The code was wrong. */
    class WrongCode(val triesLeft: Int, override val login: Login) : ShownState("wrong_code")

    /** The server gives no usable response, and the library retries. */
    class Retrying(val error: TransientError, override val login: Login?) : ShownState("retrying")

    /** The login is final. It is repeated until the result is acknowledged. */
    class Finished(override val login: Login) : ShownState("finished")

    /** The login is lost or was refused. No other state follows. */
    class Failed(val error: LoginError, val reference: String?) : ShownState("failed")

    open val login: Login? get() = null
}

/** Why a login got no result, as far as this app can tell. */
internal sealed class LoginError(val code: String) {
    /** The store failed, so nothing was sent. */
    object NotStored : LoginError("not_stored")

    /** The server does not know the login: it is too old, or the server has lost it. */
    object UnknownLogin : LoginError("unknown_login")

    /** The result was deleted, by a request or because its time was over. */
    object Gone : LoginError("gone")

    /** The app forgot the login. */
    object Abandoned : LoginError("abandoned")

    /** The server refuses the request, and always will. */
    data class Refused(val problem: Problem) : LoginError("refused")
}
