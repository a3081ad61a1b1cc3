/// A state of a session, as the app gets it.
public enum SessionState: Hashable, Sendable {
    /// The session gives access tokens. With `needsPIN`, ask the user to choose a PIN now (`setPIN`): the server takes
    /// it within 15 minutes of the login.
    case active(needsPIN: Bool)
    /// The app or the device has locked the session. The server has not.
    case locked(LockReason)
    /// The server wants the PIN: ask for it (`unlock`). `triesLeft` is nil until a PIN was wrong.
    case pinRequired(triesLeft: Int?)
    /// Only a login with the e-ID helps. Start one with `prepare`, and give it to `begin`: the session goes on.
    case stepUpRequired
    /// There is no session. Start a login.
    case signedOut(SignOutReason)
}

/// Why a session is locked.
public enum LockReason: Hashable, Sendable {
    /// The app called `lock`. Ask for the PIN.
    case byApp
    /// The device was not unlocked since it started, so its keys cannot be used. Try again later.
    case deviceLocked
}

/// Why there is no session.
public enum SignOutReason: String, Codable, Hashable, Sendable {
    /// None was begun on this device.
    case neverSignedIn = "never"
    /// The app called `signOut`, or ended the session by its id.
    case byUser = "by_user"
    /// The server says that the session is over.
    case ended
    /// The device no longer has the session's key.
    case keyGone = "key_gone"
}
