/// What the answers of a provider's OAuth endpoints have in common (RFC 6749 §5): JSON, or an error in JSON.

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

        /// Whether the provider does not take us for its client, or does not let us do this. It will say the same tomorrow.
        package var isDenial: Bool {
            switch self {
            case .oauth: true
            case .status(let status): ProviderResponse.isDenial(status)
            case .contentType, .tooLarge: false
            }
        }
    }

    /// A wrong secret does not get better by waiting, also where the answer is a page and not OAuth's JSON.
    package static func isDenial(_ status: Int) -> Bool { status == 401 || status == 403 }

    package func check(success: Int) throws(Refusal) {
        guard !self.isTooLarge else { throw .tooLarge }
        if let error = self.refusal { throw .oauth(error) }
        guard self.status == success else { throw .status(self.status) }
        guard self.isJSON else { throw .contentType }
    }

    /// The OAuth error of an answer (RFC 6749 §5.2); nil where it says none.
    ///
    /// 403 is what CIBA Core 13 has for some errors. Some providers send an error with the status of a success. Any other
    /// status is not the endpoint's own answer, whatever its body says.
    package var refusal: OAuthError? {
        switch self.status {
        case 200..<300, 400, 401, 403:
            guard let json = self.json, let code = json["error"]?.string, !code.isEmpty else { return nil }
            return OAuthError(code: code, description: json["error_description"]?.string)
        default:
            return nil
        }
    }
}
