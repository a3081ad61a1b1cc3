/// A state of a session, as the app gets it. Decide by `kind`.
public struct SessionState: Hashable, Sendable {
    /// What the app has to do. Treat one that you do not know as `stepUpRequired`.
    public struct Kind: Coded {
        /// Such as `pin_required`.
        public let code: String

        /// The session gives access tokens. With `needsPIN`, ask the user to choose a PIN now (`setPIN`): the server
        /// takes it within 15 minutes of the login.
        public static let active = Kind(code: "active")
        /// The app or the device has locked the session (`lockReason`). The server has not.
        public static let locked = Kind(code: "locked")
        /// The server wants the PIN: ask for it (`unlock`). `triesLeft` is nil until a PIN was wrong.
        public static let pinRequired = Kind(code: "pin_required")
        /// Only a login with the e-ID helps. Start one with `prepare`, and give it to `begin`: the session goes on.
        public static let stepUpRequired = Kind(code: "step_up_required")
        /// There is no session (`signOutReason`). Start a login.
        public static let signedOut = Kind(code: "signed_out")
    }

    /// The state without its details.
    public let kind: Kind
    /// Whether an active session wants a PIN to be set.
    public private(set) var needsPIN = false
    /// Why the session is locked; nil in every other state.
    public private(set) var lockReason: LockReason?
    /// How many PINs the user may still try; nil when that is unknown, and in every other state than `pinRequired`.
    public private(set) var triesLeft: Int?
    /// Why there is no session; nil when there is one.
    public private(set) var signOutReason: SignOutReason?

    private init(_ kind: Kind) { self.kind = kind }

    /// Returns the state of a session that gives access tokens.
    public static func active(needsPIN: Bool) -> SessionState {
        var state = SessionState(.active)
        state.needsPIN = needsPIN
        return state
    }

    /// Returns the state of a session that the app or the device has locked.
    public static func locked(_ reason: LockReason) -> SessionState {
        var state = SessionState(.locked)
        state.lockReason = reason
        return state
    }

    /// Returns the state of a session whose PIN the server wants.
    public static func pinRequired(triesLeft: Int?) -> SessionState {
        var state = SessionState(.pinRequired)
        state.triesLeft = triesLeft
        return state
    }

    /// Only a login with the e-ID helps.
    public static let stepUpRequired = SessionState(.stepUpRequired)

    /// Returns the state without a session.
    public static func signedOut(_ reason: SignOutReason) -> SessionState {
        var state = SessionState(.signedOut)
        state.signOutReason = reason
        return state
    }
}

/// Why a session is locked.
public struct LockReason: Coded {
    /// Such as `by_app`.
    public let code: String

    /// The app called `lock`. Ask for the PIN.
    public static let byApp = LockReason(code: "by_app")
    /// The device was not unlocked since it started, so its keys cannot be used. Try again later.
    public static let deviceLocked = LockReason(code: "device_locked")
}

/// Why there is no session.
public struct SignOutReason: Coded {
    /// As it is stored, such as `key_gone`.
    public let code: String

    /// None was begun on this device.
    public static let neverSignedIn = SignOutReason(code: "never")
    /// The app called `signOut`, or ended the session by its id.
    public static let byUser = SignOutReason(code: "by_user")
    /// The server says that the session is over.
    public static let ended = SignOutReason(code: "ended")
    /// The device no longer has the session's key.
    public static let keyGone = SignOutReason(code: "key_gone")
}
