/// An authorization response as one signed JWT (JARM). We take the parameters from the JWT and trust nothing else.
import Base
import JOSE
import StrictJSON

package enum JARMResponse {

    /// Returns the claimed `state`, unverified. Use it only to find the login; the state itself has our MAC.
    package static func state(of jwt: String) -> String? {
        guard jwt.utf8.count <= CompactJWS.byteLimit else { return nil }
        let parts = jwt.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(String(parts[1])) else { return nil }
        return (try? JSON(parsing: payload))?["state"]?.string
    }

    /// Returns the parameters of a valid JWT (JARM 2.4). `AuthorizationResponse` validates them.
    package static func validate(
        _ brought: [Parameter], rules: JWTRules, directory: ProviderDirectory
    ) async throws(AuthorizationResponseError) -> [Parameter] {
        let jwt = try self.jwt(among: brought)
        let claims: JSON.Object
        do throws(JWTFormatError) {
            claims = try await directory.verify(jwt, as: JWTFormat(algorithms: rules.algorithms, decrypter: nil)).claims
        } catch {
            throw AuthorizationResponseError(error)
        }
        do throws(JWTRulesError) { try rules.demand(of: claims) } catch { throw AuthorizationResponseError(error) }
        return try self.parameters(claims)
    }

    /// The JWT must contain everything: no parameter of a plain response may appear beside it.
    private static func jwt(among brought: [Parameter]) throws(AuthorizationResponseError) -> String {
        let responses = brought.filter { $0.name == "response" }
        guard let response = responses.first else { throw .responseMissing }
        guard responses.count == 1 else { throw .repeatedParameter }
        guard !brought.contains(where: { AuthorizationResponse.names.contains($0.name) }) else {
            throw .responseNotAlone
        }
        return response.value
    }

    /// A claim that is not a string is not a parameter, so the names that we read must be strings.
    private static func parameters(_ claims: JSON.Object) throws(AuthorizationResponseError) -> [Parameter] {
        for name in AuthorizationResponse.names {
            guard claims[name].map({ $0.string != nil }) ?? true else { throw .responseClaims }
        }
        return claims.compactMap { name, value in value.string.map { Parameter(name, $0) } }
    }
}
