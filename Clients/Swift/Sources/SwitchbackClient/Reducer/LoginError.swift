/// Why a login got no result, as far as this app can tell. Decide by `kind`.
public struct LoginError: Error, Hashable, Sendable {
    /// What happened, and what the app should do. For one that you do not know, offer the login button again.
    public struct Kind: Coded {
        /// Such as `not_stored`.
        public let code: String

        /// The store failed, so nothing was sent. Offer the login button again.
        public static let notStored = Kind(code: "not_stored")
        /// The server does not know the login: it is too old, or the server has lost it. Offer the login button again.
        public static let unknownLogin = Kind(code: "unknown_login")
        /// The result was deleted, by a request or because its time was over. Offer the login button again.
        public static let gone = Kind(code: "gone")
        /// The server refuses the request, and always will (`problem`). Correct the app, or the server's configuration.
        public static let refused = Kind(code: "refused")
        /// The app called `abandon`.
        public static let abandoned = Kind(code: "abandoned")
    }

    /// The error without its details.
    public let kind: Kind
    /// What the server says; nil for every other error than `refused`.
    public let problem: Problem?
    /// The login's reference, which the user can read out to support; nil if the server never responded.
    public private(set) var reference: String?

    private init(_ kind: Kind, problem: Problem? = nil) { (self.kind, self.problem) = (kind, problem) }

    /// The store failed.
    public static let notStored = LoginError(.notStored)
    /// The server does not know the login.
    public static let unknownLogin = LoginError(.unknownLogin)
    /// The result was deleted.
    public static let gone = LoginError(.gone)
    /// The app called `abandon`.
    public static let abandoned = LoginError(.abandoned)

    func with(reference: String?) -> LoginError {
        var error = self
        error.reference = reference
        return error
    }

    /// Returns the error of a request that the server refuses.
    public static func refused(_ problem: Problem) -> LoginError { LoginError(.refused, problem: problem) }
}

extension LoginError: CustomStringConvertible {
    /// What happened and what to do, for logs.
    public var description: String {
        switch self.kind {
        case .notStored: "The device could not store the login, so nothing was sent. Offer the login button again."
        case .unknownLogin: "The server does not know the login. Offer the login button again."
        case .gone: "The server has deleted the login's result. Offer the login button again."
        case .abandoned: "The app abandoned the login."
        default: "The server refused the login (\(self.problem?.code ?? "")): \(self.problem?.detail ?? "")"
        }
    }
}
