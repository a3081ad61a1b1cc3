import Base
import JOSE
import StrictJSON

/// Verifies an authorization response that arrives as one signed JWT (JARM). It takes the parameters from the JWT, and
/// trusts no others.
package struct JARMVerifier: Sendable {
    private let rules: JWTRules
    private let directory: ProviderDirectory

    package init(rules: JWTRules, directory: ProviderDirectory) {
        self.rules = rules
        self.directory = directory
    }

    /// Returns the claimed `state`, unverified. Use it only to find the login; the state itself has our MAC.
    package static func state(of jwt: String) -> String? {
        guard jwt.utf8.count <= CompactJWS.byteLimit else { return nil }
        let parts = jwt.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(String(parts[1])) else { return nil }
        return (try? JSON(parsing: payload))?["state"]?.string
    }

    /// Returns the parameters of a valid JWT (JARM 2.4). They are not validated yet.
    ///
    /// `state` has our MAC, so the response may cause a fetch of keys, once for this state.
    func parameters(
        in parameters: [Parameter], state: String
    ) async throws(VerificationError<AuthorizationResponseError>) -> [Parameter] {
        let jwt: String
        do throws(AuthorizationResponseError) { jwt = try Self.jwt(among: parameters) } catch { throw .rule(error) }
        let form = JWTFormat(algorithms: self.rules.algorithms, decrypter: nil)
        let claims: JSON.Object
        do throws(VerificationError<Never>) {
            claims = try await self.directory.verify(jwt, as: form, from: .browser(state: state)).claims
        } catch {
            switch error {
            case .keysUnavailable(let reason): throw .keysUnavailable(reason)
            case .form(let error): throw .rule(AuthorizationResponseError(error))
            }
        }
        do throws(AuthorizationResponseError) {
            try self.rules.demand(of: claims) { AuthorizationResponseError($0) }
            return try Self.parameters(claims)
        } catch {
            throw .rule(error)
        }
    }

    /// The JWT must contain everything: no parameter of a plain response may appear beside it.
    private static func jwt(among parameters: [Parameter]) throws(AuthorizationResponseError) -> String {
        let responses = parameters.filter { $0.name == "response" }
        guard let response = responses.first else { throw .responseMissing }
        guard responses.count == 1 else { throw .repeatedParameter }
        guard !parameters.contains(where: { AuthorizationResponse.names.contains($0.name) }) else {
            throw .responseNotAlone
        }
        return response.value
    }

    /// A claim that is not a string is not a parameter. The names that decide something must be strings, or `null` for an
    /// absent one.
    private static func parameters(_ claims: JSON.Object) throws(AuthorizationResponseError) -> [Parameter] {
        for name in AuthorizationResponse.decisive {
            guard claims[name].map({ $0.string != nil || $0.isNull }) ?? true else { throw .responseClaims }
        }
        return claims.compactMap { name, value in value.string.map { Parameter(name, $0) } }
    }
}
