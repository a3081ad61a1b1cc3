import SwitchbackClient

/// Why `logIn` returned no result. Decide by `kind`.
public struct LoginFailure: Error, Hashable, Sendable {
    /// What happened, and what the app should do. For one that you do not know, offer the login button again.
    public struct Kind: Coded {
        /// Such as `cancelled`.
        public let code: String

        /// The user or the app cancelled the login (`reason`). Offer the login button again.
        public static let cancelled = Kind(code: "cancelled")
        /// The login failed, or its time was over (`reason`, `isRetryable`).
        public static let failed = Kind(code: "failed")
        /// The app is not set up, and no login can work (`systemMessage`). Correct the app; `diagnose()` says more.
        public static let misconfigured = Kind(code: "misconfigured")
        /// The task that waited was cancelled. The login goes on: `current` shows it.
        public static let waitingStopped = Kind(code: "waiting_stopped")
        /// Another login was started in the same window. This one goes on without the window: `logins` shows it, and
        /// `resumed` delivers its result if the user completes it after all.
        public static let replaced = Kind(code: "replaced")
    }

    /// The failure without its details.
    public let kind: Kind
    /// The code of the server's reason, or of the library's error. Nil if neither said more.
    public private(set) var reason: String?
    /// Whether a new login may succeed.
    public private(set) var isRetryable = true
    /// What the user can read out to support. Nil if the server did not answer.
    public private(set) var reference: String?
    /// What to tell the user, if the provider is switched off (`reason` is `provider_off`): plain text in the user's
    /// language, if the server has it. Nil for every other failure.
    public private(set) var notice: String?
    /// What the system said, in full; nil for every other failure than `misconfigured`.
    public private(set) var systemMessage: String?

    init(_ kind: Kind, reference: String? = nil) { (self.kind, self.reference) = (kind, reference) }

    /// Reads a login that is final and has not completed.
    init(_ login: Login) {
        self.init(login.status == .cancelled ? .cancelled : .failed, reference: login.reference)
        self.reason = login.reason?.code.code ?? login.status.code
        self.isRetryable = login.reason?.isRetryable ?? true
    }

    /// Reads an error of the library.
    init(_ error: LoginError, reference: String?) {
        self.init(error.kind == .abandoned ? .cancelled : .failed, reference: reference)
        self.reason = error.problem?.code ?? error.kind.code
        self.notice = error.problem?.notice
        self.isRetryable = error.kind != .refused
    }

    /// Reads an error of the session that the login should begin.
    init(_ error: SessionError) {
        self.init(.failed)
        self.reason = error.description
        self.isRetryable = error.kind != .refused
    }

    static func misconfigured(_ sentence: String, reference: String?) -> LoginFailure {
        var failure = LoginFailure(.misconfigured, reference: reference)
        failure.isRetryable = false
        failure.systemMessage = sentence
        return failure
    }
}

extension LoginFailure: CustomStringConvertible {
    /// What happened, for logs.
    public var description: String {
        let details = [self.reason, self.systemMessage, self.reference].compactMap { $0 }
        return ([self.kind.code] + details).joined(separator: ": ")
    }
}
