/// Why a call of `SessionClient` failed. The session's state says how it stands.
public enum SessionError: Error, Hashable, Sendable {
    /// There is no session. Start a login.
    case signedOut(SignOutReason)
    /// The app or the device has locked the session.
    case locked(LockReason)
    /// The server wants the PIN. Ask for it, and call `unlock`.
    case pinRequired(triesLeft: Int?)
    /// The PIN was wrong. Ask for it again.
    case wrongPIN(triesLeft: Int)
    /// Only a login with the e-ID helps.
    case stepUpRequired
    /// The server gave no usable response, and may have acted. Calling again is safe, and counts no try of a PIN twice.
    case noResponse(TransientError)
    /// The server refuses the request, and always will. Correct the app, or the server's configuration. It is the code
    /// of a problem, or an error of OAuth.
    case refused(code: String)
    /// The login is not completed, or is not from `prepare`: it has another key. Start a login with `prepare`.
    case wrongLogin
    /// The server has deleted the login. Start another one.
    case loginGone
    /// The server allows no session after this login.
    case notAllowed
    /// The device's session is of another user. Call `signOut`, and start a login.
    case otherUser
    /// The server gave a token that is not bound to the key, which this library does not take.
    case notBound
    /// No PIN was set, or the device has lost it. Start a login, then set one.
    case noPIN
    /// A PIN is six ASCII digits or more.
    case malformedPIN
    /// The device has no hardware key to protect a PIN with, so it can have none.
    case noWrappingKey
    /// Biometrics were not set up, or the enrolled faces or fingers have changed. Ask for the PIN.
    case noBiometrics
    /// The session's storage failed. Try again.
    case storageFailed
    /// A key could not be used.
    case key(SessionKeyFailure)
    /// The task was cancelled, or the client was stopped.
    case cancelled
}

/// Why a key of a session could not be used, though it exists.
public enum SessionKeyFailure: Hashable, Sendable {
    /// The user dismissed the system's question.
    case cancelledByUser
    /// Anything else, with the system's number. Try again.
    case failed(code: Int)
}
