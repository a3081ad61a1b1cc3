/// What the broker reports about the e-ID's app. Show it; nothing else depends on it, and you may ignore one that you
/// do not know.
public struct LoginHint: Coded {
    /// As in the API, such as `no_client`.
    public let code: String

    /// The e-ID's app has not been opened.
    public static let outstandingTransaction = LoginHint(code: "outstanding_transaction")
    /// The e-ID's app does not respond yet.
    public static let noClient = LoginHint(code: "no_client")
    /// The user has begun in the e-ID's app.
    public static let started = LoginHint(code: "started")
    /// The user has to scan a passport.
    public static let userMRTD = LoginHint(code: "user_mrtd")
    /// The user has to confirm a call.
    public static let userCallConfirm = LoginHint(code: "user_call_confirm")
    /// The e-ID's app waits for the user's code.
    public static let userSign = LoginHint(code: "user_sign")
}
