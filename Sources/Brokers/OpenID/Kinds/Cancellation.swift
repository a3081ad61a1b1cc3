import OpenIDConnect

/// How providers say that the user cancelled.
enum Cancellation {
    /// - `access_denied`: RFC 6749 §4.1.2.1. Azure AD B2C sends it too; `AADB2C90091` is only in its description.
    /// - `user_cancelled_authorize`: Sign in with Apple, and LinkedIn when the member refuses the permissions.
    /// - `user_cancelled_login`: LinkedIn, when the member does not log in.
    private static let codes: Set<String> = ["access_denied", "user_cancelled_authorize", "user_cancelled_login"]

    static func isOne(_ error: OAuthError) -> Bool { self.codes.contains(error.code) }
}
