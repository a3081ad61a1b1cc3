/// The answer of a token endpoint (RFC 6749 §5, Core 3.1.3.3); its ID token is not judged yet.
import JOSE

package struct TokenResponse: Sendable {
    package let idToken: String
    /// Always one that can be sent as a Bearer token.
    package let accessToken: Secret?

    /// `expires_in`, `scope` and the rest are not read: nothing here outlives the login.
    package init(_ body: [UInt8]) throws(Failure) {
        let limits = JSON.Limits(byteCount: ProviderResponse.sizeLimit)
        guard let json = try? JSON(parsing: body, limits: limits), let members = json.object else { throw .malformed }
        guard let idToken = members["id_token"] else { throw .idTokenMissing }
        guard let text = idToken.string, !text.isEmpty else { throw .malformed }
        self.idToken = text
        self.accessToken = try members["access_token"].map { value throws(Failure) in
            try Self.accessToken(value, type: members["token_type"])
        }
    }

    package static func judge(_ response: ProviderResponse) throws(Failure) -> Self {
        guard !response.isTooLarge else { throw .tooLarge }
        switch response.status {
        case 200:
            guard response.isJSON else { throw .contentType }
            return try Self(response.body)
        case 400, 401:
            // RFC 6749 §5.2. A page of some proxy is no answer of the provider.
            guard let error = self.error(in: response) else { throw .status(response.status) }
            throw .oauth(error)
        default:
            throw .status(response.status)
        }
    }
}

// MARK: - The members

extension TokenResponse {
    /// RFC 6749 §7.1: a type that is not understood must not be used; it is read in any case.
    private static func accessToken(_ value: JSON, type: JSON?) throws(Failure) -> Secret {
        guard let token = value.string, (1...16384).contains(token.utf8.count),
            token.utf8.allSatisfy({ $0.isVisibleOrSpace && $0 != 0x20 })
        else { throw .malformed }
        guard type?.string?.lowercased() == "bearer" else { throw .tokenType }
        return Secret(token)
    }

    private static func error(in response: ProviderResponse) -> OAuthError? {
        guard response.isJSON, let json = try? JSON(parsing: response.body), let code = json["error"]?.string,
            !code.isEmpty
        else { return nil }
        return OAuthError(code: code, description: json["error_description"]?.string)
    }
}

extension TokenResponse: Unprinted {}
