/// What the answers of a provider's OAuth endpoints have in common (RFC 6749 §5): JSON, or an error in JSON.
import JOSE

extension ProviderResponse {
    package enum Refusal: Error, Equatable, Sendable {
        /// The provider said no, and why.
        case oauth(OAuthError)
        /// Neither a success nor an OAuth error.
        case status(Int)
        case contentType
        case tooLarge

        package var raw: String {
            switch self {
            case .oauth(let error): "error_\(error.code)"
            case .status(let status): "status_\(status)"
            case .contentType: "content_type"
            case .tooLarge: "too_large"
            }
        }
    }

    package func check(success: Int) throws(Refusal) {
        guard !self.isTooLarge else { throw .tooLarge }
        switch self.status {
        case success:
            guard self.isJSON else { throw .contentType }
        case 400, 401:
            // RFC 6749 §5.2. A page of some proxy is no answer of the provider.
            guard let error = self.oauthError else { throw .status(self.status) }
            throw .oauth(error)
        default:
            throw .status(self.status)
        }
    }

    /// The error of an answer of the status 400 or 401; nil where it says none.
    package var refusal: OAuthError? { (400...401).contains(self.status) ? self.oauthError : nil }

    private var oauthError: OAuthError? {
        guard self.isJSON, let json = try? JSON(parsing: self.body), let code = json["error"]?.string, !code.isEmpty
        else { return nil }
        return OAuthError(code: code, description: json["error_description"]?.string)
    }
}
