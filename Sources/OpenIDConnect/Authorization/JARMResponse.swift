/// An authorization response as one signed JWT (JARM): out of it come the parameters, and nothing else is believed.
import Base
import JOSE
import StrictJSON

package enum JARMResponse {

    /// The `state` that it claims to have, not verified: only good for finding the login, whose state has a MAC of ours.
    package static func state(of jwt: String) -> String? {
        guard jwt.utf8.count <= CompactJWS.byteLimit else { return nil }
        let parts = jwt.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(String(parts[1])) else { return nil }
        return (try? JSON(parsing: payload))?["state"]?.string
    }

    /// The parameters, once the JWT has passed its rules (JARM 2.4); `AuthorizationResponse` judges what they say.
    package static func judge(
        _ brought: [Parameter], rules: JWTRules, directory: ProviderDirectory
    ) async throws(AuthorizationResponseError) -> [Parameter] {
        let jwt = try self.jwt(among: brought)
        let claims: JSON.Object
        do throws(JWTFormError) {
            claims = try await directory.verify(jwt, as: JWTForm(algorithms: rules.algorithms, decrypter: nil)).claims
        } catch {
            throw AuthorizationResponseError(error)
        }
        do throws(JWTRulesError) { try rules.demand(of: claims) } catch { throw AuthorizationResponseError(error) }
        return try self.parameters(claims)
    }

    /// It must hold everything: no parameter of a plain response may stand beside it.
    private static func jwt(among brought: [Parameter]) throws(AuthorizationResponseError) -> String {
        let responses = brought.filter { $0.name == "response" }
        guard let response = responses.first else { throw .responseMissing }
        guard responses.count == 1 else { throw .repeatedParameter }
        guard !brought.contains(where: { AuthorizationResponse.names.contains($0.name) }) else {
            throw .responseNotAlone
        }
        return response.value
    }

    /// What is not text is no parameter, and must not be where we read one.
    private static func parameters(_ claims: JSON.Object) throws(AuthorizationResponseError) -> [Parameter] {
        for name in AuthorizationResponse.names {
            guard claims[name].map({ $0.string != nil }) ?? true else { throw .responseClaims }
        }
        return claims.compactMap { name, value in value.string.map { Parameter(name, $0) } }
    }
}
