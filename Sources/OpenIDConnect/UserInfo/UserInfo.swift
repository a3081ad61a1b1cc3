import Base
import StrictJSON

/// What a provider tells about a user beyond the ID token (Core 5.3), as JSON or as a JWT.
package struct UserInfo: Sendable {
    package let claims: JSON.Object

    /// Sends the access token in a header field, never in the URL (RFC 6750 §2.1). It fails if the provider names no
    /// endpoint that we may use.
    package static func request(
        accessToken: Secret, client: Client, formats: Set<UserInfoRules.Format> = [.json], metadata: ProviderMetadata
    ) -> Result<ProviderRequest, UserInfoError> {
        self.endpoint(of: metadata, for: client).map { endpoint in
            ProviderRequest(
                .userinfo, .get, endpoint, delivery: .idempotent,
                fields: [
                    Parameter("Accept", UserInfoRules.mediaTypes(formats)),
                    Parameter("Authorization", "Bearer \(accessToken.exposedText)"),
                ])
        }
    }

    private static func endpoint(
        of metadata: ProviderMetadata, for client: Client
    ) -> Result<EndpointURL, UserInfoError> {
        do throws(ClientAuthenticationError) {
            if let alias = try client.alias(\.userinfo, of: metadata) { return .success(alias) }
        } catch {
            return .failure(.endpointAlias)
        }
        switch metadata.userinfoEndpoint {
        case .success(let endpoint?): return .success(endpoint)
        case .success(nil): return .failure(.endpointMissing)
        case .failure(let failure): return .failure(.endpoint(failure))
        }
    }

    /// `subject` is that of the ID token.
    package static func validate(
        _ response: ProviderResponse, subject: String, rules: UserInfoRules, directory: ProviderDirectory
    ) async throws(UserInfoError) -> Self {
        guard response.status == 200 else { throw .status(response.status) }
        guard !response.isTooLarge else { throw .tooLarge }
        let claims = try await self.claims(of: response, rules, directory)
        guard let about = claims["sub"], !about.isNull else { throw .subjectMissing }
        guard let about = about.string else { throw .malformed }
        guard identical(about, subject) else { throw .subject }
        return Self(claims: claims)
    }
}

// MARK: - The two kinds of response

extension UserInfo {
    /// The content type tells the format, and we read only an agreed format (Core 5.3.2).
    private static func claims(
        of response: ProviderResponse, _ rules: UserInfoRules, _ directory: ProviderDirectory
    ) async throws(UserInfoError) -> JSON.Object {
        if response.isJSON, rules.formats.contains(.json) {
            guard let claims = (try? JSON(parsing: response.body))?.object else { throw .malformed }
            return claims
        }
        guard response.isJWT, rules.formats != [.json] else { throw .contentType }
        return try await self.claims(in: String(decoding: response.body, as: UTF8.self), rules, directory)
    }

    private static func claims(
        in compact: String, _ rules: UserInfoRules, _ directory: ProviderDirectory
    ) async throws(UserInfoError) -> JSON.Object {
        let form: JWTFormat
        do throws(JWTFormatError) { form = try rules.form(of: compact) } catch { throw .form(error) }
        let claims: JSON.Object
        do throws(VerificationError<Never>) {
            claims = try await directory.verify(compact, as: form).claims
        } catch {
            switch error {
            case .keysUnavailable(let reason): throw .keysUnavailable(reason)
            case .form(let error): throw .form(error)
            }
        }
        try rules.jwt.check(claims) { UserInfoError.rules($0) }
        try rules.checkParties(claims)
        return claims
    }
}

/// Its claims are about a user.
extension UserInfo: RedactedDescription {}

/// Why there is no userinfo.
package enum UserInfoError: Error, Equatable, Sendable {
    /// The provider has no userinfo endpoint.
    case endpointMissing
    /// Our policy refuses the endpoint that the provider names.
    case endpoint(ProviderMetadataError)
    /// The provider names an endpoint for clients with a certificate, but our policy refuses it.
    case endpointAlias
    case status(Int)
    /// It is neither JSON nor a JWT, or it is not the agreed one.
    case contentType
    case tooLarge
    case malformed
    /// We could not get the provider's keys, for this reason. A retry may succeed.
    case keysUnavailable(ProviderDirectoryError)
    /// The provider did not sign this JWT for us.
    case form(JWTFormatError)
    /// The JWT has the wrong issuer or audience, or it is not valid now.
    case rules(JWTRules.Problem)
    /// The JWT names an audience or an authorized party that we do not accept.
    case party(JWTParties.Problem)
    case subjectMissing
    /// It is about another user (Core 5.3.2), so none of it may be used.
    case subject

    package var raw: String {
        switch self {
        case .endpointMissing: "userinfo_endpoint_missing"
        case .endpoint(let failure): failure.raw
        case .endpointAlias: "userinfo_endpoint_alias"
        case .status(let status): "userinfo_status_\(status)"
        case .contentType: "userinfo_content_type"
        case .tooLarge: "userinfo_too_large"
        case .malformed: "userinfo_malformed"
        case .keysUnavailable(let reason): reason.raw
        case .form(let error): "userinfo_\(error.rawValue)"
        case .rules(let problem): "userinfo_\(problem.rawValue)"
        case .party(let problem): "userinfo_\(problem.rawValue)"
        case .subjectMissing: "userinfo_subject_missing"
        case .subject: "userinfo_subject"
        }
    }
}
