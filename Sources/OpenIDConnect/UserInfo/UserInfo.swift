/// What a provider tells about a person beyond the ID token (Core 5.3), as JSON or as a JWT.
import Base
import StrictJSON

package struct UserInfo: Sendable {
    package let claims: JSON.Object

    /// The token goes into a field, never into the URL (RFC 6750 §2.1).
    package static func request(
        accessToken: Secret, client: Client, formats: Set<UserInfoRules.Format> = [.json], metadata: ProviderMetadata
    ) throws(Failure) -> ProviderRequest {
        guard let plain = metadata.userinfoEndpoint else { throw .endpointMissing }
        let endpoint: EndpointURL
        do throws(ClientAuthentication.Failure) {
            endpoint = try client.endpoint(plain, or: \.userinfo, of: metadata)
        } catch {
            throw .endpointAlias
        }
        let accept = UserInfoRules.mediaTypes(formats)
        return ProviderRequest(
            .userinfo, .get, endpoint, delivery: .idempotent,
            fields: [("Accept", accept), ("Authorization", "Bearer \(accessToken.exposedText)")])
    }

    /// The subject is that of the ID token.
    package static func judge(
        _ response: ProviderResponse, subject: String, rules: UserInfoRules, directory: ProviderDirectory
    ) async throws(Failure) -> Self {
        guard response.status == 200 else { throw .status(response.status) }
        guard !response.isTooLarge else { throw .tooLarge }
        let claims = try await self.claims(of: response, rules, directory)
        guard let about = claims["sub"] else { throw .subjectMissing }
        guard let about = about.string else { throw .malformed }
        guard identical(about, subject) else { throw .subject }
        return Self(claims: claims)
    }
}

// MARK: - The two kinds of answer

extension UserInfo {
    /// The content type says which it is, and only what was agreed is read (Core 5.3.2).
    private static func claims(
        of response: ProviderResponse, _ rules: UserInfoRules, _ directory: ProviderDirectory
    ) async throws(Failure) -> JSON.Object {
        if response.isJSON, rules.formats.contains(.json) {
            guard let claims = (try? JSON(parsing: response.body))?.object else { throw .malformed }
            return claims
        }
        guard response.isJWT, rules.formats != [.json] else { throw .contentType }
        return try await self.claims(in: String(decoding: response.body, as: UTF8.self), rules, directory)
    }

    private static func claims(
        in compact: String, _ rules: UserInfoRules, _ directory: ProviderDirectory
    ) async throws(Failure) -> JSON.Object {
        let claims: JSON.Object
        do throws(JWTForm.Broken) {
            claims = try await directory.verify(compact, as: rules.form(of: compact)).claims
        } catch {
            throw .form(error)
        }
        do throws(JWTRules.Broken) { try rules.jwt.check(claims) } catch { throw .rules(error) }
        return claims
    }
}

/// Its claims are about a person.
extension UserInfo: Unprinted {}
