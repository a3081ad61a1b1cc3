// How a login with a fault ends at a server that does its part, in the words of the API.

extension SandboxFault {
    /// A status, and after `failed` the reason.
    package var end: String {
        if let end = self.names.lazy.compactMap({ Self.ends[$0] }).first { return end }
        if self.isHarmless { return "completed" }
        return switch self.effect {
        case .nothing, .repeatableCode, .session: "completed"
        case .decision(.cancel): "cancelled"
        case .decision(.timeOut): "failed: timeout"
        case .decision: "expired"
        case .authorizationResponse, .signedResponse: "failed: invalid_response"
        case .tokenAnswer, .keys: Self.unavailable
        case .idToken, .userinfo, .signedUserinfo: "failed: invalid_token"
        case .pushedRequest, .discovery: "pending: the browser gets an error page"
        // A response of an e-ID's app that proves nothing.
        case .ofBroker: "pending: the user opens the e-ID’s app again"
        }
    }

    /// The one that shows how a login fails at an e-ID, with one press.
    static func example(of eID: SandboxEID) -> Self? {
        self.named(eID == .digid ? "profile-missing" : "oidcc-client-test-nonce-invalid")
    }

    private static let unavailable = "failed: broker_unavailable"
    /// The response names no login, so none takes it.
    private static let ignored = "pending: no login takes the response"
    /// The create is refused, because there is nothing to open.
    private static let refused = "no login"
    private static let fapi = "fapi2-security-profile-final-client-test-"

    /// Those that end differently from others of their kind.
    private static let ends = [
        "error-access-denied": "cancelled", "error-after-state": "cancelled",
        "error-server-error": "failed: broker_error", "error-login-required": "failed: broker_error",
        "error-with-wrong-state": Self.ignored, "repeated-state": Self.ignored, "response-not-signed": Self.ignored,
        Self.fapi + "ensure-authorization-response-with-invalid-state-fails": Self.ignored,
        Self.fapi + "ensure-authorization-response-with-invalid-missing-state-fails": Self.ignored,
        "token-invalid-grant": "failed: broker_error", "token-without-id-token": "failed: invalid_token",
        "token-type-unknown": "failed: invalid_token", "id-token-auth-time-old": "failed: not_fresh",
        "id-token-wrong-acr": "failed: assurance_too_low", "userinfo-status-500": Self.unavailable,
        "userinfo-not-signed": Self.unavailable, "par-invalid-request": "failed: broker_error",
        "complete-400": "failed: broker_error", "poll-error-bare": "cancelled", "poll-error-quoted": "cancelled",
        "launch-status-500": Self.refused, "launch-without-links": Self.refused, "launch-at-a-stranger": Self.refused,
        "error-after-second-question-mark": "failed: broker_error",
        "artifact-demo": "failed: invalid_response", "artifact-used-twice": Self.unavailable,
        "artifact-unknown": Self.unavailable, "resolver-script-4001": "failed: broker_error",
        "resolver-script-5001": Self.unavailable, "resolver-status-500": Self.unavailable,
        "resolver-broken-json": Self.unavailable, "resolver-dead": Self.unavailable, "resolver-slow": Self.unavailable,
        "profile-missing": "failed: invalid_token", "acr-too-low": "failed: assurance_too_low",
        "init-dead": Self.refused, "init-slow": Self.refused, "init-status-5001": Self.refused,
        "init-without-session": Self.refused, "init-third-party-unnamed": Self.refused,
    ]
}
