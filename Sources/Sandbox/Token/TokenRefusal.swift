/// Why the token endpoint gives nothing (RFC 6749 §5.2).
struct TokenRefusal: Error, Sendable {
    enum Code: String, Sendable {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case unsupportedGrantType = "unsupported_grant_type"
        case serverError = "server_error"
    }

    let code: Code
    let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    var answer: JSONAnswer {
        switch self.code {
        case .invalidRequest, .invalidGrant, .unsupportedGrantType: .error(self.code.rawValue, self.description)
        case .invalidClient:
            // RFC 6749 §5.2: with 401 comes the scheme, whichever way the client tried.
            .error(self.code.rawValue, self.description, status: .unauthorized)
                .challenging("Basic realm=\"sandbox\", charset=\"UTF-8\"")
        case .serverError: .internalServerError
        }
    }
}
