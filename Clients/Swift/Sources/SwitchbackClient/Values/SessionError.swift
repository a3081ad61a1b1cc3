/// Why a call of `SessionClient` failed. The session's state says how it stands. Decide by `kind`.
public struct SessionError: Error, Hashable, Sendable {
    /// What happened, and what the app should do. Treat one that you do not know as a call that failed for now.
    public struct Kind: Coded {
        /// Such as `wrong_pin`.
        public let code: String

        /// There is no session (`signOutReason`). Start a login.
        public static let signedOut = Kind(code: "signed_out")
        /// The app or the device has locked the session (`lockReason`).
        public static let locked = Kind(code: "locked")
        /// The server wants the PIN. Ask for it, and call `unlock`.
        public static let pinRequired = Kind(code: "pin_required")
        /// The PIN was wrong (`triesLeft`). Ask for it again.
        public static let wrongPIN = Kind(code: "wrong_pin")
        /// Only a login with the e-ID helps.
        public static let stepUpRequired = Kind(code: "step_up_required")
        /// The server gave no usable response, and may have acted (`transientError`). Calling again is safe, and counts
        /// no try of a PIN twice.
        public static let noResponse = Kind(code: "no_response")
        /// The server refuses the request, and always will (`refusal`). Correct the app, or the server's configuration.
        public static let refused = Kind(code: "refused")
        /// The login is not completed, or is not from `prepare`: it has another key. Start a login with `prepare`.
        public static let wrongLogin = Kind(code: "wrong_login")
        /// The server has deleted the login. Start another one.
        public static let loginGone = Kind(code: "login_gone")
        /// The server allows no session after this login.
        public static let notAllowed = Kind(code: "not_allowed")
        /// The device's session is of another user. Call `signOut`, and start a login.
        public static let otherUser = Kind(code: "other_user")
        /// The server gave a token that is not bound to the key, which this library does not take.
        public static let notBound = Kind(code: "not_bound")
        /// No PIN was set, or the device has lost it. Start a login, then set one.
        public static let noPIN = Kind(code: "no_pin")
        /// A PIN is six ASCII digits or more.
        public static let malformedPIN = Kind(code: "malformed_pin")
        /// The device has no hardware key to protect a PIN with, so it can have none.
        public static let noWrappingKey = Kind(code: "no_wrapping_key")
        /// Biometrics were not set up, or the enrolled faces or fingers have changed. Ask for the PIN.
        public static let noBiometrics = Kind(code: "no_biometrics")
        /// The session's storage failed. Try again.
        public static let storageFailed = Kind(code: "storage_failed")
        /// A key could not be used (`keyFailure`).
        public static let key = Kind(code: "key")
        /// The task was cancelled, or the client was stopped.
        public static let cancelled = Kind(code: "cancelled")
    }

    /// The error without its details.
    public let kind: Kind
    /// Why there is no session; nil for every other error.
    public private(set) var signOutReason: SignOutReason?
    /// Why the session is locked; nil for every other error.
    public private(set) var lockReason: LockReason?
    /// How many PINs the user may still try, if the server has said so.
    public private(set) var triesLeft: Int?
    /// Why there was no response; nil for every other error.
    public private(set) var transientError: TransientError?
    /// The code of the server's problem, or an error of OAuth; nil for every other error than `refused`.
    public private(set) var refusal: String?
    /// Why the key could not be used; nil for every other error.
    public private(set) var keyFailure: SessionKeyFailure?

    private init(_ kind: Kind, _ change: (inout SessionError) -> Void = { _ in }) {
        self.kind = kind
        change(&self)
    }
}

extension SessionError {
    /// Returns the error without a session.
    public static func signedOut(_ reason: SignOutReason) -> SessionError {
        SessionError(.signedOut) { $0.signOutReason = reason }
    }

    /// Returns the error of a locked session.
    public static func locked(_ reason: LockReason) -> SessionError { SessionError(.locked) { $0.lockReason = reason } }

    /// Returns the error of a session whose PIN the server wants.
    public static func pinRequired(triesLeft: Int?) -> SessionError {
        SessionError(.pinRequired) { $0.triesLeft = triesLeft }
    }

    /// Returns the error of a wrong PIN.
    public static func wrongPIN(triesLeft: Int) -> SessionError { SessionError(.wrongPIN) { $0.triesLeft = triesLeft } }

    /// Only a login with the e-ID helps.
    public static let stepUpRequired = SessionError(.stepUpRequired)

    /// Returns the error of a call without a usable response.
    public static func noResponse(_ error: TransientError) -> SessionError {
        SessionError(.noResponse) { $0.transientError = error }
    }

    /// Returns the error of a call that the server refuses.
    public static func refused(code: String) -> SessionError { SessionError(.refused) { $0.refusal = code } }

    /// The login has another key.
    public static let wrongLogin = SessionError(.wrongLogin)
    /// The server has deleted the login.
    public static let loginGone = SessionError(.loginGone)
    /// The server allows no session after this login.
    public static let notAllowed = SessionError(.notAllowed)
    /// The device's session is of another user.
    public static let otherUser = SessionError(.otherUser)
    /// The token is not bound to the key.
    public static let notBound = SessionError(.notBound)
    /// There is no PIN.
    public static let noPIN = SessionError(.noPIN)
    /// A PIN is six ASCII digits or more.
    public static let malformedPIN = SessionError(.malformedPIN)
    /// The device has no hardware key for a PIN.
    public static let noWrappingKey = SessionError(.noWrappingKey)
    /// The session has no copy of the PIN's secret for biometrics.
    public static let noBiometrics = SessionError(.noBiometrics)
    /// The session's storage failed.
    public static let storageFailed = SessionError(.storageFailed)

    /// Returns the error of a key that could not be used.
    public static func key(_ failure: SessionKeyFailure) -> SessionError {
        SessionError(.key) { $0.keyFailure = failure }
    }

    /// Nobody waits for the call any more.
    public static let cancelled = SessionError(.cancelled)
}

extension SessionError: CustomStringConvertible {
    /// The codes, for logs.
    public var description: String {
        let details: [String?] = [
            self.signOutReason?.code, self.lockReason?.code, self.transientError?.code, self.refusal,
            self.keyFailure?.code,
        ]
        return ([self.kind.code] + details.compactMap(\.self)).joined(separator: ": ")
    }
}

/// Why a key of a session could not be used, though it exists.
public struct SessionKeyFailure: Coded {
    /// Such as `cancelled_by_user`.
    public let code: String
    /// The system's number; nil if it gave none.
    public let systemCode: Int?

    /// The user dismissed the system's question.
    public static let cancelledByUser = SessionKeyFailure(code: "cancelled_by_user", systemCode: nil)

    /// Returns any other failure, with the system's number. Try again.
    public static func failed(code: Int) -> SessionKeyFailure {
        SessionKeyFailure(code: "failed", systemCode: code)
    }
}
