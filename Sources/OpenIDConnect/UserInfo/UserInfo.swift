/// What a provider tells about a person beyond the ID token (Core 5.3), as JSON.
import JOSE

package struct UserInfo: Sendable {
    package enum Failure: Error, Equatable, Sendable {
        /// The provider has no userinfo endpoint.
        case endpointMissing
        case status(Int)
        /// Not `application/json`: a signed answer is not read yet.
        case contentType
        case tooLarge
        case malformed
        case subjectMissing
        /// It is about somebody else (Core 5.3.2): nothing of it may be used.
        case subject

        package var raw: String {
            switch self {
            case .endpointMissing: "userinfo_endpoint_missing"
            case .status(let status): "userinfo_status_\(status)"
            case .contentType: "userinfo_content_type"
            case .tooLarge: "userinfo_too_large"
            case .malformed: "userinfo_malformed"
            case .subjectMissing: "userinfo_subject_missing"
            case .subject: "userinfo_subject"
            }
        }
    }

    package let claims: JSON.Object

    /// The token goes into a field, never into the URL (RFC 6750 §2.1).
    package static func request(
        accessToken: Secret, metadata: ProviderMetadata
    ) throws(Failure) -> ProviderRequest {
        guard let endpoint = metadata.userinfoEndpoint else { throw .endpointMissing }
        return ProviderRequest(
            .userinfo, .get, endpoint,
            fields: [("Accept", "application/json"), ("Authorization", "Bearer \(accessToken.exposedText)")])
    }

    /// The subject is that of the ID token.
    package static func judge(_ response: ProviderResponse, subject: String) throws(Failure) -> Self {
        guard response.status == 200 else { throw .status(response.status) }
        guard !response.isTooLarge else { throw .tooLarge }
        guard response.isJSON else { throw .contentType }
        guard let json = try? JSON(parsing: response.body), let claims = json.object else { throw .malformed }
        guard let about = claims["sub"] else { throw .subjectMissing }
        guard let about = about.string else { throw .malformed }
        guard identical(about, subject) else { throw .subject }
        return Self(claims: claims)
    }
}

/// Its claims are about a person.
extension UserInfo: Unprinted {}
