package dev.switchback

/** What a host shows of its login. Decide by [kind]. */
public class LoginState internal constructor(
    /** What to show. Treat one that you do not know as `Waiting`. */
    public val kind: Kind,
    /** The name of the [LoginHost] that the login belongs to. */
    public val host: String,
    /** What the user can read out to support. Null before the server's first response. */
    public val reference: String? = null,
    /** Whether [LoginManager.continueLogin] does something. */
    public val canContinue: Boolean = false,
    /** How many codes the user may still try. Null if none was wrong. */
    public val triesLeft: Int? = null,
    /** Why the library retries; null if it does not. */
    public val transientError: TransientError? = null,
    /** What the broker reports about the e-ID's app, such as `no_client`; null if it does not. */
    public val hint: String? = null,
    /** How the login ended; null while it runs. */
    public val result: LoginResult? = null,
) {
    private val all: List<Any?>
        get() = listOf(kind, host, reference, canContinue, triesLeft, transientError, hint, result)

    override fun equals(other: Any?): Boolean = other is LoginState && other.all == all

    override fun hashCode(): Int = all.hashCode()

    /** The kind and the reference. */
    override fun toString(): String = listOfNotNull(kind.code, reference).joinToString(" ")

    /** What a host shows. A later version may have more. */
    public class Kind private constructor(code: String) : Coded(code) {
        /** The kinds of this version. */
        public companion object {
            /** This host has no login. Show the login button. */
            @JvmField
            public val Idle: Kind = Kind("idle")

            /** The server has not answered yet. */
            @JvmField
            public val Starting: Kind = Kind("starting")

            /** A browser is on top of the app. */
            @JvmField
            public val InBrowser: Kind = Kind("in_browser")

            /** The e-ID's app is open. */
            @JvmField
            public val InApp: Kind = Kind("in_app")

            /**
             * The e-ID's app did not open: it may not be installed. Offer to go on without it ([canContinue]), and to
             * give up.
             */
            @JvmField
            public val AppMissing: Kind = Kind("app_missing")

            /** The login goes on by itself. */
            @JvmField
            public val Waiting: Kind = Kind("waiting")

            /** The user seems to have left the browser. Offer to continue ([canContinue]) and to give up. */
            @JvmField
            public val Paused: Kind = Kind("paused")

            /** Ask for the six digits of the page ([triesLeft]), and offer to show the page again. */
            @JvmField
            public val CodeWanted: Kind = Kind("code_wanted")

            /** The server gives no usable response ([transientError]), and the library retries. Offer to leave. */
            @JvmField
            public val Retrying: Kind = Kind("retrying")

            /** The login is over ([result]). */
            @JvmField
            public val Over: Kind = Kind("over")
        }
    }

    internal companion object {
        /** Reads a state of the login, but no final one. `hasBrowser` says whether a browser is on top of the app. */
        fun of(state: ShownState, host: String, hasBrowser: Boolean, former: Int?): LoginState {
            val login = state.login
            val kind = when (state) {
                is ShownState.Starting -> Kind.Starting
                is ShownState.Paused -> Kind.Paused
                is ShownState.WrongCode -> Kind.CodeWanted
                is ShownState.Retrying -> Kind.Retrying
                else -> login?.let { kind(it.next, hasBrowser) } ?: Kind.Waiting
            }
            return LoginState(
                kind, host, login?.reference?.ifEmpty { null },
                kind == Kind.CodeWanted || kind == Kind.Paused && login?.next != NextAction.Wait,
                if (kind == Kind.CodeWanted) (state as? ShownState.WrongCode)?.triesLeft ?: former else null,
                (state as? ShownState.Retrying)?.error, login?.hint,
            )
        }

        private fun kind(next: NextAction, hasBrowser: Boolean): Kind = when {
            next is NextAction.OpenApp -> Kind.InApp
            next == NextAction.EnterCode || next == NextAction.ShowBrowser && !hasBrowser -> Kind.CodeWanted
            hasBrowser -> Kind.InBrowser
            else -> Kind.Waiting
        }
    }
}
