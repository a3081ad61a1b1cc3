import StrictJSON

/// Why an endpoint refuses a request (RFC 6749 §4.1.2.1 and §5.2).
struct OAuthRefusal: Error, CustomStringConvertible, Sendable {
    let code: OAuthErrorCode
    let description: String
    /// Members in addition to those of RFC 6749.
    private let more: JSON.Object
    /// Where the authorization endpoint sends it. Without an address it is shown to the user and never sent to a redirect
    /// URI: we do not know that it is the client's (RFC 6749 §4.1.2.1).
    let address: ReturnAddress?

    init(_ code: OAuthErrorCode, _ description: String, _ more: JSON.Object = [:], to address: ReturnAddress? = nil) {
        self.more = more
        self.code = code
        self.description = description
        self.address = address
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
