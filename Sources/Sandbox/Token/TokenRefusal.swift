/// Why the token endpoint gives nothing (RFC 6749 §5.2).
import StrictJSON

struct TokenRefusal: Error, Sendable {
    enum Code: String, Sendable {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case unsupportedGrantType = "unsupported_grant_type"
        /// These four of an order that a client asks for (CIBA Core §11).
        case authorizationPending = "authorization_pending"
        case slowDown = "slow_down"
        case accessDenied = "access_denied"
        case expiredToken = "expired_token"
        case serverError = "server_error"
    }

    let code: Code
    let description: String
    /// Members beside those of RFC 6749.
    private let more: JSON.Object

    init(_ code: Code, _ description: String, _ more: JSON.Object = [:]) {
        self.more = more
        self.code = code
        self.description = description
    }

    var answer: JSONAnswer {
        switch self.code {
        case .invalidRequest, .invalidGrant, .unsupportedGrantType, .authorizationPending, .slowDown, .accessDenied,
            .expiredToken:
            .error(self.code.rawValue, self.description).adding(self.more)
        case .invalidClient:
            // RFC 6749 §5.2: with 401 comes the scheme, whichever way the client tried.
            .error(self.code.rawValue, self.description, status: .unauthorized)
                .challenging("Basic realm=\"sandbox\", charset=\"UTF-8\"")
        case .serverError: .internalServerError
        }
    }
}
