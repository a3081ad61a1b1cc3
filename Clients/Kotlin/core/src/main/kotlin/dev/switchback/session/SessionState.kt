package dev.switchback

/** A state of a session, as the app gets it. Decide by [kind]. */
public class SessionState private constructor(
    /** The state without its details. */
    public val kind: Kind,
    /** Whether an active session wants a PIN to be set. */
    public val needsPin: Boolean = false,
    /** Why the session is locked; null in every other state. */
    public val lockReason: LockReason? = null,
    /** How many PINs the user may still try; null when that is unknown, and in every other state than `PinRequired`. */
    public val triesLeft: Int? = null,
    /** Why there is no session; null when there is one. */
    public val signOutReason: SignOutReason? = null,
) {
    override fun equals(other: Any?): Boolean = other is SessionState && other.details == details

    override fun hashCode(): Int = details.hashCode()

    /** The codes, for logs. */
    override fun toString(): String =
        listOfNotNull(kind.code, lockReason?.code, signOutReason?.code).joinToString(": ")

    private val details get() = listOf(kind, needsPin, lockReason, triesLeft, signOutReason)

    /** What the app has to do. Treat one that you do not know as `StepUpRequired`. */
    public class Kind internal constructor(code: String) : Coded(code) {
        /** The kinds of this version. */
        public companion object {
            /**
             * The session gives access tokens. With [needsPin], ask the user to choose a PIN now
             * ([SessionClient.setPin]): the server takes it within 15 minutes of the login.
             */
            @JvmField
            public val Active: Kind = Kind("active")

            /** The app or the device has locked the session ([lockReason]). The server has not. */
            @JvmField
            public val Locked: Kind = Kind("locked")

            /** The server wants the PIN: ask for it ([SessionClient.unlock]). */
            @JvmField
            public val PinRequired: Kind = Kind("pin_required")

            /** Only a login with the e-ID helps ([SessionClient.stepUp]). The session then goes on. */
            @JvmField
            public val StepUpRequired: Kind = Kind("step_up_required")

            /** There is no session ([signOutReason]). Start a login. */
            @JvmField
            public val SignedOut: Kind = Kind("signed_out")
        }
    }

    /** Makes states, for previews and tests. */
    public companion object {
        /** Returns the state of a session that gives access tokens. */
        @JvmStatic
        public fun active(needsPin: Boolean): SessionState = SessionState(Kind.Active, needsPin = needsPin)

        /** Returns the state of a session that the app or the device has locked. */
        @JvmStatic
        public fun locked(reason: LockReason): SessionState = SessionState(Kind.Locked, lockReason = reason)

        /** Returns the state of a session whose PIN the server wants. */
        @JvmStatic
        public fun pinRequired(triesLeft: Int?): SessionState = SessionState(Kind.PinRequired, triesLeft = triesLeft)

        /** Only a login with the e-ID helps. */
        @JvmField
        public val stepUpRequired: SessionState = SessionState(Kind.StepUpRequired)

        /** Returns the state without a session. */
        @JvmStatic
        public fun signedOut(reason: SignOutReason): SessionState = SessionState(Kind.SignedOut, signOutReason = reason)
    }
}

/** Why a session is locked. */
public class LockReason internal constructor(code: String) : Coded(code) {
    /** The reasons of this version. */
    public companion object {
        /** The app called `lock`. Ask for the PIN. */
        @JvmField
        public val ByApp: LockReason = LockReason("by_app")

        /** The device was not unlocked since it started, so its keys cannot be used. Try again later. */
        @JvmField
        public val DeviceLocked: LockReason = LockReason("device_locked")
    }
}

/** Why there is no session. */
public class SignOutReason internal constructor(code: String) : Coded(code) {
    /** The reasons of this version. */
    public companion object {
        /** None was begun on this device. */
        @JvmField
        public val NeverSignedIn: SignOutReason = SignOutReason("never")

        /** The app called `signOut`, or ended the session by its id. */
        @JvmField
        public val ByUser: SignOutReason = SignOutReason("by_user")

        /** The server says that the session is over. */
        @JvmField
        public val Ended: SignOutReason = SignOutReason("ended")

        /** The device no longer has the session's key: another phone, or another lock screen. */
        @JvmField
        public val KeyLost: SignOutReason = SignOutReason("key_gone")
    }
}
