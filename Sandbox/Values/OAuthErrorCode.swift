/// The OAuth error codes that the sandbox sends.
enum OAuthErrorCode: String, Sendable {
    // RFC 6749 §4.1.2.1 and §5.2.
    case invalidRequest = "invalid_request"
    case invalidClient = "invalid_client"
    case invalidGrant = "invalid_grant"
    case invalidScope = "invalid_scope"
    case unsupportedGrantType = "unsupported_grant_type"
    case unsupportedResponseType = "unsupported_response_type"
    case accessDenied = "access_denied"
    case serverError = "server_error"
    case temporarilyUnavailable = "temporarily_unavailable"
    // RFC 6750 §3.1.
    case invalidToken = "invalid_token"
    // RFC 9101 §7, and RFC 9126 with it.
    case invalidRequestObject = "invalid_request_object"
    case invalidRequestURI = "invalid_request_uri"
    // Core §3.1.2.6.
    case loginRequired = "login_required"
    case registrationNotSupported = "registration_not_supported"
    // CIBA Core §11: for an order that a client polls.
    case authorizationPending = "authorization_pending"
    case slowDown = "slow_down"
    case expiredToken = "expired_token"
    // Vipps' own.
    case unknownError = "unknown_error"
}
