import StrictJSON

/// Why the token endpoint refuses a request (RFC 6749 §5.2).
struct TokenError: Error, CustomStringConvertible, Sendable {
    let code: OAuthErrorCode
    let description: String
    /// Members in addition to those of RFC 6749.
    private let more: JSON.Object

    init(_ code: OAuthErrorCode, _ description: String, _ more: JSON.Object = [:]) {
        self.more = more
        self.code = code
        self.description = description
    }

    var answer: JSONResponse {
        if self.code == .serverError { return .internalServerError }
        // RFC 6749 §5.2: a 401 names the scheme, whichever method the client tried.
        if self.code == .invalidClient {
            return .error(self.code, self.description, status: .unauthorized)
                .challenging("Basic realm=\"sandbox\", charset=\"UTF-8\"")
        }
        return .error(self.code, self.description).adding(self.more)
    }
}
