/// Why a token endpoint's answer brought no tokens.
extension TokenResponse {
    package enum Failure: Error, Equatable, Sendable {
        /// The provider said no, and why.
        case oauth(OAuthError)
        /// Neither 200 nor an OAuth error.
        case status(Int)
        case contentType
        case tooLarge
        case malformed
        case idTokenMissing
        /// Not `Bearer`.
        case tokenType

        package var raw: String {
            switch self {
            case .oauth(let error): "token_error_\(error.code)"
            case .status(let status): "token_status_\(status)"
            case .contentType: "token_content_type"
            case .tooLarge: "token_too_large"
            case .malformed: "token_malformed"
            case .idTokenMissing: "token_id_token_missing"
            case .tokenType: "token_type"
            }
        }
    }
}
