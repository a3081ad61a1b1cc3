package dev.switchback

/**
 * How a login ended: [Completed], [Cancelled] or [Failed]. A later version may have more, so a `when` over it needs an
 * `else`: offer the login button again.
 */
public abstract class LoginResult internal constructor(
    /** Eight letters and digits that the user can read out to support, or null if the server did not answer. */
    public val reference: String?,
) {
    /** The user has logged in. The result comes again until it is acknowledged, also after the app was killed. */
    public class Completed internal constructor(internal val login: Login, private val flow: LoginFlow) :
        LoginResult(login.reference.ifEmpty { null }) {
        /** It says who logged in. Null only if the server said nothing that this version can read. */
        public val identity: Identity? get() = login.identity

        /** A signed JWT for your own API, valid for five minutes. */
        public val assertion: Secret? get() = login.assertion

        /** Which same-device proof the server accepted, or null. */
        public val proof: String? get() = login.proof

        /** What the app continues with after a registration in two steps (DigiD), or null. */
        public val registration: Registration? get() = login.registration

        /** The id of the login at the server. */
        internal val loginId: String get() = login.id

        /** The secret that gives access to the result, and so to the session after it. */
        internal val pollSecret: Secret get() = flow.running.record.secret

        /** The thumbprint of the key that the login carried, or null. */
        internal val thumbprint: String? get() = flow.running.record.request["dpop_jkt"]?.string

        /** The server's last nonce for DPoP proofs, or null. It spares a session's begin a request. */
        internal val dpopNonce: String? get() = flow.running.nonce

        /**
         * Says that the app has what it needs, so that the server may delete the result. It returns when that is
         * stored: the server is told when there is a network. A session's `begin` says it too.
         */
        public suspend fun acknowledge(): Unit = flow.acknowledge()

        /** The e-ID and its level. */
        override fun toString(): String = "completed: $identity"
    }

    /** The user or the app cancelled. Offer the login button again. */
    public class Cancelled internal constructor(
        /** Whether the user declined at the e-ID. If not, [LoginManager.cancel] was called. */
        public val byUser: Boolean,
        reference: String?,
    ) : LoginResult(reference) {
        override fun equals(other: Any?): Boolean =
            other is Cancelled && other.byUser == byUser && other.reference == reference

        override fun hashCode(): Int = 31 * byUser.hashCode() + reference.hashCode()

        /** Who cancelled. */
        override fun toString(): String = if (byUser) "cancelled by the user" else "cancelled"
    }

    /** There is no result. Decide by [kind] and [isRetryable]. */
    public class Failed internal constructor(
        /** What happened. For one that you do not know, offer the login button again. */
        public val kind: Kind,
        /** The code of the server's reason, or of the library's error, such as `timeout`; else that of [kind]. */
        public val code: String,
        /** Whether a new login may succeed. */
        public val isRetryable: Boolean,
        reference: String?,
        /** What the server or the system said, in full, for developers; null if neither did. */
        public val detail: String? = null,
        /** What to tell the user, if the provider is switched off (`provider_off`); null for every other failure. */
        public val notice: String? = null,
    ) : LoginResult(reference) {
        private val all: List<Any?> get() = listOf(kind, code, isRetryable, reference, detail, notice)

        override fun equals(other: Any?): Boolean = other is Failed && other.all == all

        override fun hashCode(): Int = all.hashCode()

        /** What happened, for logs. */
        override fun toString(): String = listOfNotNull(kind.code, code, detail, reference).joinToString(": ")
    }

    /** What happened to a login that failed. A later version may have more. */
    public class Kind private constructor(code: String) : Coded(code) {
        /** The kinds of this version. */
        public companion object {
            /** The login failed, or its time was over. */
            @JvmField
            public val Failed: Kind = Kind("failed")

            /** The app is not set up, and no login can work ([Failed.detail]). Correct the app. */
            @JvmField
            public val Misconfigured: Kind = Kind("misconfigured")

            /** The library was closed while the login went on. It is there again at the next start. */
            @JvmField
            public val WaitingStopped: Kind = Kind("waiting_stopped")

            /** Another login was started in the same host. */
            @JvmField
            public val Replaced: Kind = Kind("replaced")
        }
    }

    internal companion object {
        /** Reads a login that is final and has not completed. */
        fun of(login: Login): LoginResult {
            val reference = login.reference.ifEmpty { null }
            if (login.status == LoginStatus.Cancelled) return Cancelled(login.reason != "app_cancelled", reference)
            val code = login.reason ?: login.status.code
            return Failed(Kind.Failed, code, login.reason == null || login.isRetryable, reference)
        }

        /** Reads an error of the library. */
        fun of(error: LoginError, reference: String?): LoginResult {
            if (error == LoginError.Abandoned) return Cancelled(false, reference)
            val problem = (error as? LoginError.Refused)?.problem
            return Failed(
                Kind.Failed, problem?.code ?: error.code, problem == null, reference, problem?.detail, problem?.notice)
        }

        fun of(kind: Kind, reference: String?, detail: String? = null): LoginResult =
            Failed(kind, kind.code, kind != Kind.Misconfigured, reference, detail)
    }
}
