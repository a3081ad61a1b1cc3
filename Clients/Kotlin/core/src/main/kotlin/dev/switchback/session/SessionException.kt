package dev.switchback

/** Why a call of [SessionClient] failed. The session's state says how it stands. Decide by [kind]. */
public class SessionException private constructor(
    /** What happened, and what the app should do. */
    public val kind: Kind,
    /** Why there is no session; null for every other error. */
    public val signOutReason: SignOutReason?,
    /** Why the session is locked; null for every other error. */
    public val lockReason: LockReason?,
    /** How many PINs the user may still try, if the server has said so. */
    public val triesLeft: Int?,
    /** Why there was no response; null for every other error. */
    public val transientError: TransientError?,
    /** The code of the server's problem, or an error of OAuth; null for every other error than `Refused`. */
    public val refusal: String?,
    /** Why the key could not be used: `cancelled_by_user` or `failed`; null for every other error. */
    public val keyFailure: String?,
    /** The system's number for a failed key, if it gave one. */
    public val systemCode: Int?,
) : Exception() {
    internal constructor(kind: Kind) : this(kind, null, null, null, null, null, null, null)

    /** The codes, for logs. It has no secret. */
    override val message: String
        get() = listOfNotNull(
            kind.code, signOutReason?.code, lockReason?.code, transientError?.code, refusal, keyFailure,
        ).joinToString(": ")

    /** The same error with the stack of whoever calls this. */
    internal fun copy() = SessionException(
        kind, signOutReason, lockReason, triesLeft, transientError, refusal, keyFailure, systemCode,
    )

    /** What happened, and what the app should do. Treat one that you do not know as a call that failed for now. */
    public class Kind internal constructor(code: String) : Coded(code) {
        /** The kinds of this version. */
        public companion object {
            /** There is no session ([signOutReason]). Start a login. */
            @JvmField
            public val SignedOut: Kind = Kind("signed_out")

            /** The app or the device has locked the session ([lockReason]). */
            @JvmField
            public val Locked: Kind = Kind("locked")

            /** The server wants the PIN. Ask for it, and call `unlock`. */
            @JvmField
            public val PinRequired: Kind = Kind("pin_required")

            /** The PIN was wrong ([triesLeft]). Ask for it again. */
            @JvmField
            public val WrongPin: Kind = Kind("wrong_pin")

            /** Only a login with the e-ID helps. */
            @JvmField
            public val StepUpRequired: Kind = Kind("step_up_required")

            /**
             * The server gave no usable response, and may have acted ([transientError]). Calling again is safe, and
             * counts no try of a PIN twice.
             */
            @JvmField
            public val NoResponse: Kind = Kind("no_response")

            /** The server refuses the request, and always will ([refusal]). Correct the app, or the configuration. */
            @JvmField
            public val Refused: Kind = Kind("refused")

            /** The login is not completed, or has another key. Start a login with the client's thumbprint. */
            @JvmField
            public val WrongLogin: Kind = Kind("wrong_login")

            /** The server has deleted the login. Start another one. */
            @JvmField
            public val LoginGone: Kind = Kind("login_gone")

            /** The server allows no session after this login. */
            @JvmField
            public val NotAllowed: Kind = Kind("not_allowed")

            /** The device's session is of another user. Call `signOut`, and start a login. */
            @JvmField
            public val OtherUser: Kind = Kind("other_user")

            /** The server gave a token that is not bound to the key, which this library does not take. */
            @JvmField
            public val NotBound: Kind = Kind("not_bound")

            /** No PIN was set, or the device has lost it. Start a login, then set one. */
            @JvmField
            public val NoPin: Kind = Kind("no_pin")

            /** A PIN is six ASCII digits or more. */
            @JvmField
            public val MalformedPin: Kind = Kind("malformed_pin")

            /** The device has no hardware key to protect a PIN with, so it can have none. */
            @JvmField
            public val NoWrappingKey: Kind = Kind("no_wrapping_key")

            /** Biometrics were not set up, or the enrolled faces or fingers have changed. Ask for the PIN. */
            @JvmField
            public val NoBiometrics: Kind = Kind("no_biometrics")

            /** The session's storage failed. Try again. */
            @JvmField
            public val StorageFailed: Kind = Kind("storage_failed")

            /** A key could not be used ([keyFailure]). */
            @JvmField
            public val Key: Kind = Kind("key")

            /** The client was closed. */
            @JvmField
            public val Cancelled: Kind = Kind("cancelled")
        }
    }

    internal companion object {
        fun signedOut(reason: SignOutReason) =
            SessionException(Kind.SignedOut, reason, null, null, null, null, null, null)

        fun locked(reason: LockReason) = SessionException(Kind.Locked, null, reason, null, null, null, null, null)

        fun pinRequired(triesLeft: Int?) =
            SessionException(Kind.PinRequired, null, null, triesLeft, null, null, null, null)

        fun wrongPin(triesLeft: Int) = SessionException(Kind.WrongPin, null, null, triesLeft, null, null, null, null)

        fun noResponse(error: TransientError) =
            SessionException(Kind.NoResponse, null, null, null, error, null, null, null)

        fun refused(code: String) = SessionException(Kind.Refused, null, null, null, null, code, null, null)

        fun of(error: DeviceKeyException): SessionException = when (error.kind) {
            DeviceKeyException.Kind.GONE -> signedOut(SignOutReason.KeyLost)
            DeviceKeyException.Kind.UNAVAILABLE -> locked(LockReason.DeviceLocked)
            DeviceKeyException.Kind.CANCELLED -> key("cancelled_by_user", null)
            DeviceKeyException.Kind.FAILED -> key("failed", error.systemCode)
        }

        private fun key(failure: String, systemCode: Int?) =
            SessionException(Kind.Key, null, null, null, null, null, failure, systemCode)
    }
}
